//! `croupier bench --server`: what it prints has every figure, and nothing is lost.

use serde_json::Value;

use crate::{program, schemas::assert_valid};

fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {object}"))
}

fn measured(test: &str, arguments: &[&str]) -> Value {
    let mut all = vec!["bench", "--server", "--json"];
    all.extend(arguments);
    let report = serde_json::from_str(&program(test).output(&all)).expect("JSON");
    assert_eq!(assert_valid(&report), "bench-server");
    report
}

/// What has to be so of every load: all turns are there, and the quantiles of every latency are in order.
fn assert_sound(report: &Value, matches: f64, turns: f64) {
    assert_eq!(number(report, "matches"), matches);
    assert_eq!(number(report, "complete_matches"), matches);
    assert_eq!(number(report, "turns"), matches * turns);
    for nothing in ["lost_turns", "false_timeouts", "altered_messages", "contradicting_messages"] {
        assert_eq!(number(report, nothing), 0.0, "{nothing}");
    }
    assert_eq!(report["substituted"], serde_json::json!({}));
    assert_ordered(report, "play_overhead_ms");
    assert_ordered(report, "play_delay_ms");
    // A reply is never sent before it is due, so the schedule shows at least what the sockets do.
    assert!(number(&report["play_delay_ms"], "p50") >= number(&report["play_overhead_ms"], "p50"));
    assert!(number(&report["fsync_ms"], "p50") > 0.0);
    for positive in ["matches_started_per_second", "achieved_turns_per_second"] {
        assert!(number(report, positive) > 0.0, "{positive}");
    }
}

fn assert_ordered(object: &Value, name: &str) {
    let quantiles = ["p50", "p99", "p999", "max"].map(|which| number(&object[name], which));
    assert!(quantiles.is_sorted(), "{name}: {quantiles:?}");
}

#[test]
fn a_server_under_load_loses_no_turn_and_every_figure_is_there() {
    let report = measured("load", &["--matches", "20", "--seconds", "2", "--rate", "5"]);
    assert_sound(&report, 20.0, 10.0);
    assert_eq!(number(&report, "offered_turns_per_second"), 100.0);
    assert!(report["resumption"].is_null() && report["spectators"].is_null());
    if cfg!(target_os = "linux") {
        for known in ["idle_match_kib", "server_peak_mib", "server_cores", "generator_cores"] {
            number(&report, known);
        }
    }
}

#[test]
fn a_server_that_is_killed_under_load_goes_on_with_every_match_and_loses_no_turn() {
    let report = measured("load-kill", &["--matches", "20", "--seconds", "3", "--rate", "2", "--kill"]);
    assert_sound(&report, 20.0, 6.0);
    let resumption = &report["resumption"];
    assert_eq!(number(resumption, "matches"), 20.0);
    assert!(number(resumption, "asked_ms") > 0.0 && number(resumption, "listening_ms") > 0.0);
}

#[test]
fn every_spectator_sees_every_turn() {
    let report = measured(
        "load-spectators",
        &["--matches", "5", "--seconds", "3", "--rate", "4", "--spectators", "50"],
    );
    assert_sound(&report, 5.0, 12.0);
    let spectators = &report["spectators"];
    assert_eq!(number(spectators, "count"), 50.0);
    assert_eq!((number(spectators, "dropped"), number(spectators, "missed_turns")), (0.0, 0.0));
    assert!(number(&spectators["fan_out_ms"], "count") >= 50.0);
    assert_ordered(spectators, "fan_out_ms");
    assert_ordered(spectators, "play_overhead_ms");
}

#[test]
fn a_load_that_cannot_be_is_refused_before_a_server_starts() {
    let program = program("load-refusals");
    for (arguments, part) in [
        (&["bench", "--server", "kuhn"][..], "--server"),
        (&["bench", "--matches", "5"], "--server"),
        (&["bench", "--server", "--kill", "--spectators", "5"], "--spectators"),
        (&["bench", "--server", "--seconds", "600", "--rate", "100"], "at most 9999"),
        (&["bench", "--server", "--rate", "0"], "from 0.01 to 100"),
        (&["bench", "--server", "--matches", "0"], "from 1 to 100000"),
    ] {
        let said = program.refusal(arguments);
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
}
