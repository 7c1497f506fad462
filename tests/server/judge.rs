//! What is wrong with what left the server, claim by claim.

use std::collections::BTreeSet;

use croupier_engine::{Game, Options};
use croupier_referee::{Chance, Seed};

use crate::{
    canaries,
    evidence::{Evidence, Finding, finding},
    ideal::{View, lines, spectated, views},
    vault::ROLES,
    wire::Answer,
};

/// A message of less than this is read whole by one read, if it was written by one write.
const ONE_WRITE_BYTES: usize = 16 << 10;

/// Headers of responses; no other is ever there.
const HEADERS: [&str; 12] = [
    "content-length",
    "connection",
    "content-type",
    "cache-control",
    "transfer-encoding",
    "x-accel-buffering",
    "www-authenticate",
    "referrer-policy",
    "x-content-type-options",
    "content-security-policy",
    "allow",
    "retry-after",
];

/// What the metrics tell of the process: nothing of any match.
const OF_PROCESS: [&str; 7] = [
    "process_cpu_seconds_total",
    "process_max_fds",
    "process_open_fds",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
    "process_threads",
    "process_virtual_memory_bytes",
];

/// What the server counts, about all matches together.
const METRICS: [&str; 12] = [
    "matches",
    "matches_ended",
    "matches_resumed",
    "turns",
    "replies",
    "substitutions",
    "play_overhead_seconds",
    "store_append_seconds",
    "store_commit_seconds",
    "store_batch_writes",
    "push_connections",
    "spectators",
];

/// By what it counts them, beside routes: words of the program.
const LABELS: [&str; 3] = ["status", "reason", "le"];

/// Everything that is wrong with a match of players that are called.
pub(crate) fn of_pushed(evidence: &Evidence) -> Vec<Finding> {
    let views = views(&evidence.record, &evidence.source, evidence.clocks_ms);
    let mut findings = Vec::new();
    for (role, view) in &views {
        findings.extend(requests(evidence, role, view));
    }
    findings.extend(order_of_roles(evidence));
    findings.extend(spectators(
        evidence,
        "{\"event\":\"progress\",\"status\":\"running\",\"turns\":0}",
        false,
    ));
    findings.extend(pages(evidence));
    findings.extend(draws(evidence));
    findings.extend(canaries::of(evidence, &views).0);
    findings
}

/// Everything that is wrong with a match of players that connect.
pub(crate) fn of_pulled(evidence: &Evidence, is_open: bool) -> Vec<Finding> {
    let views = views(&evidence.record, &evidence.source, evidence.clocks_ms);
    let mut findings = Vec::new();
    for (role, view) in &views {
        findings.extend(polls(role, &evidence.polls[role], view, &evidence.signature));
    }
    findings.extend(spectators(
        evidence,
        "{\"event\":\"progress\",\"status\":\"waiting\",\"turns\":0}",
        is_open,
    ));
    findings.extend(pages(evidence));
    if !is_open {
        findings.extend(canaries::of(evidence, &views).0);
    }
    findings
}

/// Everything that tells two matches apart, of which one role, and everybody who has none, must know nothing.
pub(crate) fn of_pair(one: &Evidence, other: &Evidence, role: &str) -> Vec<Finding> {
    const CLAIM: &str = "the same view gives the same bytes";
    let mut findings = Vec::new();
    let told = |evidence: &Evidence| -> Vec<String> {
        let own = evidence.captures.iter().filter(|capture| capture.role == role);
        own.map(|capture| evidence.masked(&capture.bytes)).collect()
    };
    if told(one) != told(other) {
        findings.push(finding(
            CLAIM,
            format!("{role} was told {:?} and {:?}", told(one).last(), told(other).last()),
        ));
    }
    let seen = |evidence: &Evidence| -> Vec<(String, String, String)> {
        // Metrics are about the whole process, whose other matches go on; what they may count is judged by itself.
        let pages = evidence.pages.iter().filter(|page| page.path != "/v1/metrics").map(|page| {
            let head = page.answer.dateless().unwrap_or_default().join("\n");
            let all = format!("{head}\n{}", page.answer.text());
            (page.actor.clone(), evidence.masked(page.path.as_bytes()), evidence.masked(all.as_bytes()))
        });
        pages.collect()
    };
    for (one, other) in seen(one).iter().zip(&seen(other)).filter(|(one, other)| one != other) {
        findings.push(finding(CLAIM, format!("{one:?} is not {other:?}")));
    }
    let watched = |evidence: &Evidence| {
        evidence.spectator.as_ref().map(|answer| {
            // Goals are told at the end, when nothing is hidden any more.
            let text = answer.text();
            evidence.masked(text.split("{\"event\":\"end\"").next().unwrap_or_default().as_bytes())
        })
    };
    if watched(one) != watched(other) {
        findings.push(finding(CLAIM, format!("spectators saw {:?} and {:?}", watched(one), watched(other))));
    }
    findings
}

