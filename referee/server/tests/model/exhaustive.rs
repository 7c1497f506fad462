//! Every order of replies, deadlines and the store, with a crash after every effect of every one of them.
//!
//! An execution is a path of choices from the beginning. Where a path comes to a place that another one has been to, it
//! ends: histories that differ only in the order of lines of the same turn are one place. Small matches are enumerated a
//! second time without that, path by path.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use croupier_engine::{RoleId, Scratch};
use croupier_referee::{Event, Header, MatchState, Message, Outcome, Reply, Request, read_records, resume};
use croupier_server::{Instruction, MatchActor, Resumption};
use croupier_tests::size;

use crate::{
    audit::{Audit, Finished},
    table::{about, header, reply, secrets},
};

const SEED: u64 = 7;

/// A match whose executions are enumerated.
#[derive(Clone, Copy, Debug)]
struct Case {
    players: usize,
    turns: u32,
    /// Whether players take a message that comes again for the same one.
    is_idempotent: bool,
    /// Servers that may die one after the other.
    crashes_max: u32,
    /// Whether the last server is told everything in one order only: first that lines are durable, then the replies.
    is_calm_at_last: bool,
    /// Whether a path ends where another one has been.
    merges: bool,
}

/// What can happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    /// The server does the next thing that it has to do.
    Perform,
    /// The lines on their way are durable, and the server is told.
    Stored,
    /// A player that was asked replies.
    Reply(usize),
    /// The clock of the request runs out.
    Deadline,
    /// The server dies, or stands still for so long that another one goes on; lines on their way are durable, or not.
    Crash { is_kept: bool },
}

/// A server with a match, as long as it lives.
struct Owner {
    actor: MatchActor,
    scratch: Scratch,
    instructions: VecDeque<Instruction>,
    storing: Option<Vec<String>>,
    wake: Option<(Request, u64)>,
    /// Whom this server has asked: nobody is late with what it was not asked.
    asked: BTreeSet<(RoleId, Request)>,
}

/// A match between its servers, its players and its store.
struct Match {
    case: Case,
    header: Arc<Header>,
    owner: Owner,
    /// Servers that were taken for dead, and were only slow.
    slow: Vec<Owner>,
    disk: Vec<String>,
    told: Vec<(RoleId, Message)>,
    asked: Vec<(RoleId, Request)>,
    /// Replies and deadlines that the server heard of.
    heard: BTreeSet<String>,
    now_ms: u64,
    crashes: u32,
    outcome: Option<Outcome>,
}

impl Owner {
    fn new(header: &Header, actor: MatchActor, instructions: Vec<Instruction>) -> Self {
        let scratch = header.game().scratch();
        Self {
            actor,
            scratch,
            instructions: instructions.into(),
            storing: None,
            wake: None,
            asked: BTreeSet::new(),
        }
    }
}

impl Match {
    fn begin(case: Case, header: &Arc<Header>) -> Self {
        let mut actor = MatchActor::new(MatchState::new(Arc::clone(header), secrets(SEED)));
        let instructions = actor.step(0, Event::Begin, &mut header.game().scratch());
        Self {
            case,
            owner: Owner::new(header, actor, instructions),
            header: Arc::clone(header),
            slow: Vec::new(),
            disk: Vec::new(),
            told: Vec::new(),
            asked: Vec::new(),
            heard: BTreeSet::new(),
            now_ms: 0,
            crashes: 0,
            outcome: None,
        }
    }

