//! `croupier tournament`: the same table however it is played, interrupted or threaded.

use std::fs;

use serde_json::Value;

use crate::program;

const PLAYERS: &str = "first-legal,random,belief:iterations=4,particles=4";

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[test]
fn a_tournament_depends_on_its_seed_and_not_on_threads() {
    let program = program("tournament-threads");
    let with = |seed: &str, threads: &str| {
        program.output(&[
            "tournament",
            "kuhn",
            "--players",
            PLAYERS,
            "-n",
            "6",
            "--duplicate",
            "--json",
            "--seed",
            seed,
            "--threads",
            threads,
        ])
    };
    assert_eq!(with("1", "1"), with("1", "8"));
    assert!(with("1", "1") != with("2", "1"));
}

#[test]
fn an_interrupted_tournament_goes_on_where_it_was_and_can_be_made_longer() {
    let program = program("tournament-resumed");
    let with = |name: &str, matches: &str, seed: &[&str]| {
        let (results, record) =
            (program.path(&format!("{name}.jsonl")), program.path(&format!("{name}.record")));
        let arguments = ["tournament", "leduc", "--players", PLAYERS, "--duplicate", "--json", "-n", matches];
        let files = ["--results", results.as_str(), "--record", record.as_str()];
        let said = program.output(&[&arguments[..], &files, seed].concat());
        (said, fs::read(results).expect("results"), fs::read(record).expect("records"))
    };
    let whole = with("whole", "6", &["--seed", "5"]);
    // Killed in the middle of a line, with a record that no result tells of.
    let (results, records) = (program.path("cut.jsonl"), program.path("cut.record"));
    let lines: Vec<&[u8]> = whole.1.split_inclusive(|&byte| byte == b'\n').collect();
    let kept: usize = lines[..lines.len() - 3].iter().map(|line| line.len()).sum();
    fs::write(&results, &whole.1[..kept + 20]).expect("a file");
    fs::write(&records, [&whole.2[..], b"{\"kind\":\"gen"].concat()).expect("a file");
    assert!(with("cut", "6", &[]) == whole, "the seed is in the file");
    assert!(with("cut", "6", &[]) == whole, "nothing is left to play");
    let verified = program.output(&["replay", &records, "--verify"]);
    assert!(verified.contains("OK"), "{verified}");
    // One that is extended has the same matches; records of the first ones say how many there were to be then.
    with("more", "4", &["--seed", "5"]);
    let more = with("more", "6", &[]);
    assert!((&more.0, &more.1) == (&whole.0, &whole.1));
    let verified = program.output(&["replay", &program.path("more.record"), "--verify"]);
    assert!(verified.contains("matches are what their records say"), "{verified}");
}

#[test]
fn a_tournament_of_a_real_time_game_is_ranked_by_its_rules_recorded_and_gone_on_with() {
    let program = program("tournament-real-time");
    let (results, records) = (program.path("t.jsonl"), program.path("t.record"));
    let with = |matches: &str, threads: &str, files: &[&str]| {
        let base = [
            "tournament",
            "reaction",
            "--players",
            "wait,first-legal:every=0.4,random:every=2",
            "--seed",
            "3",
        ];
        program.output(&[&base[..], &["--json", "-n", matches, "--threads", threads], files].concat())
    };
    let files = ["--results", results.as_str(), "--record", records.as_str()];
    with("2", "2", &files);
    let longer = with("6", "1", &files);
    assert_eq!(longer, with("6", "2", &[]), "the same as in one go, on any threads");
    let table: Value = serde_json::from_str(&longer).expect("JSON");
    let players = table["players"].as_array().expect("players");
    assert_eq!((&table["matches"], &table["unfinished"]), (&Value::from(18), &serde_json::json!({})));
    // Whoever presses before the signal loses: it comes after a second at the earliest.
    let last = &players[2];
    assert_eq!((&last["player"], &last["lost"]), (&"first-legal:every=0.4".into(), &12.into()), "{table}");
    assert!(players.iter().all(|player| player["conduct"]["moves"] == 0), "nobody is asked for a move");
    let verified = program.output(&["replay", &records, "--verify"]);
    assert!(verified.contains("match 18: OK") && verified.contains("sealed"), "{verified}");
    let record = fs::read_to_string(&records).expect("records");
    assert!(record.contains("\"total\":18") && record.contains("first-legal:every=0.4"), "{record}");
    let table =
        program.output(&["tournament", "chicken", "--players", "wait,first-legal", "-n", "2", "--seed", "1"]);
    assert!(table.contains("rating") && !table.contains("moves drawn"), "{table}");
}

