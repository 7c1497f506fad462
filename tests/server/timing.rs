//! When messages come: what a player can learn from it, against the same measurement where it can.

use std::time::Duration;

use croupier_server::{Cadence, Pace};
use serde_json::json;

use crate::{
    evidence::Watched,
    house::{House, as_it_is},
    ideal::lines,
    vault::rules,
};

/// Above this, two samples are taken to differ (in the manner of dudect); a control has to reach far more.
const ALARM: f64 = 4.5;

/// Welch's t of two samples, without the highest tenth of both together.
fn welch(mut one: Vec<f64>, mut other: Vec<f64>) -> f64 {
    let mut all: Vec<f64> = one.iter().chain(&other).copied().collect();
    all.sort_unstable_by(f64::total_cmp);
    let crop = all[all.len() * 9 / 10];
    one.retain(|value| *value <= crop);
    other.retain(|value| *value <= crop);
    let moments = |sample: &[f64]| {
        let n = sample.len() as f64;
        let mean = sample.iter().sum::<f64>() / n;
        (mean, sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
    };
    let ((mean, error), (other_mean, other_error)) = (moments(&one), moments(&other));
    let deviation = (error + other_error).sqrt();
    match mean - other_mean {
        0.0 => 0.0,
        difference => (difference / deviation.max(f64::MIN_POSITIVE)).abs(),
    }
}

/// How long the referee computes, in microseconds: two classes that differ as little as hidden work makes them, with the
/// long tail that machines have.
fn took_us(index: u64, is_heavy: bool) -> u64 {
    let noise = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let tail = if noise.is_multiple_of(500) { 2_000 } else { 0 };
    300 + noise % 400 + tail + if is_heavy { 60 } else { 0 }
}

/// From the last reply to the next messages, in microseconds, for both classes in turn.
fn waits(cadence: Cadence) -> [Vec<f64>; 2] {
    let mut pace = Pace::new(cadence, 4_800);
    let mut samples = [Vec::new(), Vec::new()];
    for index in 0..20_000_u64 {
        let is_heavy = index % 2 == 1;
        let caused_us = index * 1_000_000;
        let released_us = pace.release_us(caused_us, caused_us + took_us(index, is_heavy));
        samples[usize::from(is_heavy)].push((released_us - caused_us) as f64);
    }
    assert_eq!(pace.overruns(), 0);
    samples
}

#[test]
fn padding_hides_how_long_the_referee_computes_and_without_it_the_same_measurement_shows_it() {
    let [light, heavy] = waits(Cadence::Prompt);
    assert!(welch(light, heavy) > 10.0, "the control shows nothing: the measurement has no power");
    for cadence in [Cadence::Padded, Cadence::Fixed] {
        let [light, heavy] = waits(cadence);
        let t = welch(light, heavy);
        assert!(t < ALARM, "{cadence:?}: t = {t}");
    }
}

#[test]
fn two_samples_of_the_same_kind_do_not_differ() {
    let sample = |from: u64| (from..from + 20_000).map(|index| took_us(index * 2, false) as f64).collect();
    assert!(welch(sample(0), sample(1_000_000)) < ALARM);
    assert!(Duration::from_micros(took_us(1, true)) < Duration::from_millis(3));
}

/// How long after each request its replies counted, in milliseconds, in a match of players of the server.
fn counted_ms(cadence: &str) -> Vec<u64> {
    let house = House::new(&format!("cadence-{cadence}"));
    let agent = json!({ "kind": "agent", "agent": "random" });
    let asked = json!({
        "rules": rules(cadence),
        "seats": { "alice": agent, "bob": agent },
        "start_clock_ms": 1_000,
        "play_clock_ms": 200,
        "cadence": cadence,
    });
    let evidence = Watched::make(&house, &asked).unwrap().end().unwrap();
    let lines = lines(&evidence.record);
    assert!(lines.iter().any(|line| line["status"] == "terminal"), "{}", evidence.record);
    let replies = lines.iter().filter(|line| line["event"] == "reply");
    replies.map(|line| line["elapsed_ms"].as_u64().unwrap()).collect()
}

#[test]
fn at_a_fixed_cadence_every_reply_counts_at_the_end_of_the_clock() {
    let _guard = as_it_is();
    let fixed = counted_ms("fixed");
    assert!(fixed.len() == 10 && fixed.iter().all(|ms| (200..1_200).contains(ms)), "{fixed:?}");
    // The other two do not wait for it.
    for cadence in ["prompt", "padded"] {
        assert!(counted_ms(cadence).iter().min().is_some_and(|ms| *ms < 200), "{cadence}");
    }
}
