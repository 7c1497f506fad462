//! Every answer about a real-time game is true: of small random programs and of small games, beside an enumeration of all states at every
//! microsecond that shares nothing with the answers but the rules.

mod clockwork;

use std::{
    cell::Cell,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use clockwork::{Clockwork, TickState};
use croupier_engine::{
    Limits, Options,
    realtime::{RealTimeError, RealTimeGame, TimedState},
};
use croupier_games::find;
use croupier_proofs::{
    RuleVerdict, RunEnd, TimedAnswer, TimedExamination, TimedGrounds, TimedLimits, TimedQuestion, TimedRun,
    examine_real_time,
};
use croupier_tests::{
    generator::realtime::{clockwork as kept, program},
    renamed::renamed,
};

fn compile(rules: &str) -> Option<Arc<RealTimeGame>> {
    let limits = Limits { ground_fuel: 300_000, ground_rows: 30_000, ..Limits::STANDARD };
    let compiled = RealTimeGame::compile(rules, &Options { limits, ..Options::PLAY }).ok()?;
    Some(Arc::new(compiled.game))
}

/// Asked so often whether time has passed, it has.
fn patience(times: u32) -> impl Fn(f64) -> bool {
    let asked = Cell::new(0);
    move |share| {
        asked.set(asked.get() + 1);
        f64::from(asked.get()) > share * f64::from(times)
    }
}

/// The rules with every half second as a microsecond, so that all instants can be looked at: every number that is a multiple of it, or
/// only those with a point.
fn in_microseconds(rules: &str, has_point: bool) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._-?".contains(c);
    let is_time =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && (word.contains('.') || !has_point);
    let (mut text, mut word) = (String::new(), String::new());
    for c in rules.chars().chain([' ']) {
        if is_part(c) {
            word.push(c);
            continue;
        }
        let halves = word.parse::<f64>().ok().filter(|_| is_time(&word)).map(|seconds| seconds * 2.0);
        match halves.filter(|halves| halves.fract() == 0.0 && (1.0..13.0).contains(halves)) {
            Some(halves) => text.push_str(&format!("0.{halves:06}")),
            None => text.push_str(&word),
        }
        text.push(c);
        word.clear();
    }
    text
}

/// What an answer should be; `None` for what is not judged.
fn truth(judge: &Clockwork, game: &RealTimeGame, answer: &TimedAnswer) -> Option<bool> {
    let role = answer.role.map(|role| game.roles().name(role));
    let is_fine = |state: &TickState| {
        state.goals.values().all(|goals| {
            let mut goals = goals.iter();
            let is_valid = |goal: &String| goal.parse::<i32>().is_ok_and(|goal| (0..=100).contains(&goal));
            goals.next().is_some_and(is_valid) && goals.next().is_none()
        })
    };
    let mut ends = judge.states.iter().filter(|state| state.is_terminal);
    match answer.question {
        TimedQuestion::Terminates => Some(judge.longest().is_some()),
        TimedQuestion::NonZeno => Some(match answer.about.as_deref() {
            Some("one instant") => !judge.has_ring(&|edge| edge.elapsed == 0),
            _ => !judge.has_ring_of_holding(),
        }),
        TimedQuestion::ExpiresApart => {
            let group = answer.about.as_deref()?;
            Some(!judge.moved_expiries().iter().any(|fluent| group_of(fluent) == group))
        }
        TimedQuestion::Playable => Some(judge.states.iter().all(|state| !state.is_stalled)),
        TimedQuestion::WeaklyWinnable => {
            let (role, goal) = (role?, answer.about.as_deref()?);
            let has = |state: &TickState| {
                state.goals[role].iter().any(|value| value.parse::<i32>() == goal.parse())
            };
            if judge.states.iter().any(|state| state.is_terminal && state.goals[role].len() > 1) {
                return None;
            }
            Some(ends.any(has))
        }
        TimedQuestion::Goals => Some(ends.all(is_fine)),
        TimedQuestion::ConstantSum => {
            let sum = |state: &TickState| {
                let goals = state.goals.values().map(|goals| match goals.iter().next() {
                    Some(goal) if goals.len() == 1 => goal.parse::<i64>().ok(),
                    _ => None,
                });
                goals.sum::<Option<i64>>()
            };
            let sums: BTreeSet<i64> = ends.filter_map(sum).collect();
            Some(sums.len() <= 1)
        }
        TimedQuestion::WellFormed | TimedQuestion::Used => None,
    }
}