#[test]
fn duplicate_deals_have_one_seed_for_all_seats_and_groups() {
    let program = program("tournament-duplicate");
    let seeds = |name: &str, duplicate: &[&str]| {
        let record = program.path(name);
        let arguments =
            ["tournament", "kuhn", "--players", "random,first-legal,belief:iterations=2", "-n", "4"];
        program.output(&[&arguments[..], &["--seed", "3", "--record", &record], duplicate].concat());
        let record = fs::read_to_string(record).expect("records");
        let seeds =
            lines(&record).into_iter().filter_map(|line| Some(line.get("seed")?.as_str()?.to_owned()));
        seeds.collect::<Vec<_>>()
    };
    let same = seeds("duplicate", &["--duplicate"]);
    assert_eq!(same.len(), 12);
    assert!(same[..6].iter().all(|seed| *seed == same[0]) && same[6..].iter().all(|seed| *seed == same[6]));
    assert!(same[0] != same[6]);
    let mut other = seeds("single", &[]);
    other.sort();
    other.dedup();
    assert_eq!(other.len(), 12);
}

#[test]
fn the_table_is_there_as_text_values_and_picture() {
    let program = program("tournament-table");
    let (csv, svg) = (program.path("table.csv"), program.path("table.svg"));
    let arguments = ["tournament", "kuhn", "--players", PLAYERS, "-n", "10", "--seed", "2"];
    let said = program.output(&[&arguments[..], &["--csv", &csv, "--svg", &svg]].concat());
    let data: Value =
        serde_json::from_str(&program.output(&[&arguments[..], &["--json"]].concat())).expect("JSON");
    let (csv, svg) = (fs::read_to_string(csv).expect("values"), fs::read_to_string(svg).expect("a picture"));
    let rows: Vec<&str> = csv.lines().collect();
    let players = data["players"].as_array().expect("players");
    assert_eq!((rows.len(), players.len()), (4, 3));
    for (row, player) in rows[1..].iter().zip(players) {
        let name = player["player"].as_str().expect("a name");
        assert!(said.contains(name) && svg.contains(name), "{name} is missing in {said}");
        let quoted = if name.contains(',') { format!("\"{name}\"") } else { name.to_owned() };
        assert!(row.starts_with(&format!("{quoted},20,")), "ten matches against each of two: {row}");
        assert!(row.contains(&player["goal"]["mean"].to_string()), "{row}");
        // Goals of two players of Kuhn poker add up to 100.
        for (other, mean) in player["against"].as_object().expect("others") {
            let back = players.iter().find(|one| one["player"] == other.as_str()).expect("a player");
            let sum = mean["mean"].as_f64().zip(back["against"][name]["mean"].as_f64());
            let (own, theirs) = sum.expect("two means");
            assert!((own + theirs - 100.0).abs() < 1e-9, "{own} and {theirs}");
        }
    }
}

#[test]
fn what_does_not_fit_together_is_refused_before_anything_is_written() {
    let program = program("tournament-refusals");
    let results = program.path("results.jsonl");
    let base = ["tournament", "kuhn", "--players", "random,first-legal", "-n", "2", "--results", &results];
    program.output(&base);
    let before = fs::read(&results).expect("results");
    let refused = |arguments: &[&str], part: &str| {
        let said = program.refusal(arguments);
        assert!(said.contains(part), "{part} is missing in: {said}");
    };
    refused(&[&base[..], &["--duplicate"]].concat(), "another --duplicate");
    refused(&[&base[..], &["--seed", "1"]].concat(), "another seed");
    refused(
        &["tournament", "leduc", "--players", "random,first-legal", "--results", &results],
        "another game",
    );
    refused(&["tournament", "kuhn", "--players", "random,belief", "--results", &results], "another players");
    refused(&[&base[..], &["--record", &program.path("late.record")]].concat(), "begun without records");
    refused(&["tournament", "kuhn", "--players", "random"], "has no opponents");
    refused(&["tournament", "kuhn", "--players", "random,belif"], "did you mean 'belief'");
    assert!(fs::read(&results).expect("results") == before, "nothing was changed");
    let text = program.file("rules.gdl", "(role x)");
    refused(
        &["tournament", "kuhn", "--players", "random,first-legal", "--results", &text],
        "not a tournament result",
    );
}

#[test]
fn a_game_for_one_ranks_players_on_the_same_deals() {
    let program = program("tournament-single");
    let arguments =
        ["tournament", "monty-hall", "--players", "belief,first-legal", "-n", "40", "--duplicate"];
    let said = program.output(&[&arguments[..], &["--seed", "1", "--json"]].concat());
    let data: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(data["players"][0]["player"], "belief", "who switches finds the car twice as often: {said}");
    assert!(data["players"][0]["rating"].is_null(), "they never met");
}

const FOUR: &str = "first-legal,random,belief:iterations=4,particles=4,belief:iterations=2,particles=2";