    /// Everything that can happen now; nothing, once the match is over.
    fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        if self.outcome.is_some() {
            return choices;
        }
        // What a server has to do at once, it does before it hears of anything else.
        if self.owner.instructions.is_empty() {
            choices.extend(self.owner.storing.as_ref().map(|_| Choice::Stored));
            choices.extend((0..self.asked.len()).map(Choice::Reply));
            choices.extend(self.owner.wake.map(|_| Choice::Deadline));
        } else {
            choices.push(Choice::Perform);
        }
        if self.crashes < self.case.crashes_max && !self.disk.is_empty() {
            choices.push(Choice::Crash { is_kept: false });
            choices.extend(self.owner.storing.as_ref().map(|_| Choice::Crash { is_kept: true }));
        } else if self.case.is_calm_at_last && self.crashes > 0 {
            choices.truncate(1);
        }
        choices
    }

    fn choose(&mut self, choice: Choice) {
        let Owner { actor, scratch, storing, wake, asked, .. } = &mut self.owner;
        let instructions = match choice {
            Choice::Perform => {
                let instruction = self.owner.instructions.pop_front().expect("something to do");
                return self.perform(instruction);
            }
            Choice::Stored => {
                self.disk.extend(storing.take().expect("lines on their way"));
                actor.stored(self.now_ms)
            }
            Choice::Reply(index) => {
                let (role, to) = self.asked.remove(index);
                self.heard.insert(format!("{role:?} {to:?}"));
                let reply = Reply::Text(reply(role, to));
                actor.step(self.now_ms, Event::Reply { role, to, reply }, scratch)
            }
            Choice::Deadline => {
                let (of, at_ms) = wake.take().expect("a timer");
                assert!(all_are_asked(actor, asked, of), "somebody is late that this server never asked");
                self.heard.insert(format!("{of:?}"));
                self.now_ms = self.now_ms.max(at_ms);
                self.asked.retain(|(_, to)| *to != of);
                actor.step(self.now_ms, Event::Deadline { of }, scratch)
            }
            Choice::Crash { is_kept } => return self.crash(is_kept),
        };
        self.owner.instructions.extend(instructions);
    }

    fn perform(&mut self, instruction: Instruction) {
        match instruction {
            Instruction::Store { first, lines } => {
                assert!(self.owner.storing.is_none(), "one request at a time");
                assert_eq!(first as usize, self.disk.len(), "lines are stored in order");
                self.owner.storing = Some(lines);
            }
            Instruction::Send { role, message } => {
                self.tell(role, message.clone());
                if let Some(to) = Request::of(&message) {
                    self.asked.retain(|asked| *asked != (role, to));
                    self.asked.push((role, to));
                    self.owner.asked.insert((role, to));
                }
            }
            Instruction::Wake { of, at_ms } => self.owner.wake = Some((of, at_ms)),
            Instruction::Finish { outcome } => {
                assert!(self.owner.storing.is_none(), "all is stored");
                self.outcome = Some(outcome);
            }
        }
    }

    /// A player is told something: only what no crash can take back, and what it does not take for another turn.
    fn tell(&mut self, role: RoleId, message: Message) {
        let has = |event: &str| self.disk.iter().filter(|line| line.contains(event)).count();
        let is_durable = match &message {
            Message::Start { .. } => has("\"event\":\"genesis\"") == 1,
            Message::Reveal { .. } => unreachable!("nobody commits to a nonce"),
            Message::Play { turn, .. } => has("\"event\":\"turn\"") == *turn as usize,
            Message::Stop { .. } | Message::Abort { .. } => has("\"event\":\"end\"") == 1,
        };
        assert!(is_durable, "{message} is told before what it depends on is durable");
        let is_play = matches!(message, Message::Play { .. });
        let again = (role, message);
        assert!(
            self.case.is_idempotent || !is_play || !self.told.contains(&again),
            "{} comes again to a player that takes it for another turn",
            again.1
        );
        self.told.push(again);
    }

    /// Another server goes on, from what is durable.
    fn crash(&mut self, is_kept: bool) {
        self.crashes += 1;
        if let Some(lines) = self.owner.storing.take_if(|_| is_kept) {
            self.disk.extend(lines);
        }
        let text: String = self.disk.iter().map(|line| format!("{line}\n")).collect();
        let record = read_records(text.as_bytes()).expect("whole lines").remove(0);
        let (state, effects) = resume(&record, &self.header, secrets(SEED)).expect("its own record");
        let epoch = u64::from(self.crashes) + 1;
        let is_idempotent = |_| self.case.is_idempotent;
        let lines = self.disk.len() as u64;
        let resumption = Resumption { lines, epoch, is_idempotent: &is_idempotent };
        let mut scratch = self.header.game().scratch();
        let (actor, instructions) = MatchActor::go_on_with(state, effects, &resumption, &mut scratch);
        self.now_ms = self.now_ms.max(actor.state().now_ms());
        let next = Owner::new(&self.header, actor, instructions);
        let mut dead = std::mem::replace(&mut self.owner, next);
        // What is durable was taken by the store before; whether the old server hears of it does not matter to the new one.
        dead.storing = None;
        if is_kept {
            let late = dead.actor.stored(self.now_ms);
            dead.instructions.extend(late);
        }
        self.slow.push(dead);
        // Nobody replies to a server that is gone.
        self.asked.clear();
        self.heard.clear();
    }

    /// Whether two matches have the same future, but for the order of lines of one turn.
    fn place(&self) -> String {
        let plain = |line: &String| {
            let is_long = line.contains("\"event\":\"genesis\"") || line.contains("\"event\":\"seal\"");
            let line = line.split(",\"prev\":").next().expect("a first part");
            line[..if is_long { 1 } else { line.len() }].to_owned()
        };
        let disk: BTreeSet<String> = self.disk.iter().map(plain).collect();
        let storing: Option<BTreeSet<String>> =
            self.owner.storing.as_ref().map(|lines| lines.iter().map(plain).collect());
        let told: BTreeMap<String, usize> =
            self.told.iter().fold(BTreeMap::new(), |mut told, (role, message)| {
                *told.entry(format!("{role:?}{}", about(message))).or_default() += 1;
                told
            });
        let asked: BTreeSet<&(RoleId, Request)> = self.asked.iter().collect();
        let Owner { instructions, wake, .. } = &self.owner;
        let instructions: Vec<String> =
            instructions.iter().map(|instruction| instruction_place(instruction, plain)).collect();
        let slow: Vec<Vec<String>> = self
            .slow
            .iter()
            .map(|slow| {
                slow.instructions.iter().map(|instruction| instruction_place(instruction, plain)).collect()
            })
            .collect();
        let (crashes, heard) = (self.crashes, &self.heard);
        format!(
            "{crashes} {disk:?} {storing:?} {told:?} {asked:?} {instructions:?} {wake:?} {heard:?} {slow:?}"
        )
    }

    /// Servers that only were slow go on where they stood: what they still send is no news, and what they store is refused.
    fn wake_the_slow(&mut self) {
        for slow in std::mem::take(&mut self.slow) {
            for instruction in slow.instructions {
                match instruction {
                    Instruction::Store { first, .. } => {
                        assert!(first < self.disk.len() as u64, "the store would take lines of an old epoch");
                        break;
                    }
                    Instruction::Send { role, message } => self.told.push((role, message)),
                    Instruction::Wake { .. } | Instruction::Finish { .. } => {}
                }
            }
        }
    }
}