fn group_of(fluent: &str) -> String {
    let mut depth = 0;
    let spaces = fluent.chars().filter(|&c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ' ' && depth == 1
    });
    match spaces.count() {
        0 => fluent.to_owned(),
        arguments => {
            let name = fluent[1..].split(' ').next().unwrap_or_default();
            format!("({name}{})", " ?".repeat(arguments))
        }
    }
}

/// What is wrong with an answer, if something is.
fn trouble(judge: &Clockwork, game: &RealTimeGame, answer: &TimedAnswer) -> Option<String> {
    let is_proved = answer.verdict == RuleVerdict::Proved;
    if truth(judge, game, answer).is_some_and(|truth| truth != is_proved) {
        return Some("it is not so".to_owned());
    }
    if let (Some(bound), Some(longest)) = (answer.bound_us, judge.longest())
        && bound < longest
    {
        return Some(format!("a match lasts {longest} microseconds"));
    }
    answer.runs.iter().find_map(|run| played(game, run).err())
}

/// Plays a run with the game itself.
fn played(game: &RealTimeGame, run: &TimedRun) -> Result<(), String> {
    let mut scratch = game.lifted_scratch();
    let mut states: Vec<TimedState> = vec![game.initial_state().clone()];
    let mut now = 0;
    let said = |error: RealTimeError| error.to_string();
    for event in &run.events {
        let state = states.last().expect("the first").clone();
        let legal = game.legal_moves(&state, &mut scratch).map_err(said)?;
        if event.moves.iter().any(|(role, played)| !legal[*role].contains(played)) {
            return Err("a move is not legal".to_owned());
        }
        let update = match game.update(&state, event.at_us - now, &event.moves, &mut scratch) {
            Err(RealTimeError::Lifetime { .. }) if run.end == RunEnd::Fails => return Ok(()),
            update => update.map_err(said)?,
        };
        now = event.at_us;
        states.push(update.successor);
    }
    match run.end {
        RunEnd::Returns(first) if !states[first].facts().eq(states.last().expect("the first").facts()) => {
            Err("the state does not come again".to_owned())
        }
        RunEnd::Fails => Err("it does not fail".to_owned()),
        _ => Ok(()),
    }
}

/// So few states that often only classes with unknown lifetimes are all there, or nothing is.
const FEW: TimedLimits = TimedLimits { states: 9, updates: 2_000 };
const MANY: TimedLimits = TimedLimits { states: 3_000, updates: 30_000 };

fn examined(game: &Arc<RealTimeGame>, limits: &TimedLimits) -> TimedExamination {
    examine_real_time(game, limits, &patience(60_000)).expect("a first state")
}

