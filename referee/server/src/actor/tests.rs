//! Every order in which replies, deadlines and the store can come.

use std::sync::Arc;

use croupier_engine::Strictness;
use croupier_engine::game::PerceptReading;
use croupier_referee::{
    Clocks, Header, MatchSetup, Nonces, Reply, Secrets, Seed, Substitution, read_records, replay,
};

use super::*;

/// Two players name a number each; both are told both.
const RULES: &str = "(role a) (role b) (role random) (init (turn 1)) (number 1) (number 2)
    (<= (legal ?p (say ?n)) (role ?p) (distinct ?p random) (number ?n))
    (<= (legal random (roll ?n)) (number ?n))
    (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
    (<= (sees ?p (said ?q ?n)) (role ?p) (does ?q (say ?n)))
    (<= terminal (true (turn 3))) (<= (goal ?p 50) (role ?p) (distinct ?p random))";

fn header() -> Arc<Header> {
    let player = |role: &str| (role.to_owned(), "test".to_owned());
    Arc::new(
        Header::compile(MatchSetup {
            match_id: "m".to_owned(),
            series: None,
            session: None,
            rules: RULES.to_owned(),
            game_name: None,
            players: vec![player("a"), player("b")],
            clocks: Clocks::of(1_000, 1_000),
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: 10,
            nonces: Nonces::Clear,
        })
        .expect("sound rules"),
    )
}

fn secrets() -> Secrets {
    Secrets::from_seed(Seed::from_text("7").expect("a seed"))
}

/// What the world does next: the store is done, or one of those who were asked replies.
#[derive(Clone, Copy, Debug)]
enum Choice {
    Stored,
    Replied(usize),
}

/// A match and its world: what is stored, what was sent, what was asked and not replied to.
struct World {
    actor: MatchActor,
    scratch: Scratch,
    waiting: Option<Vec<String>>,
    stored: Vec<String>,
    sent: Vec<(RoleId, String)>,
    asked: Vec<(RoleId, Request)>,
    is_over: bool,
}

impl World {
    fn new() -> Self {
        let header = header();
        let scratch = header.game().scratch();
        let actor = MatchActor::new(MatchState::new(header, secrets()));
        let (stored, sent, asked) = (Vec::new(), Vec::new(), Vec::new());
        let mut world = Self { actor, scratch, waiting: None, stored, sent, asked, is_over: false };
        let instructions = world.actor.step(0, Event::Begin, &mut world.scratch);
        world.perform(instructions);
        world
    }

    fn perform(&mut self, instructions: Vec<Instruction>) {
        for instruction in instructions {
            match instruction {
                Instruction::Store { first, lines } => {
                    assert!(self.waiting.is_none(), "one request at a time");
                    assert_eq!(first as usize, self.stored.len(), "lines are stored in order");
                    self.waiting = Some(lines);
                }
                Instruction::Send { role, message } => {
                    let to = Request::of(&message);
                    self.asked.extend(to.map(|to| (role, to)));
                    // Whatever was told can be told again from what is stored alone.
                    let text: String = self.stored.iter().map(|line| format!("{line}\n")).collect();
                    let record = read_records(text.as_bytes()).expect("whole lines").remove(0);
                    let told = replay(&record).expect("a record that was cut off replays");
                    let messages = told.messages(role);
                    assert!(messages.contains(&message), "{message} before its lines were stored");
                    self.sent.push((role, message.to_string()));
                }
                Instruction::Wake { .. } => {}
                Instruction::Finish { .. } => {
                    assert!(self.waiting.is_none(), "all is stored");
                    self.is_over = true;
                }
            }
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let stored = self.waiting.as_ref().map(|_| Choice::Stored);
        stored.into_iter().chain((0..self.asked.len()).map(Choice::Replied)).collect()
    }

    fn choose(&mut self, choice: Choice) {
        let instructions = match choice {
            Choice::Stored => {
                self.stored.extend(self.waiting.take().expect("lines are being stored"));
                self.actor.stored(1)
            }
            Choice::Replied(index) => {
                let (role, to) = self.asked.remove(index);
                let text = if to == Request::Start { "READY" } else { "(say 1)" };
                let event = Event::Reply { role, to, reply: Reply::Text(text.to_owned()) };
                self.actor.step(1, event, &mut self.scratch)
            }
        };
        self.perform(instructions);
    }
}

/// Takes each choice once at each place, depth first: the choices of a run, and how many there were.
fn every_run(mut check: impl FnMut(&World)) -> usize {
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut runs = 0;
    loop {
        let mut world = World::new();
        for step in 0.. {
            let choices = world.choices();
            if choices.is_empty() {
                break;
            }
            if step == path.len() {
                path.push((0, choices.len()));
            }
            assert_eq!(path[step].1, choices.len(), "the same choices give the same world");
            world.choose(choices[path[step].0]);
        }
        runs += 1;
        check(&world);
        while path.last().is_some_and(|(taken, of)| taken + 1 == *of) {
            path.pop();
        }
        match path.last_mut() {
            Some((taken, _)) => *taken += 1,
            None => return runs,
        }
    }
}

#[test]
fn nothing_is_sent_before_it_is_stored_in_whatever_order_replies_and_the_store_come() {
    let mut ends = std::collections::BTreeSet::new();
    let runs = every_run(|world| {
        assert!(world.is_over, "every match comes to its end");
        let text: String = world.stored.iter().map(|line| format!("{line}\n")).collect();
        let records = read_records(text.as_bytes()).expect("a whole record");
        assert!(replay(&records[0]).expect("it replays").outcome().is_some());
        // Who is told what does not depend on the order; each role is told in the order of the turns.
        let mut told = world.sent.clone();
        told.sort_by_key(|(role, _)| *role);
        ends.insert(told);
    });
    assert!(runs > 50, "{runs} orders");
    assert_eq!(ends.len(), 1, "every order tells every role the same");
}

/// A match that is killed after so many stored lines and goes on to its end: what was sent before and after.
fn killed(lines_max: usize, is_idempotent: bool) -> (World, Vec<(RoleId, String)>) {
    let mut world = World::new();
    while world.stored.len() < lines_max
        && let Some(choice) = world.choices().first().copied()
    {
        world.choose(choice);
    }
    let sent = world.sent.clone();
    let text: String = world.stored.iter().map(|line| format!("{line}\n")).collect();
    let record = read_records(text.as_bytes()).expect("whole lines").remove(0);
    let header = header();
    let mut scratch = header.game().scratch();
    let (state, effects) = croupier_referee::resume(&record, &header, secrets()).expect("its own record");
    let resumption =
        Resumption { lines: world.stored.len() as u64, epoch: 2, is_idempotent: &|_| is_idempotent };
    let (actor, instructions) = MatchActor::go_on_with(state, effects, &resumption, &mut scratch);
    let stored = world.stored;
    let (asked, resent) = (Vec::new(), Vec::new());
    let mut world = World { actor, scratch, waiting: None, stored, sent: resent, asked, is_over: false };
    world.perform(instructions);
    while let Some(choice) = world.choices().first().copied() {
        world.choose(choice);
    }
    assert!(world.is_over, "killed after {lines_max} lines");
    (world, sent)
}

fn turns(lines: &[String]) -> Vec<String> {
    let is_turn = |line: &&String| line.contains("\"event\":\"turn\"");
    // The chain goes over the line of the interruption, too.
    let without_chain = |line: &String| line.split("\"prev\"").next().map(str::to_owned);
    lines.iter().filter(is_turn).filter_map(without_chain).collect()
}

#[test]
fn a_match_that_is_killed_after_any_line_tells_no_seat_two_different_things() {
    let (whole, _) = killed(usize::MAX, true);
    let lines = whole.stored.len();
    for lines_max in 1..lines {
        let (world, before) = killed(lines_max, true);
        assert_eq!(turns(&world.stored), turns(&whole.stored), "killed after {lines_max} lines");
        for (role, text) in &world.sent {
            let same_turn = |(other, said): &&(RoleId, String)| {
                other == role && said.split(' ').take(3).eq(text.split(' ').take(3))
            };
            assert!(before.iter().filter(same_turn).all(|(_, said)| said == text), "{text}");
        }
    }
}

#[test]
fn who_would_take_a_message_for_another_turn_is_not_asked_twice() {
    let (whole, _) = killed(usize::MAX, false);
    for lines_max in 1..whole.stored.len() {
        let (world, before) = killed(lines_max, false);
        let twice = world.sent.iter().filter(|sent| sent.1.starts_with("(PLAY") && before.contains(sent));
        assert_eq!(twice.count(), 0, "killed after {lines_max} lines");
    }
}

#[test]
fn the_clock_of_a_request_begins_when_it_is_sent_however_long_the_store_takes() {
    let mut world = World::new();
    let timer = |instructions: &[Instruction]| {
        instructions.iter().find_map(|instruction| match instruction {
            Instruction::Wake { of, at_ms } => Some((*of, *at_ms)),
            _ => None,
        })
    };
    // The store takes five seconds, and the clock is one: nobody is late with what was not sent.
    let instructions = world.actor.stored(5_000);
    assert_eq!(timer(&instructions), Some((Request::Start, 7_000)));
    world.waiting = None;
    let role = world.actor.state().awaited()[0];
    let ready = Event::Reply { role, to: Request::Start, reply: Reply::Text("READY".to_owned()) };
    let instructions = world.actor.step(5_900, ready, &mut world.scratch);
    let [Instruction::Store { lines, .. }] = &instructions[..] else { panic!("{instructions:?}") };
    assert!(lines[0].contains("\"elapsed_ms\":900") && lines[0].contains("\"ready\""), "{lines:?}");
    // Once somebody has replied the clock runs, whatever the store does.
    assert_eq!(timer(&world.actor.stored(6_000)), None);
    assert_eq!(world.actor.state().request(), Some((Request::Start, 5_000)));
}
