//! Thousands of matches on servers, stores, networks and players that fail in every way that is known, in virtual time.
//!
//! Two servers share a store. First everything fails at random; then nothing does, and every match must come to its end
//! in the time that its clocks allow. A seed gives the same run, bit for bit.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    env,
    sync::Arc,
};

use croupier_engine::{RoleId, Scratch};
use croupier_referee::{
    Event, Failure, Header, MatchState, Message, Outcome, Reply, Request, read_records, resume,
};
use croupier_server::{Instruction, MatchActor, Resumption};
use croupier_tests::size;

use crate::{
    audit::{Audit, Finished},
    chance::Dice,
    exhaustive::all_are_asked,
    marks::Marks,
    table::{nonce, reply, secrets, setup},
};

/// Matches that are simulated together, and share their servers and their store.
const TOGETHER: usize = 50;

/// When faults stop, in milliseconds, and until when every match must be over after that.
const SAFETY_MS: u64 = 20_000;
const LIVENESS_MS: u64 = 60_000;

/// How long a server must be silent before its matches are taken over.
const LEASE_MS: u64 = 3_000;

/// What happens at a time.
enum Happening {
    /// A reply or a failure reaches the server that asked.
    Arrives {
        place: usize,
        owner: u64,
        event: Event,
    },
    /// A timer of a server.
    Rings {
        place: usize,
        owner: u64,
        of: Request,
    },
    /// The store has committed, or has failed to.
    Committed {
        place: usize,
        owner: u64,
        is_stored: bool,
    },
    /// Matches that nobody has are taken over.
    TakeOver,
    /// A server dies, or stands still for a while.
    Dies {
        server: usize,
    },
    Sleeps {
        server: usize,
    },
    Wakes {
        server: usize,
    },
}

/// One server's hold on a match. Whoever takes it over counts up the number.
struct Owner {
    number: u64,
    server: usize,
    actor: MatchActor,
    storing: Option<(u64, Vec<String>)>,
    asked: BTreeSet<(RoleId, Request)>,
}

struct Match {
    header: Arc<Header>,
    seed: u64,
    is_idempotent: [bool; 2],
    disk: Vec<String>,
    epoch: u64,
    /// Those who think that they have it: the last is right.
    owners: Vec<Owner>,
    told: Vec<(RoleId, Message)>,
    /// When each reply reached the referee, and when it was asked for, for those that came whole and in time.
    punctual: Vec<(RoleId, u32)>,
    /// When it has no owner: since when.
    orphaned_ms: Option<u64>,
    outcome: Option<Outcome>,
}

/// A server that lives, until it dies; while it sleeps, what reaches it waits.
#[derive(Default)]
struct Server {
    is_asleep: bool,
    waiting: VecDeque<Happening>,
}

struct Simulation<'s> {
    now_ms: u64,
    queue: BTreeMap<(u64, u64), Happening>,
    next: u64,
    dice: Dice,
    matches: Vec<Match>,
    servers: [Server; 2],
    scratch: Scratch,
    marks: &'s mut Marks,
    name: String,
}

impl<'s> Simulation<'s> {
    fn new(seed: u64, base: &Arc<Header>, marks: &'s mut Marks) -> Self {
        let mut dice = Dice::new(seed);
        let make = |place: usize| {
            let id = format!("s{seed}.{place}");
            let made = setup(&id, 2, TURNS);
            let header = Header::with_game(made, Arc::clone(base.game())).expect("the same game");
            Match {
                header: Arc::new(header),
                seed: seed * 1_000 + place as u64,
                is_idempotent: [0, 1].map(|_| dice.below(4) > 0),
                disk: Vec::new(),
                epoch: 0,
                owners: Vec::new(),
                told: Vec::new(),
                punctual: Vec::new(),
                orphaned_ms: Some(0),
                outcome: None,
            }
        };
        let matches = (0..TOGETHER).map(make).collect();
        let mut simulation = Self {
            now_ms: 0,
            queue: BTreeMap::new(),
            next: 0,
            dice,
            matches,
            servers: Default::default(),
            scratch: base.game().scratch(),
            marks,
            name: format!("seed {seed}"),
        };
        (0..TOGETHER).for_each(|place| simulation.take(place));
        simulation.at(500, Happening::TakeOver);
        for server in [0, 1] {
            let (dies, sleeps) = (simulation.dice.below(4_000), simulation.dice.below(8_000));
            simulation.at(dies, Happening::Dies { server });
            simulation.at(sleeps, Happening::Sleeps { server });
        }
        simulation
    }

