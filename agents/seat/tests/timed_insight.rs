//! What a role of a real-time match that hides something is shown, against the match itself and against other matches that look the same to it.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{
    ByPlayer, MoveId, Options, Percepts, RoleId,
    game::Backend,
    realtime::{RealTimeGame, RealTimeScratch, TimedState},
};
use croupier_referee::{TimedInsight as _, TimedNews, TimedOutlook};
use croupier_seat::RoleTimedInsight;

/// The bundled games whose rules hide something.
const HIDDEN: [&str; 5] = ["bomb-party", "dutch-auction", "reaction", "speed", "war-of-attrition"];

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (usize::try_from(self.0 >> 33).unwrap()) % count
    }
}

/// A match as its referee has it, and what each player is told.
struct Table {
    game: Arc<RealTimeGame>,
    scratch: RealTimeScratch,
    state: TimedState,
    at_us: u64,
    insights: Vec<(RoleId, RoleTimedInsight)>,
    /// Everything that a role was told, as text.
    told: Vec<(RoleId, String)>,
}

impl Table {
    fn new(name: &str) -> Self {
        let rules = croupier_games::find(name).unwrap().rules;
        let compiled = || Arc::new(RealTimeGame::compile(rules, &Options::PLAY).unwrap().game);
        let game = compiled();
        assert!(!game.has_full_sight(), "{name}");
        let players: Vec<RoleId> = game.roles().players().collect();
        // Servers compile the rules of a match without a network.
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let of_server = || Arc::new(RealTimeGame::compile(rules, &options).unwrap().game);
        let insights = players.iter().map(|&role| (role, RoleTimedInsight::new(of_server(), role))).collect();
        let (state, scratch) = (game.initial_state().clone(), game.scratch());
        Self { scratch, state, at_us: 0, insights, told: Vec::new(), game }
    }

    fn is_over(&mut self) -> bool {
        self.game.is_terminal(&self.state, &mut self.scratch).unwrap()
    }

    fn legal(&mut self) -> Vec<(RoleId, Vec<MoveId>)> {
        let legal = self.game.legal_moves(&self.state, &mut self.scratch).unwrap();
        legal.iter().map(|(role, moves)| (role, moves.clone())).collect()
    }

    fn play(&mut self, at_us: u64, moves: &[(RoleId, MoveId)]) {
        let update = self.game.update(&self.state, at_us - self.at_us, moves, &mut self.scratch).unwrap();
        (self.state, self.at_us) = (update.successor, at_us);
        self.tell(moves, &update.percepts);
    }

    fn tell(&mut self, moves: &[(RoleId, MoveId)], percepts: &ByPlayer<Percepts>) {
        let at_us = self.at_us;
        for (role, insight) in &mut self.insights {
            let own = moves.iter().filter(|(mover, _)| mover == role);
            let own = own.map(|(_, played)| {
                (self.game.roles().name(*role).to_owned(), self.game.move_text(*played).to_string())
            });
            let moves: Vec<_> = own.collect();
            let percepts = self.game.percept_terms(&percepts[*role]);
            let percepts: Vec<String> = percepts.iter().map(ToString::to_string).collect();
            if moves.is_empty() && percepts.is_empty() {
                continue;
            }
            let news = TimedNews { at_us, moves, percepts };
            self.told.push((*role, format!("{news:?}")));
            insight.take(&news).unwrap();
        }
    }

    /// Lets chance draw as long as it can.
    fn draw(&mut self, numbers: &mut Numbers) {
        while !self.is_over() {
            let Some(random) = self.game.roles().random() else { return };
            let legal = self.legal();
            let draws = &legal.iter().find(|(role, _)| *role == random).unwrap().1;
            if draws.is_empty() {
                return;
            }
            let drawn = draws[numbers.below(draws.len())];
            self.play(self.at_us, &[(random, drawn)]);
        }
    }

    /// What holds is certain or open to every player, and what is certain holds; the same of its moves.
    fn check(&mut self, now_us: u64, name: &str) {
        let holds: BTreeSet<Arc<str>> =
            self.game.state_terms(&self.state).into_iter().map(|(_, fluent)| fluent).collect();
        let (is_over, legal) = (self.is_over(), self.legal());
        for (role, insight) in &mut self.insights {
            let TimedOutlook { facts, moves, .. } = insight.outlook(now_us);
            let who = format!("{name}, {} at {now_us}", self.game.roles().name(*role));
            assert!(!facts.is_vague, "{who}: nothing is proved");
            let certain: BTreeSet<Arc<str>> = facts.certain.into_iter().collect();
            assert!(certain.is_subset(&holds), "{who}: {certain:?} of {holds:?}");
            let open: BTreeSet<Arc<str>> = facts.open.into_iter().collect();
            assert!(holds.iter().all(|fact| certain.contains(fact) || open.contains(fact)), "{who}");
            if is_over {
                continue;
            }
            let own = &legal.iter().find(|(other, _)| other == role).unwrap().1;
            let own: BTreeSet<Arc<str>> = own.iter().map(|&id| self.game.move_text(id)).collect();
            let shown: BTreeSet<Arc<str>> = moves.texts.into_iter().collect();
            assert!(own.is_subset(&shown) && (!moves.are_alike || own == shown), "{who}: {own:?} {shown:?}");
        }
    }