#[test]
fn a_swiss_tournament_goes_on_where_it_was_killed_and_can_have_more_rounds() {
    let program = program("tournament-swiss");
    let with = |name: &str, rounds: &str, more: &[&str]| {
        let results = program.path(&format!("{name}.jsonl"));
        let arguments =
            ["tournament", "leduc", "--players", FOUR, "--format", "swiss", "--rounds", rounds, "--json"];
        let said = program.output(&[&arguments[..], &["--duplicate", "--results", &results], more].concat());
        (said, fs::read(results).expect("results"))
    };
    let whole = with("whole", "4", &["--seed", "9", "--threads", "1"]);
    assert!(with("threads", "4", &["--seed", "9", "--threads", "8"]) == whole);
    // Killed in the middle of each line of the file, the first apart.
    let ends: Vec<usize> =
        whole.1.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    for end in &ends[..ends.len() - 1] {
        let cut = program.path("cut.jsonl");
        fs::write(&cut, &whole.1[..end + 10]).expect("a file");
        assert!(with("cut", "4", &[]) == whole, "cut at byte {end}");
    }
    with("more", "2", &["--seed", "9"]);
    assert!(with("more", "4", &[]) == whole, "rounds 3 and 4 follow from the results of rounds 1 and 2");
    let data: Value = serde_json::from_str(&whole.0).expect("JSON");
    assert_eq!((&data["format"], &data["rounds"]), (&Value::from("swiss"), &Value::from(4)));
    let players = data["players"].as_array().expect("players");
    let points: Vec<f64> =
        players.iter().map(|one| one["swiss"]["points"].as_f64().expect("points")).collect();
    assert_eq!(points.iter().sum::<f64>(), 8.0, "a point for each of two pairs in four rounds");
    assert!(points.is_sorted_by(|one, other| one >= other), "{points:?}");
}

#[test]
fn in_a_swiss_tournament_pairs_play_both_rotations_of_one_deal_and_meet_again_only_when_they_must() {
    let program = program("tournament-swiss-pairs");
    let results = program.path("results.jsonl");
    let arguments = ["tournament", "kuhn", "--players", FOUR, "--format", "swiss", "--rounds", "3"];
    let said = program.output(&[&arguments[..], &["--duplicate", "--results", &results]].concat());
    assert!(said.contains("12 matches in 3 rounds") && said.contains("Buchholz"), "{said}");
    let results = lines(&fs::read_to_string(results).expect("results"));
    let seats: Vec<&Value> = results[1..].iter().map(|result| &result["seats"]).collect();
    let mut pairs = Vec::new();
    for rotations in seats.chunks(2) {
        assert_eq!((&rotations[0][0], &rotations[0][1]), (&rotations[1][1], &rotations[1][0]));
        let (one, other) = (rotations[0][0].as_u64(), rotations[0][1].as_u64());
        pairs.push((one.min(other), one.max(other)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), 6, "three rounds are enough for all six pairs of four");
}

#[test]
fn results_of_another_format_and_rounds_without_swiss_are_refused() {
    let program = program("tournament-formats");
    let results = program.path("results.jsonl");
    let base = ["tournament", "kuhn", "--players", "random,first-legal", "--results", &results];
    let swiss = ["--format", "swiss", "--rounds", "2"];
    program.output(&[&base[..], &swiss].concat());
    let refused = |arguments: &[&str], part: &str| {
        let said = program.refusal(arguments);
        assert!(said.contains(part), "{part} is missing in: {said}");
    };
    refused(&base, "another --format");
    refused(&[&base[..], &swiss, &["-n", "2"]].concat(), "another --matches");
    refused(&[&base[..], &["--format", "swiss", "--rounds", "1"]].concat(), "more than the 1 that were");
    refused(&["tournament", "kuhn", "--players", "random,belief", "--rounds", "2"], "add --format swiss");
    refused(&["tournament", "kuhn", "--players", "random,belief", "--format", "swiss"], "--rounds");
    refused(
        &[&["tournament", "monty-hall", "--players", "random,belief"][..], &swiss].concat(),
        "no opponents to pair",
    );
}

#[test]
fn glicko_2_ratings_are_shown_if_asked_for() {
    let program = program("tournament-glicko");
    let results = program.path("results.jsonl");
    let base = ["tournament", "kuhn", "--players", PLAYERS, "-n", "4", "--results", &results];
    let ratings = |system: &[&str]| {
        let said = program.output(&[&base[..], &["--json"], system].concat());
        let data: Value = serde_json::from_str(&said).expect("JSON");
        data["players"]
            .as_array()
            .expect("players")
            .iter()
            .map(|one| one["rating"].clone())
            .collect::<Vec<_>>()
    };
    for rating in ratings(&["--rating", "glicko2"]) {
        let deviation = rating["deviation"].as_f64().expect("a deviation");
        assert!(deviation < 350.0 && rating["volatility"].is_f64() && rating["rating"].is_f64(), "{rating}");
    }
    // A system is a view of the same results.
    assert!(ratings(&[]).iter().all(|rating| rating["mean"].is_f64() && rating["uncertainty"].is_f64()));
    let said = program.output(&[&base[..], &["--rating", "glicko2"]].concat());
    assert!(said.contains("+-"), "{said}");
}