/// All connections to a role: what was sent on them, how often, and by how many writes.
fn requests(evidence: &Evidence, role: &str, view: &View) -> Vec<Finding> {
    const CLAIM: &str = "what a role is told is a function of its view";
    let roles = ROLES.map(str::to_owned);
    let expected = view.requests(evidence.dialect, &roles);
    let mut findings = Vec::new();
    let captures: Vec<_> = evidence.captures.iter().filter(|capture| capture.role == role).collect();
    let sent: Vec<String> =
        captures.iter().map(|it| String::from_utf8_lossy(&it.bytes).into_owned()).collect();
    for (sent, expected) in sent.iter().zip(&expected).filter(|(sent, expected)| sent != expected) {
        findings.push(finding(CLAIM, format!("{role}: {sent:?} instead of {expected:?}")));
    }
    if sent.len() != expected.len() {
        findings
            .push(finding(CLAIM, format!("{role}: {} messages instead of {}", sent.len(), expected.len())));
    }
    for capture in captures.iter().filter(|it| it.bytes.len() < ONE_WRITE_BYTES && it.first < it.bytes.len())
    {
        let what = format!("{role}: {} of {} bytes came first", capture.first, capture.bytes.len());
        findings.push(finding("a message is one write", what));
    }
    findings
}

/// The responses to a seat that polls, heads included.
fn polls(role: &str, answers: &[Answer], view: &View, signature: &str) -> Vec<Finding> {
    const CLAIM: &str = "what a role is told is a function of its view";
    // Every seat that commits is told the same about all commitments; only the server can sign that.
    let reveal = answers.get(1).map(|answer| answer.json()["frames"][0]["signature"].clone());
    let reveal = reveal.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
    let expected = view.polled([signature, reveal]);
    let mut findings = Vec::new();
    for (answer, expected) in answers.iter().zip(&expected) {
        let head = format!(
            "HTTP/1.1 200 OK|content-length: {}|connection: close|content-type: application/json|cache-control: no-store|x-content-type-options: nosniff|referrer-policy: no-referrer|",
            expected.len()
        );
        let expected_head: BTreeSet<&str> = head.split('|').collect();
        match answer.dateless() {
            Ok(lines) if BTreeSet::from_iter(lines.iter().copied()) == expected_head => {}
            other => findings.push(finding(CLAIM, format!("{role}: the head {other:?} instead of {head}"))),
        }
        if answer.text() != *expected {
            findings.push(finding(CLAIM, format!("{role}: {} instead of {expected}", answer.text())));
        }
    }
    if answers.len() != expected.len() {
        findings.push(finding(CLAIM, format!("{role}: {} of {} frames", answers.len(), expected.len())));
    }
    findings
}

/// In every round of messages, roles are called in the order of the rules.
fn order_of_roles(evidence: &Evidence) -> Vec<Finding> {
    let order: Vec<&str> = evidence.captures.iter().map(|capture| capture.role.as_str()).collect();
    let rounds = order.chunks(ROLES.len()).all(|round| round == ROLES);
    let wrong =
        (!rounds).then(|| finding("roles are called in the order of the rules", format!("{order:?}")));
    wrong.into_iter().collect()
}

/// What spectators are told, byte by byte.
fn spectators(evidence: &Evidence, first: &str, is_open: bool) -> Vec<Finding> {
    const CLAIM: &str = "what spectators are told is a function of what everybody knows";
    let Some(answer) = &evidence.spectator else { return Vec::new() };
    let events = spectated(&evidence.record, first, is_open);
    let is_lines = answer.head.contains("application/x-ndjson");
    let frame = |event: &String| if is_lines { format!("{event}\n") } else { format!("data: {event}\n\n") };
    let expected: String = events.iter().map(frame).collect();
    let is_equal = answer.text() == expected;
    let wrong = (!is_equal).then(|| finding(CLAIM, format!("{:?} instead of {expected:?}", answer.text())));
    wrong.into_iter().chain(head(answer)).collect()
}