    fn at(&mut self, after_ms: u64, happening: Happening) {
        self.next += 1;
        self.queue.insert((self.now_ms + after_ms, self.next), happening);
    }

    /// Whether something goes wrong that does so once in `n` times; nothing does once faults have stopped.
    fn fails(&mut self, n: u64, fault: &'static str, place: usize) -> bool {
        let fails = self.now_ms < SAFETY_MS && self.dice.below(n) == 0;
        if fails {
            let moment = self.moment(place);
            self.marks.hit(fault, moment);
        }
        fails
    }

    /// Where a match is, for the marks.
    fn moment(&self, place: usize) -> &'static str {
        let Some(owner) = self.matches[place].owners.last() else { return "no owner" };
        let is_storing = owner.storing.is_some();
        match (owner.actor.state().request(), is_storing) {
            (Some((Request::Start, _)), false) => "starting",
            (Some((Request::Start, _)), true) => "starting, storing",
            (Some((Request::Reveal, _)), false) => "revealing",
            (Some((Request::Reveal, _)), true) => "revealing, storing",
            (Some((Request::Play { .. }, _)), false) => "playing",
            (Some((Request::Play { .. }, _)), true) => "playing, storing",
            (None, _) => "ending",
        }
    }

    /// A server that lives takes a match: it begins, or goes on from what is stored.
    fn take(&mut self, place: usize) {
        let awake: Vec<usize> =
            [0, 1].into_iter().filter(|server| !self.servers[*server].is_asleep).collect();
        let Some(&server) = awake.get(self.dice.below(2) as usize % awake.len().max(1)) else { return };
        let now_ms = self.now_ms;
        let one = &mut self.matches[place];
        one.epoch += 1;
        one.orphaned_ms = None;
        let (actor, instructions) = if one.disk.is_empty() {
            let mut actor = MatchActor::new(MatchState::new(Arc::clone(&one.header), secrets(one.seed)));
            let instructions = actor.step(now_ms, Event::Begin, &mut self.scratch);
            (actor, instructions)
        } else {
            let text: String = one.disk.iter().map(|line| format!("{line}\n")).collect();
            let record = read_records(text.as_bytes()).expect("whole lines").remove(0);
            let (state, effects) = resume(&record, &one.header, secrets(one.seed)).expect("its own record");
            let kinds = one.is_idempotent;
            let is_idempotent = |role: RoleId| kinds[role.index() - 1];
            let lines = one.disk.len() as u64;
            let resumption = Resumption { lines, epoch: one.epoch, is_idempotent: &is_idempotent };
            MatchActor::go_on_with(state, effects, &resumption, &mut self.scratch)
        };
        one.owners.push(Owner { number: one.epoch, server, actor, storing: None, asked: BTreeSet::new() });
        let number = one.epoch;
        self.perform(place, number, instructions);
    }

    fn owner(&mut self, place: usize, number: u64) -> Option<&mut Owner> {
        self.matches[place].owners.iter_mut().find(|owner| owner.number == number)
    }

    /// The clock of an owner: one that goes on begins where the record stopped.
    fn clock_ms(&mut self, place: usize, number: u64) -> u64 {
        let now_ms = self.now_ms;
        self.owner(place, number).map_or(now_ms, |owner| owner.actor.state().now_ms().max(now_ms))
    }

    fn perform(&mut self, place: usize, number: u64, instructions: Vec<Instruction>) {
        for instruction in instructions {
            match instruction {
                Instruction::Store { first, lines } => {
                    let owner = self.owner(place, number).expect("an owner that does something");
                    assert!(owner.storing.is_none(), "one request at a time");
                    owner.storing = Some((first, lines));
                    let slow = if self.fails(60, "store stalls", place) { 3_000 } else { 0 };
                    let is_stored = !self.fails(80, "store fails", place);
                    let after_ms = 1 + self.dice.below(8) + slow;
                    self.at(after_ms, Happening::Committed { place, owner: number, is_stored });
                }
                Instruction::Send { role, message } => self.send(place, number, role, message),
                Instruction::Wake { of, at_ms } => {
                    let after_ms = at_ms.saturating_sub(self.clock_ms(place, number));
                    self.at(after_ms, Happening::Rings { place, owner: number, of });
                }
                Instruction::Finish { outcome } => {
                    let one = &mut self.matches[place];
                    assert!(one.outcome.is_none(), "{}: the end is noted once", self.name);
                    one.outcome = Some(outcome);
                    one.owners.retain(|owner| owner.number != number);
                }
            }
        }
    }

    /// A message goes over the network to a player, whose reply may come back, or something else.
    fn send(&mut self, place: usize, number: u64, role: RoleId, message: Message) {
        let one = &mut self.matches[place];
        let stored = |event: &str| one.disk.iter().filter(|line| line.contains(event)).count();
        let is_durable = match &message {
            Message::Start { .. } => stored("\"event\":\"genesis\"") == 1,
            Message::Reveal { commitments, .. } => {
                stored("\"event\":\"ready\"") == one.is_idempotent.len()
                    && stored("\"commitment\":") == commitments.len() + 1
            }
            Message::Play { turn, .. } => stored("\"event\":\"turn\"") >= *turn as usize,
            Message::Stop { .. } | Message::Abort { .. } => stored("\"event\":\"end\"") == 1,
        };
        assert!(is_durable, "{}: {message} is told before what it depends on is durable", self.name);
        let to = Request::of(&message);
        let again = (role, message);
        let is_play = matches!(again.1, Message::Play { .. });
        assert!(
            one.is_idempotent[role.index() - 1] || !is_play || !one.told.contains(&again),
            "{}: {} comes twice to a player that takes it for another turn",
            self.name,
            again.1
        );
        one.told.push(again);
        let Some(to) = to else { return };
        self.owner(place, number).expect("an owner that asks").asked.insert((role, to));
        let mut after_ms = 1 + self.dice.below(300);
        let mut text = Reply::Text(reply(role, to));
        if to == Request::Reveal {
            text = Reply::Revealed(nonce(role));
        } else if to == Request::Start && self.dice.below(4) == 0 {
            let header = &self.matches[place].header;
            let commitment = nonce(role).commitment(header.match_id(), header.role_name(role));
            text = Reply::Committed(commitment);
        }
        if self.fails(40, "message lost", place) || self.fails(60, "player dead", place) {
            return;
        }
        if self.fails(40, "connection reset", place) {
            text = Reply::Failed(Failure::ConnectError);
        } else if self.fails(40, "garbage", place) {
            text = Reply::Text(
                ["", "(say", "(say 9)", "?x", "\u{0}\u{fffd}", "(say 1) (say 2)"]
                    [self.dice.below(6) as usize]
                    .to_owned(),
            );
        } else if self.fails(60, "oversize", place) {
            text = Reply::Text("x".repeat(70_000));
        } else if self.fails(40, "late", place) {
            after_ms = 2_001 + self.dice.below(2_000);
        }
        if self.fails(40, "reply doubled", place) {
            let event = Event::Reply { role, to, reply: Reply::Text("(say 3)".to_owned()) };
            let later = after_ms + self.dice.below(3_000);
            self.at(later, Happening::Arrives { place, owner: number, event });
        }
        self.at(
            after_ms,
            Happening::Arrives { place, owner: number, event: Event::Reply { role, to, reply: text } },
        );
    }

    /// An event reaches a server, if it still has the match.
    fn hear(&mut self, place: usize, number: u64, event: Event) {
        let now_ms = self.clock_ms(place, number);
        let Some(one) = self.matches[place].owners.iter_mut().find(|owner| owner.number == number) else {
            return;
        };
        if let Event::Reply { role, to: to @ Request::Play { turn }, reply: Reply::Text(_) } = &event
            && let Some((request, sent_ms)) = one.actor.state().request()
            && request == *to
            && one.actor.state().awaited().contains(role)
            && now_ms <= sent_ms + 1_000
        {
            self.matches[place].punctual.push((*role, *turn));
        }
        let owner = self.matches[place].owners.iter_mut().find(|owner| owner.number == number);
        let owner = owner.expect("it was there a line before");
        if let Event::Deadline { of } = event {
            let is_fair = all_are_asked(&owner.actor, &owner.asked, of);
            assert!(is_fair, "{}: somebody is late that this server never asked", self.name);
        }
        let instructions = owner.actor.step(now_ms, event, &mut self.scratch);
        self.perform(place, number, instructions);
    }

    fn commit(&mut self, place: usize, number: u64, is_stored: bool) {
        let now_ms = self.clock_ms(place, number);
        let one = &mut self.matches[place];
        let Some(owner) = one.owners.iter_mut().find(|owner| owner.number == number) else { return };
        let (first, lines) = owner.storing.take().expect("lines on their way");
        let is_fenced = number != one.epoch || first != one.disk.len() as u64;
        assert!(is_fenced || first == one.disk.len() as u64);
        if is_fenced || !is_stored {
            // Whoever cannot store says nothing more; another one, or the same with another number, goes on.
            one.owners.retain(|owner| owner.number != number);
            if is_fenced {
                self.marks.hit("fenced", "playing");
            } else {
                one.orphaned_ms = Some(self.now_ms.saturating_sub(LEASE_MS - 500));
            }
            return;
        }
        one.disk.extend(lines);
        let instructions = owner.actor.stored(now_ms);
        self.perform(place, number, instructions);
    }

    /// The server that an event is for.
    fn server_of(&self, happening: &Happening) -> Option<usize> {
        match happening {
            Happening::Arrives { place, owner, .. }
            | Happening::Rings { place, owner, .. }
            | Happening::Committed { place, owner, .. } => {
                let owners = self.matches[*place].owners.iter();
                owners.filter(|one| one.number == *owner).map(|one| one.server).next()
            }
            _ => None,
        }
    }

    fn happen(&mut self, happening: Happening) {
        if let Some(server) = self.server_of(&happening).filter(|server| self.servers[*server].is_asleep) {
            // The disk does not sleep: what it commits is there, whoever hears of it later.
            self.servers[server].waiting.push_back(happening);
            return;
        }
        match happening {
            Happening::Arrives { place, owner, event } => self.hear(place, owner, event),
            Happening::Rings { place, owner, of } => self.hear(place, owner, Event::Deadline { of }),
            Happening::Committed { place, owner, is_stored } => self.commit(place, owner, is_stored),
            Happening::TakeOver => {
                for place in 0..self.matches.len() {
                    let one = &self.matches[place];
                    let is_due = one.orphaned_ms.is_some_and(|since_ms| since_ms + LEASE_MS <= self.now_ms);
                    if one.outcome.is_none() && is_due {
                        self.take(place);
                    }
                }
                self.at(500, Happening::TakeOver);
            }
            Happening::Dies { server } => self.die(server),
            Happening::Sleeps { server } => {
                if self.now_ms < SAFETY_MS && !self.servers[1 - server].is_asleep {
                    self.servers[server].is_asleep = true;
                    self.marks.hit("replica pause", "server");
                    self.orphan(server);
                    let after_ms = self.dice.below(8_000);
                    self.at(after_ms, Happening::Wakes { server });
                }
            }
            Happening::Wakes { server } => {
                self.servers[server].is_asleep = false;
                for happening in std::mem::take(&mut self.servers[server].waiting) {
                    self.happen(happening);
                }
                let after_ms = self.dice.below(8_000);
                self.at(after_ms, Happening::Sleeps { server });
            }
        }
    }

    /// The lease of a server runs out from now on. One that wakes up before has not lost anything.
    fn orphan(&mut self, server: usize) {
        let now_ms = self.now_ms;
        for one in &mut self.matches {
            if one.owners.last().is_some_and(|owner| owner.server == server) && one.outcome.is_none() {
                one.orphaned_ms.get_or_insert(now_ms);
            }
        }
    }

    /// A server dies, and begins anew with nothing. What was on its way to the disk is there, or not.
    fn die(&mut self, server: usize) {
        if self.now_ms >= SAFETY_MS {
            return;
        }
        self.orphan(server);
        for place in 0..self.matches.len() {
            let moment = self.moment(place);
            let is_kept = self.dice.below(2) == 0;
            let one = &mut self.matches[place];
            let Some(dead) = one.owners.iter().position(|owner| owner.server == server) else { continue };
            let owner = one.owners.remove(dead);
            if let Some((first, lines)) = owner.storing
                && is_kept
                && owner.number == one.epoch
                && first == one.disk.len() as u64
            {
                one.disk.extend(lines);
            }
            one.owners.retain(|owner| owner.server != server);
            self.marks.hit("crash", moment);
        }
        self.servers[server].waiting.clear();
        let after_ms = 500 + self.dice.below(8_000);
        self.at(after_ms, Happening::Dies { server });
    }

    /// Everything, until all matches are over.
    fn run(&mut self) {
        while let Some(((at_ms, _), happening)) = self.queue.pop_first() {
            self.now_ms = at_ms;
            if self.matches.iter().all(|one| one.outcome.is_some()) {
                break;
            }
            assert!(at_ms < SAFETY_MS + LIVENESS_MS, "{}: a match stands still", self.name);
            self.happen(happening);
        }
    }
}

