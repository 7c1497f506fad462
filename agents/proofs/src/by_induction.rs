//! Answers for all states at once, those that can be reached among them.

use std::{panic::resume_unwind, thread};

use croupier_engine::{
    Game,
    game::GameNetwork,
    stages::propnet::{Gates, Wire},
};

use crate::{
    answer::{Grounds, RuleAnswer, RuleQuestion, RuleVerdict},
    by_search::shown_answers,
    circuit::{Circuit, StateWires},
    claims::{Claims, StateClaim},
    components::{RankingBasis, all_stay},
    constant::constant,
    groups::FluentGroups,
    guesses::{counted, exactly_one, guesses, told_guesses},
    inductive::{inductive, inductive_alone, inductive_few},
    invariants::{Invariant, KnownInvariants},
    maximum::Maximum,
    prover::{Proof, Prover},
    ranking::{Settled, settling},
    reach::{Reach, ReachBasis, ReachLimits, reach},
    relations::related_guesses,
    sample::StateSample,
    shorten::shorten,
    shown::shown_by,
    sum_guesses::{SumBasis, sum_guesses},
    time_left::TimeLeft,
    walks::Walked,
    wanderer::Wanderer,
};

/// Turns of which some fluent must change in one that changes only finitely often: more make longer proofs of more games.
const STEPS: [usize; 3] = [1, 2, 4];

/// Turns before the state that a claim is about: what any such turns exclude need not be excluded by the invariants.
const DEPTHS: [usize; 4] = [0, 1, 2, 4];

/// What is known of a game before anything is proved by induction.
pub(crate) struct Induction<'i> {
    pub(crate) game: &'i Game,
    pub(crate) walked: &'i Walked,
    pub(crate) maxima: &'i [Maximum],
    /// Every state that is reached in fewer turns was looked at.
    pub(crate) turns: usize,
}

/// The rules, and which of their fluents belong together.
struct InductionBasis<'b> {
    network: &'b GameNetwork,
    groups: &'b FluentGroups,
}

/// What was asked, and what was settled of it.
struct SettledAnswers<'a> {
    open: &'a [RuleAnswer],
    found: Vec<RuleAnswer>,
}

impl SettledAnswers<'_> {
    fn is_open(&self, answer: &RuleAnswer) -> bool {
        let is_same = |other: &&RuleAnswer| other.asks_the_same(answer);
        let is_asked = self.open.iter().find(is_same).is_some_and(|open| open.verdict == RuleVerdict::Open);
        is_asked && !self.found.iter().any(|found| found.asks_the_same(answer))
    }

    /// Whether nothing is open any more.
    fn is_done(&self) -> bool {
        !self.open.iter().any(|answer| self.is_open(answer))
    }
}