    /// Plays to the end by chance, and looks at the table after everything that happens, and between.
    fn play_out(&mut self, numbers: &mut Numbers, name: &str) {
        self.draw(numbers);
        while !self.is_over() {
            self.check(self.at_us, name);
            let expiry_us = self.state.next_expiry().map(|micros| self.at_us + micros);
            let moves: Vec<(RoleId, MoveId)> = self
                .legal()
                .into_iter()
                .filter(|(role, moves)| !moves.is_empty() && Some(*role) != self.game.roles().random())
                .flat_map(|(role, moves)| moves.into_iter().map(move |played| (role, played)))
                .collect();
            let wait_us = 1 + 10_000 * u64::try_from(numbers.below(200)).unwrap();
            let at_us = self.at_us + wait_us;
            match expiry_us {
                Some(expiry_us) if expiry_us <= at_us || moves.is_empty() => self.play(expiry_us, &[]),
                _ if moves.is_empty() => return,
                _ => {
                    self.check(at_us - 1, name);
                    let chosen = moves[numbers.below(moves.len())];
                    self.play(at_us, &[chosen]);
                }
            }
            self.draw(numbers);
        }
        self.check(self.at_us, name);
    }
}

#[test]
fn what_is_shown_as_certain_holds_and_nothing_that_holds_is_shown_as_false() {
    for name in HIDDEN {
        for seed in 0..4 {
            Table::new(name).play_out(&mut Numbers(seed), name);
        }
    }
}

#[test]
fn a_hand_that_nobody_has_shown_is_open_and_the_own_one_is_certain() {
    let mut table = Table::new("speed");
    table.draw(&mut Numbers(1));
    let holds = table.game.state_terms(&table.state);
    let hands = |of: &str| -> BTreeSet<Arc<str>> {
        let is_of = |text: &Arc<str>| text.starts_with(&format!("(hand {of} "));
        holds.iter().map(|(_, fluent)| Arc::clone(fluent)).filter(is_of).collect()
    };
    let (_, ann) = &mut table.insights[0];
    let facts = ann.outlook(0).facts;
    let shown = |of: &str, facts: &[Arc<str>]| -> BTreeSet<Arc<str>> {
        let is_of = |text: &&Arc<str>| text.starts_with(&format!("(hand {of} "));
        facts.iter().filter(is_of).cloned().collect()
    };
    assert_eq!((shown("ann", &facts.certain), hands("ann").len()), (hands("ann"), 3));
    assert!(shown("bob", &facts.certain).is_empty());
    // Any card that she does not see can be in his hand: 16 without her three and the two on the piles.
    assert_eq!(shown("bob", &facts.open).len(), 11);
}

#[test]
fn who_is_told_the_same_is_shown_the_same_whatever_is_hidden() {
    // With other values of the other bidder; ann is told her own and the prices.
    let mut shown: Vec<(Vec<String>, TimedOutlook)> = Vec::new();
    for seed in 0..60 {
        let mut table = Table::new("dutch-auction");
        table.draw(&mut Numbers(seed));
        for _ in 0..3 {
            let at_us = table.at_us + table.state.next_expiry().unwrap();
            table.play(at_us, &[]);
        }
        let (role, at_us) = (table.insights[0].0, table.at_us + 300_000);
        let told = table.told.iter().filter(|(other, _)| *other == role).map(|(_, text)| text.clone());
        shown.push((told.collect(), table.insights[0].1.outlook(at_us)));
    }
    let pairs =
        shown.iter().enumerate().flat_map(|(at, one)| shown[at + 1..].iter().map(move |two| (one, two)));
    let alike: Vec<_> = pairs.filter(|(one, two)| one.0 == two.0).collect();
    assert!(alike.len() > 20, "only {} pairs look alike", alike.len());
    assert!(alike.iter().all(|(one, two)| one.1 == two.1));
}

#[test]
fn nothing_is_shown_as_certain_where_somebody_can_move_unseen() {
    let rules = "(role ann) (role bob) (init infinity calm) (init 3.0 clock)
        (legal ann look) (legal bob turn)
        (<= (next infinity turned) (does bob turn)) (<= (next infinity turned) (true ?t turned))
        (<= (next infinity calm) (true ?t calm)) (<= (next ?t clock) (true ?t clock))
        (<= (sees ann turned) (does ann look) (true ?t turned))
        (<= terminal (expired clock)) (goal ann 50) (goal bob 50)";
    let game = || Arc::new(RealTimeGame::compile(rules, &Options::PLAY).unwrap().game);
    let ann = game().roles().find("ann").unwrap();
    let outlook = RoleTimedInsight::new(game(), ann).outlook(1_000_000);
    assert!(outlook.facts.is_vague && outlook.facts.certain.is_empty(), "{outlook:?}");
    assert_eq!(outlook.moves.texts, ["look".into()]);
    // Bob, who is told nothing of ann either, would be: she changes nothing, but he does not know when she looks.
    let bob = game().roles().find("bob").unwrap();
    assert!(RoleTimedInsight::new(game(), bob).outlook(1_000_000).facts.is_vague);
}