/// Whether everybody who is waited for was asked by the server that waits.
pub(crate) fn all_are_asked(actor: &MatchActor, asked: &BTreeSet<(RoleId, Request)>, of: Request) -> bool {
    let is_current = actor.state().request().is_some_and(|(request, _)| request == of);
    !is_current || actor.state().awaited().iter().all(|role| asked.contains(&(*role, of)))
}

fn instruction_place(instruction: &Instruction, plain: impl Fn(&String) -> String) -> String {
    match instruction {
        Instruction::Store { lines, .. } => format!("{:?}", lines.iter().map(plain).collect::<BTreeSet<_>>()),
        Instruction::Send { role, message } => format!("{role:?}{}", about(message)),
        Instruction::Wake { .. } | Instruction::Finish { .. } => format!("{instruction:?}"),
    }
}

/// How many executions there were, and at how many different places they have been.
#[derive(Debug, Default)]
struct Count {
    executions: usize,
    finished: usize,
    places: usize,
    crashes: usize,
    steps: usize,
}

/// Runs a case through all of its executions.
fn enumerate(case: Case, audit: &mut Audit) -> Count {
    let header = header(case.players, case.turns);
    let mut places = BTreeSet::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let mut count = Count::default();
    loop {
        let mut run = Match::begin(case, &header);
        for step in 0.. {
            let choices = run.choices();
            if step == path.len() {
                let is_known = case.merges && !choices.is_empty() && !places.insert(run.place());
                if choices.is_empty() || is_known {
                    break;
                }
                path.push((0, choices.len()));
            }
            let (taken, of) = path[step];
            assert_eq!(of, choices.len(), "the same choices lead to the same place");
            count.crashes +=
                usize::from(step + 1 == path.len() && matches!(choices[taken], Choice::Crash { .. }));
            run.choose(choices[taken]);
            count.steps += 1;
        }
        count.executions += 1;
        if let Some(outcome) = run.outcome.clone() {
            run.wake_the_slow();
            count.finished += 1;
            let name = format!("{case:?}, execution {}", count.executions);
            audit.add(Finished { lines: run.disk, told: run.told, outcome, name });
        }
        while path.last().is_some_and(|(taken, of)| taken + 1 == *of) {
            path.pop();
        }
        match path.last_mut() {
            Some((taken, _)) => *taken += 1,
            None => break,
        }
    }
    audit.check();
    count.places = places.len();
    count
}

#[test]
fn no_order_of_replies_deadlines_stores_and_crashes_breaks_a_promise() {
    let small = |players, turns| Case {
        players,
        turns,
        is_idempotent: true,
        crashes_max: 1,
        is_calm_at_last: true,
        merges: true,
    };
    let cases = size(
        vec![small(2, 1), Case { is_calm_at_last: false, merges: false, ..small(1, 1) }],
        vec![
            Case { is_calm_at_last: false, merges: false, ..small(1, 2) },
            Case { is_calm_at_last: false, ..small(2, 2) },
            Case { crashes_max: 2, ..small(2, 2) },
            small(2, 5),
            small(3, 3),
        ],
    );
    let mut audit = Audit::default();
    let mut executions = 0;
    for case in cases {
        for is_idempotent in [true, false] {
            let case = Case { is_idempotent, ..case };
            let count = enumerate(case, &mut audit);
            println!("{case:?}: {count:?}");
            assert!(count.finished > 0 && count.crashes > 0, "{count:?}");
            executions += count.executions;
        }
    }
    println!("{executions} executions, {} matches judged, {} messages", audit.matches, audit.messages);
}