/// How many answers there were, by question, verdict and grounds.
#[derive(Debug, Default)]
struct Tally(BTreeMap<(&'static str, &'static str, &'static str), usize>);

impl Tally {
    fn add(&mut self, answer: &TimedAnswer) {
        let grounds = match answer.grounds {
            TimedGrounds::Classes(_) => "classes",
            TimedGrounds::Regions(_) => "regions",
            TimedGrounds::States(_) => "states",
            TimedGrounds::Runs => "runs",
            TimedGrounds::Rules | TimedGrounds::Answers => "others",
            TimedGrounds::Search(_) => "a search",
        };
        *self.0.entry((answer.question.name(), answer.verdict.name(), grounds)).or_default() += 1;
    }

    fn of(&self, is_wanted: impl Fn(&(&'static str, &'static str, &'static str)) -> bool) -> usize {
        self.0.iter().filter(|(key, _)| is_wanted(key)).map(|(_, count)| count).sum()
    }
}

/// Judges every answer about some rules; false if these are left out.
fn judge(rules: &str, name: &str, tally: &mut Tally) -> bool {
    let Some((game, judge)) = compile(rules).zip(Clockwork::of(rules)) else { return false };
    for limits in [MANY, FEW] {
        for answer in &examined(&game, &limits).answers {
            tally.add(answer);
            let trouble =
                if answer.verdict == RuleVerdict::Open { None } else { trouble(&judge, &game, answer) };
            assert_eq!(trouble, None, "{name}: {answer:?}\n{rules}");
        }
    }
    true
}

#[test]
fn no_answer_about_a_random_program_is_wrong() {
    let programs: u64 =
        std::env::var("CROUPIER_PROGRAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(40);
    let (mut judged, mut tally) = (0, Tally::default());
    for seed in 0..programs {
        for text in [program(seed), kept(seed)] {
            judged +=
                u64::from(judge(&in_microseconds(&text, false), &format!("program {seed}"), &mut tally));
        }
    }
    println!("{judged} programs: {tally:#?}");
    assert!(judged > programs, "{judged} of {programs} programs of each kind are small enough");
    let open = tally.of(|(_, verdict, _)| *verdict == "open");
    assert!(open * 6 < tally.of(|_| true), "{open} of all answers are open: {tally:?}");
    for question in ["terminates", "non-zeno", "expires-apart", "weakly-winnable"] {
        for verdict in ["proved", "refuted"] {
            let count = tally.of(|(name, other, _)| *name == question && *other == verdict);
            assert!(count * 20 > judged as usize, "{question} is {verdict} {count} times: {tally:?}");
        }
    }
    // Few programs have more states than are looked at, and no more once long lifetimes are unknown.
    assert!(programs < 200 || tally.of(|(_, _, grounds)| *grounds == "regions") > 0, "{tally:?}");
}

#[test]
fn no_answer_about_a_small_game_or_its_renamed_copy_is_wrong() {
    let mut tally = Tally::default();
    for name in ["chicken", "reaction", "bomb-party"] {
        let rules = in_microseconds(find(name).expect("a game of the catalogue").rules, true);
        for rules in [renamed(&rules, 7), rules] {
            assert!(judge(&rules, name, &mut tally), "{name} is small enough");
        }
    }
    let [proved, refuted] =
        ["proved", "refuted"].map(|wanted| tally.of(|(_, verdict, _)| *verdict == wanted));
    assert!(proved >= 50 && refuted >= 18, "{proved} and {refuted}: {tally:?}");
}

/// The verdicts on a question about a game of the catalogue, in the order of the answers, as letters; and the seconds within which it ends.
fn verdicts(rules: &str, limits: &TimedLimits) -> (String, Option<u64>) {
    let game = compile(rules).expect("sound rules");
    let found = examined(&game, limits);
    let asked = [
        TimedQuestion::Terminates,
        TimedQuestion::NonZeno,
        TimedQuestion::ExpiresApart,
        TimedQuestion::Playable,
    ];
    let of = |question| found.answers.iter().filter(move |answer| answer.question == question);
    let letters = |question| {
        let mut letters: Vec<&str> = of(question).map(|answer| &answer.verdict.name()[..1]).collect();
        letters.sort_unstable();
        letters.concat()
    };
    for answer in &found.answers {
        for run in &answer.runs {
            assert_eq!(played(&game, run), Ok(()), "{answer:?}");
        }
    }
    let bound = of(TimedQuestion::Terminates).find_map(|answer| answer.bound_us);
    (asked.map(letters).join(" "), bound.map(|us| us / 100_000))
}

#[test]
fn what_is_known_of_the_catalogues_games_is_proved_of_them_and_of_their_renamed_copies() {
    // Whether it ends, has no Zeno runs, what cannot expire with a move, whether it stops; and tenths of seconds.
    let known = [
        ("chicken", "p pp r p", Some(10)),
        // At most 4.5 s of darkness and 2 of light.
        ("reaction", "p pp rr p", Some(65)),
        // The longest fuse; a bomb sticks until it can be handed on.
        ("bomb-party", "p pp pr p", Some(60)),
        ("pong", "p pp rrr p", Some(1_200)),
        // Eleven prices of a second.
        ("dutch-auction", "p pp r p", Some(110)),
        ("war-of-attrition", "p pp r p", Some(110)),
    ];
    let limits = TimedLimits { states: 9_000, updates: 60_000 };
    for (name, expected, bound) in known {
        let rules = find(name).expect("a game of the catalogue").rules;
        for rules in [rules.to_owned(), renamed(rules, 7)] {
            assert_eq!(verdicts(&rules, &limits), (expected.to_owned(), bound), "{name}");
        }
    }
}

#[test]
fn what_is_found_of_the_large_games_of_the_catalogue_can_be_played() {
    let limits = TimedLimits { states: 300, updates: 10_000 };
    for name in ["real-time-tic-tac-toe", "speed", "blitz-tic-tac-toe", "blitz-chess"] {
        let (found, _) = verdicts(find(name).expect("a game of the catalogue").rules, &limits);
        assert!(found.contains('r') && !found.ends_with('r'), "{name}: {found}");
    }
}