impl Induction<'_> {
    /// What can be settled, of what is asked in `open`: without counting, which is quick, and by sets of states that no turn enters; then with
    /// sums; then with counting. Each way has its share of what those before it left. The circuit is one turn, from any state on.
    pub(crate) fn answers(
        &self,
        circuit: Option<Circuit>,
        open: &[RuleAnswer],
        has_passed: &(dyn Fn(f64) -> bool + Sync),
    ) -> Vec<RuleAnswer> {
        let Some(network) = self.game.network() else { return Vec::new() };
        let groups = FluentGroups::of(self.game, network);
        let known = SettledAnswers { open, found: Vec::new() };
        let basis = InductionBasis { network, groups: &groups };
        let Some(first) = network.row(self.game.initial_state()) else { return known.found };
        let guesses = self.guesses(&basis, &first);
        let circuit = match circuit {
            Some(circuit) if !circuit.is_large() => circuit,
            large => {
                let now = TimeLeft::now(has_passed);
                let few = large.and_then(|mut circuit| {
                    inductive_few(&mut circuit, exactly_one(&guesses), &|| now.has_passed(0.45))
                });
                return self.of_large(&basis, &few.unwrap_or_default(), known, has_passed).found;
            }
        };
        let now = TimeLeft::now(has_passed);
        let plain = self.plain(circuit, network, &guesses, &|share| now.has_passed(0.18 * share));
        let known = self.proved(&basis, &plain, known, &|| now.has_passed(0.22));
        if known.is_done() {
            return known.found;
        }
        let now = TimeLeft::now(has_passed);
        let related = self.related(&basis, &plain, &guesses, &|| now.has_passed(0.16));
        let mut invariants = [&plain[..], &related.unwrap_or_default()].concat();
        let known = self.proved(&basis, &invariants, known, &|| now.has_passed(0.2));
        // More invariants make longer proofs of what does not need them.
        let now = TimeLeft::now(has_passed);
        let known = self.reached(&basis, &plain, known, &|part| now.has_passed(0.55 * part));
        if known.is_done() {
            return known.found;
        }
        let now = TimeLeft::now(has_passed);
        let sums = self.sums(&basis, &invariants, &guesses, &|| now.has_passed(0.22));
        invariants.extend(sums.unwrap_or_default());
        let mut known = self.proved(&basis, &invariants, known, &|| now.has_passed(0.3));
        if invariants.len() > plain.len() {
            let now = TimeLeft::now(has_passed);
            known = self.reached(&basis, &invariants, known, &|part| now.has_passed(0.65 * part));
        }
        // Counting takes a while before it asks for the time.
        let counts = !known.is_done() && !has_passed(0.9);
        let counted = counts.then(|| self.counted(&basis, guesses, &|| has_passed(1.0)));
        match counted.flatten() {
            Some(invariants) => {
                let known = self.proved(&basis, &invariants, known, &|| has_passed(1.0));
                self.reached(&basis, &invariants, known, &|part| has_passed(part)).found
            }
            None => known.found,
        }
    }

    /// What holds in every state, as far as it is found soon.
    pub(crate) fn invariants(&self, has_passed: &dyn Fn(f64) -> bool) -> Option<KnownInvariants> {
        let network = self.game.network()?;
        let groups = FluentGroups::of(self.game, network);
        let basis = InductionBasis { network, groups: &groups };
        let guesses = self.guesses(&basis, &network.row(self.game.initial_state())?);
        let mut circuit = Circuit::new(network.tape(), 1)?;
        if circuit.is_large() {
            let plain = inductive_few(&mut circuit, exactly_one(&guesses), &|| has_passed(1.0))?;
            return Some(KnownInvariants { plain, sums: Vec::new() });
        }
        let plain = self.plain(circuit, network, &guesses, &|share| has_passed(0.75 * share));
        let sums = self.sums(&basis, &plain, &guesses, &|| has_passed(1.0)).unwrap_or_default();
        Some(KnownInvariants { plain, sums })
    }

    /// What can be settled about a network of which each question takes long: only with the few invariants that were found.
    fn of_large<'a>(
        &self,
        basis: &InductionBasis<'_>,
        few: &[Invariant],
        known: SettledAnswers<'a>,
        has_passed: &(dyn Fn(f64) -> bool + Sync),
    ) -> SettledAnswers<'a> {
        let now = TimeLeft::now(has_passed);
        let known = self.proved(basis, few, known, &|| now.has_passed(0.1));
        self.reached(basis, few, known, has_passed)
    }

    /// What holds of the guesses: first what holds alone, which says most and is quick to find, and then what holds together.
    fn plain(
        &self,
        mut circuit: Circuit,
        network: &GameNetwork,
        guesses: &[Invariant],
        has_passed: &dyn Fn(f64) -> bool,
    ) -> Vec<Invariant> {
        let simple = guesses.iter().filter(|guess| guess.is_simple()).cloned().collect();
        let mut proved = inductive_alone(&mut circuit, simple, &|| has_passed(0.25));
        let others = guesses.iter().filter(|guess| !proved.contains(guess)).cloned().collect();
        let together = self.together(network, &proved, others, &|| has_passed(1.0));
        proved.extend(together.unwrap_or_default());
        // In the order of the guesses, as those that speak of the same stand beside each other there.
        guesses.iter().filter(|guess| proved.contains(guess)).cloned().collect()
    }

    /// Those guesses that no turn breaks.
    fn together(
        &self,
        network: &GameNetwork,
        known: &[Invariant],
        guesses: Vec<Invariant>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Invariant>> {
        let mut wanderer = Wanderer::new(self.game);
        inductive(&mut Circuit::new(network.tape(), 1)?, known, guesses, wanderer.as_mut(), is_over)
    }

    /// What follows from invariants.
    fn proved<'a>(
        &self,
        basis: &InductionBasis<'_>,
        invariants: &[Invariant],
        mut known: SettledAnswers<'a>,
        is_over: &dyn Fn() -> bool,
    ) -> SettledAnswers<'a> {
        for depth in DEPTHS.into_iter().filter(|&depth| depth <= self.turns && !is_over()) {
            let new = self.of_states(basis.network, invariants, depth, &known, is_over);
            known.found.extend(new.unwrap_or_default());
        }
        known
    }

    /// Whether there is an order of fluents in which no match can go on for ever.
    fn must_end(
        &self,
        basis: &InductionBasis<'_>,
        known: &ReachBasis<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<RuleAnswer> {
        let mut circuit = Circuit::new(known.tape, 1)?;
        let ranking = RankingBasis { invariants: known.invariants, groups: basis.groups };
        let Settled { kept, is_any } =
            settling(&mut circuit, &ranking, self.walked.turns(), Wanderer::new(self.game), is_over)?;
        if !is_any {
            return Some(ends_answer());
        }
        // Some numbers of turns are quick to exclude and others never end: a few frames for each first.
        let mut open = STEPS.to_vec();
        for frames_max in [2, usize::MAX] {
            for turns in std::mem::take(&mut open) {
                let same = |gates: &mut Gates, states: &[StateWires]| all_stay(gates, states, &kept);
                let search = ReachLimits { frames_max, is_over };
                match reach(known, turns, same, &search) {
                    Some(Reach::Never) => return Some(ends_answer()),
                    Some(Reach::Unsettled(_)) if !is_over() => open.push(turns),
                    _ => {}
                }
            }
        }
        None
    }

    /// Whether every match ends, and beside that whether what would break a claim can be reached; the claims share the time.
    fn reached<'a>(
        &self,
        basis: &InductionBasis<'_>,
        invariants: &[Invariant],
        mut known: SettledAnswers<'a>,
        has_passed: &(dyn Fn(f64) -> bool + Sync),
    ) -> SettledAnswers<'a> {
        let (network, groups) = (basis.network, basis.groups);
        let Some(first) = network.row(self.game.initial_state()) else { return known };
        let bases = network.fluents().len();
        let sample = self.sample(basis, &first);
        let first = groups.described(&first, bases);
        let before = ReachBasis { tape: network.tape(), groups, first: &first, invariants, sample: &sample };
        let must_end = || self.must_end(basis, &before, &|| has_passed(1.0));
        let is_asked = known.is_open(&ends_answer());
        let ends = thread::scope(|scope| {
            let ends = is_asked.then(|| scope.spawn(must_end));
            self.claims_reached(network, &before, &mut known, has_passed);
            ends.and_then(|ends| ends.join().unwrap_or_else(|panic| resume_unwind(panic)))
        });
        known.found.extend(ends);
        known
    }

    /// Whether what would break a claim can be reached.
    fn claims_reached(
        &self,
        network: &GameNetwork,
        before: &ReachBasis<'_>,
        known: &mut SettledAnswers<'_>,
        has_passed: &(dyn Fn(f64) -> bool + Sync),
    ) {
        let game = self.game;
        let Some(mut circuit) = Circuit::new(network.tape(), 0) else { return };
        let Circuit { gates, states, .. } = &mut circuit;
        let claims = self.claims().of(network, gates, &states[0]);
        let open: Vec<usize> =
            (0..claims.len()).filter(|&place| known.is_open(&claims[place].answer)).collect();
        for (number, &place) in open.iter().enumerate() {
            let answer = &claims[place].answer;
            if !known.is_open(answer) {
                continue;
            }
            // What comes first is the claim that most ask about.
            let share = ((number + 1) as f64 / open.len() as f64).max(0.5);
            // Sums may help where this does not.
            let share = if open.len() == 1 { 0.7 } else { share };
            let broken = |gates: &mut Gates, states: &[StateWires]| {
                self.claims().of(network, gates, &states[0]).swap_remove(place).broken
            };
            let is_over = || has_passed(share);
            let limits = ReachLimits { frames_max: usize::MAX, is_over: &is_over };
            match reach(before, 0, broken, &limits) {
                Some(Reach::Never) => known.found.push(answer.clone()),
                Some(Reach::By(moves)) => {
                    let mut shown = shown_by(game, self.maxima, &moves).unwrap_or_default();
                    shorten(game, self.maxima, &mut shown, self.turns, &is_over);
                    let mut answers = shown_answers(game, &shown, self.maxima);
                    answers.retain(|answer| known.is_open(answer));
                    known.found.extend(answers);
                }
                Some(Reach::Unsettled(_)) | None => {}
            }
        }
    }

    fn claims(&self) -> Claims<'_> {
        Claims { game: self.game, maxima: self.maxima, sums: &self.walked.shown.sums }
    }

    /// The first state, which every sample has, and others that were met, with what is true of groups.
    fn sample(&self, basis: &InductionBasis<'_>, first: &[u64]) -> StateSample {
        let (bases, groups) = (basis.network.fluents().len(), basis.groups);
        let states = [first].into_iter().chain(self.walked.states()).map(|row| groups.described(row, bases));
        StateSample::new(bases + groups.told.len(), states)
    }

    /// Guesses about groups that no state contradicts.
    fn guesses(&self, basis: &InductionBasis<'_>, first: &[u64]) -> Vec<Invariant> {
        let (bases, sample) = (basis.network.fluents().len(), self.sample(basis, first));
        let mut guesses = guesses(basis.groups, bases, &sample);
        guesses.extend(told_guesses(basis.groups, bases, &sample));
        guesses
    }

    /// What holds of two fluents, or of a fluent and a group, and what of these guesses holds together with that.
    fn related(
        &self,
        basis: &InductionBasis<'_>,
        known: &[Invariant],
        guesses: &[Invariant],
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Invariant>> {
        let first = basis.network.row(self.game.initial_state())?;
        let mut all = related_guesses(basis.groups, known, &self.sample(basis, &first));
        all.extend(guesses.iter().filter(|guess| !known.contains(guess)).cloned());
        self.together(basis.network, known, all, is_over)
    }

    /// What holds of these guesses together with counts.
    fn counted(
        &self,
        basis: &InductionBasis<'_>,
        mut guesses: Vec<Invariant>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Invariant>> {
        let first = basis.network.row(self.game.initial_state())?;
        // Induction begins with the first state, whether or not a match was kept.
        let states = || self.walked.states().chain([&first[..]]);
        let counted = counted(basis.groups, states());
        guesses.extend(counted.into_iter().filter(|guess| states().all(|row| guess.holds(row))));
        self.together(basis.network, &[], guesses, is_over)
    }

    /// Sums that no turn changes, and that some fluent of each of these groups is always true, as far as the sums show it.
    fn sums(
        &self,
        basis: &InductionBasis<'_>,
        known: &[Invariant],
        guesses: &[Invariant],
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<Invariant>> {
        let InductionBasis { network, groups } = basis;
        let first = network.row(self.game.initial_state())?;
        let states: Vec<&[u64]> = [&first[..]].into_iter().chain(self.walked.states()).collect();
        let is_open =
            |guess: &&Invariant| matches!(guess, Invariant::AtLeastOne(_)) && !known.contains(guess);
        let open: Vec<Invariant> = guesses.iter().filter(is_open).cloned().collect();
        let mut guesses = sum_guesses(groups, SumBasis { known, open: &open }, &states);
        guesses.extend(open);
        constant(&mut Circuit::new(network.tape(), 1)?, known, guesses, is_over)
    }

    /// What the invariants say of single states after so many turns from any; those before were looked at.
    fn of_states(
        &self,
        network: &GameNetwork,
        invariants: &[Invariant],
        depth: usize,
        known: &SettledAnswers<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Vec<RuleAnswer>> {
        let mut circuit = Circuit::new(network.tape(), depth)?;
        let Circuit { gates, clauses, states, .. } = &mut circuit;
        for state in states.iter() {
            let held: Vec<Wire> =
                invariants.iter().map(|invariant| invariant.wire(gates, &state.bases)).collect();
            clauses.extend(held.into_iter().map(|wire| vec![wire]));
        }
        let mut claims = self.claims().of(network, gates, &states[depth]);
        // Before the state that a claim is about every sum would do.
        let is_of_all = |claim: &StateClaim| depth == 0 || claim.answer.question != RuleQuestion::ConstantSum;
        claims.retain(|claim| is_of_all(claim) && known.is_open(&claim.answer));
        if claims.is_empty() {
            return None;
        }
        let wires: Vec<Wire> = claims.iter().map(|claim| claim.broken).collect();
        let mut prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
        let mut found = Vec::new();
        for (place, claim) in claims.into_iter().enumerate() {
            let broken = prover.literal(place);
            if prover.ask(&[broken], is_over) == Proof::Impossible {
                found.push(claim.answer);
            }
        }
        Some(found)
    }
}

/// That every match ends.
fn ends_answer() -> RuleAnswer {
    let text = "every match ends: some fluents change only finitely often, and no turns leave all of these as they are".to_owned();
    RuleAnswer::new(RuleQuestion::Terminates, RuleVerdict::Proved, Grounds::Induction, text)
}