/// No header but those that are known, and a date that says nothing.
fn head(answer: &Answer) -> Option<Finding> {
    const CLAIM: &str = "responses have no headers but those that say nothing";
    let lines = match answer.dateless() {
        Ok(lines) => lines,
        Err(error) => return Some(finding(CLAIM, error)),
    };
    let name = |line: &&str| line.split(':').next().unwrap_or_default().to_owned();
    let others = lines.iter().filter(|line| {
        !line.is_empty() && !line.starts_with("HTTP/1.1 ") && !HEADERS.contains(&name(line).as_str())
    });
    let others: Vec<&&str> = others.collect();
    (!others.is_empty()).then(|| finding(CLAIM, format!("{others:?}")))
}

/// What was asked in the middle of a match.
fn pages(evidence: &Evidence) -> Vec<Finding> {
    const CLAIM: &str = "the state of a match is in no page";
    let mut findings: Vec<Finding> = evidence.pages.iter().filter_map(|page| head(&page.answer)).collect();
    for page in &evidence.pages {
        let is_hidden = ["/record", "/seats/", "/none"].iter().any(|part| page.path.contains(part));
        let is_right =
            if is_hidden { (400..500).contains(&page.answer.status) } else { page.answer.status == 200 };
        if !is_right {
            let what = format!("{} of {} for {}", page.answer.status, page.path, page.actor);
            findings.push(finding(CLAIM, what));
        }
        let counters = page.answer.text();
        if page.path == "/v1/metrics"
            && let Some(other) = counters.lines().find(|line| !line.starts_with('#') && !is_metric(line))
        {
            findings.push(finding("metrics count what everybody knows", other));
        }
    }
    findings
}

/// Whether a line counts something that is known to say nothing about one match.
fn is_metric(line: &str) -> bool {
    let named = line.split([' ', '{']).next().unwrap_or_default();
    if named.starts_with("process_") {
        // Of time only whole seconds: less would tell how long a secret state takes.
        let is_whole = line
            .split(' ')
            .nth(1)
            .and_then(|value| value.parse::<f64>().ok())
            .is_some_and(|value| value.fract() == 0.0);
        return OF_PROCESS.contains(&named) && (is_whole || named == "process_start_time_seconds");
    }
    let name = named.strip_prefix("croupier_").unwrap_or_default();
    let name =
        ["_total", "_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
    if name == "requests" {
        return true;
    }
    let labels =
        line.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map_or("", |(labels, _)| labels);
    let mut labels = labels.split(',').filter(|label| !label.is_empty());
    METRICS.contains(&name)
        && labels.all(|label| LABELS.contains(&label.split('=').next().unwrap_or_default()))
}

/// Draws are what the seed says, whoever was late or wrong.
fn draws(evidence: &Evidence) -> Vec<Finding> {
    let game = Game::compile(&evidence.source, &Options::PLAY).unwrap().game;
    let chance = Chance::new(&Seed::from_text(&evidence.seed).unwrap());
    let mut findings = Vec::new();
    for line in lines(&evidence.record) {
        let (turn, n) = (line["turn"].as_u64().unwrap_or(0) as u32, line["n"].as_u64().unwrap_or(1));
        let expected = match line["event"].as_str().unwrap() {
            "draw" => chance.draw(turn, n),
            "substitute" => {
                let role = game.roles().find(line["role"].as_str().unwrap()).unwrap();
                chance.substitute(turn, role, n)
            }
            _ => continue,
        };
        if line["index"] != expected {
            findings.push(finding("every draw is a function of seed, turn and role", line.to_string()));
        }
    }
    findings
}

/// What spectators of an open match were told while one of two players had moved in turn 1.
pub(crate) fn feed_between(told: &str) -> Vec<Finding> {
    let is_right = told.matches("\"event\":\"turn\"").count() == 1 && !told.contains("\"turn\":1");
    let wrong = (!is_right).then(|| finding("spectators see a turn when it is over", told));
    wrong.into_iter().collect()
}