/// Turns of each match.
const TURNS: u32 = 6;

#[test]
fn matches_survive_every_fault_and_end_once_faults_have_stopped() {
    let default = size(3_000, 1_000_000);
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (count, first) =
        (number("CROUPIER_MATCHES").unwrap_or(default), number("CROUPIER_SEED").unwrap_or(1));
    let base = crate::table::header(2, TURNS);
    let (mut marks, mut audit) = (Marks::default(), Audit::default());
    for seed in first..first + count.div_ceil(TOGETHER as u64) {
        let mut simulation = Simulation::new(seed, &base, &mut marks);
        simulation.run();
        for one in simulation.matches {
            let name = format!("CROUPIER_SEED={seed} CROUPIER_MATCHES=1, {}", one.header.match_id());
            punctual_replies_count(&one, &name);
            let outcome = one.outcome.expect("every match is over");
            audit.add(Finished { lines: one.disk, told: one.told, outcome, name });
        }
    }
    audit.check();
    println!(
        "{} matches, {} messages, {} faults from seed {first} on:",
        audit.matches,
        audit.messages,
        marks.total()
    );
    println!("{marks}");
    marks.demand(count / 2_000);
}

/// A reply that was whole and in time is not recorded as none, by whichever server heard it, unless that server's lines
/// were lost with it.
fn punctual_replies_count(one: &Match, name: &str) {
    if one.epoch > 1 {
        return;
    }
    for (role, turn) in &one.punctual {
        let role = one.header.role_name(*role);
        let (of, by) = (format!("\"turn\":{turn},"), format!("\"role\":\"{role}\""));
        let is_reply = |line: &&String| line.contains("\"event\":\"reply\"") && line.contains(&by);
        let line =
            one.disk.iter().filter(is_reply).find(|line| format!("{line},").replace('}', ",").contains(&of));
        let line = line.unwrap_or_else(|| panic!("{name}: {role}'s reply in turn {turn} is not recorded"));
        assert!(!line.contains("timeout"), "{name}: a reply in time counts: {line}");
    }
}
