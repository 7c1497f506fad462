//! Matches that share the words of planes.

use std::sync::Arc;

use croupier_engine::{
    InformationSet,
    batch::{Generator, Lanes, Plane, Planes},
    stages::propnet::Phase,
};

use crate::{
    Arrays, EnvironmentSettings, Features, SeatKind, Space, TrainingError,
    arrays::ArrayShape,
    beliefs::Beliefs,
    bytes::{write_bits, write_plane},
    events::LaneEvents,
    known::LaneInformationSets,
    memory::{PlayerMemory, plane},
    size::{LANES, W},
    space::PlayerSpace,
};

/// What all blocks share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockContext<'g> {
    pub(crate) space: &'g Space,
    pub(crate) settings: &'g EnvironmentSettings,
    pub(crate) shape: ArrayShape,
}

/// The first number of the generators that sampled moves are drawn from; those of matches are numbered from 0.
const SAMPLES: u64 = 1 << 63;

/// Up to 512 matches.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    lanes: Lanes<W>,
    random: Generator<W>,
    /// What sampled moves are drawn from.
    sampler: Generator<W>,
    /// Lanes that have a match.
    active: Plane<W>,
    /// By player.
    memories: Vec<PlayerMemory>,
    /// By player, what it knew at the end of the last match, if that is kept.
    finals: Option<Vec<PlayerMemory>>,
    /// Information sets, if the caller needs them.
    known: Option<LaneInformationSets>,
    /// What players did and were told, if features are beliefs.
    events: Option<LaneEvents>,
    /// Beliefs, if the block writes them.
    beliefs: Option<Beliefs>,
    /// By player, the lanes in which it has a choice and its seat is open.
    choosing: Vec<Plane<W>>,
    /// By lane, turns of the match.
    turns: Vec<u32>,
    /// No match has more turns.
    turns_most: u32,
    /// Lanes whose match ended in this step, and those of them that reached the turn limit.
    done: Plane<W>,
    truncated: Plane<W>,
    /// By lane and player, the result of the match that ended.
    goals: Vec<f32>,
    /// By lane, the joint moves of its match and of the one before.
    traces: Option<Vec<Trace>>,
    /// By player, its legal moves; and the state, where features show it.
    masks: Vec<Planes<W>>,
    state: Option<Planes<W>>,
    /// By player, rows to write.
    rows: Vec<Vec<u64>>,
}

/// A player with a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockChoice<'b> {
    pub(crate) lane: usize,
    pub(crate) place: usize,
    /// By what its information set is known.
    pub(crate) key: &'b [u32],
}

/// What beliefs are inferred from, and what infers them.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockInference {
    pub(crate) events: Option<LaneEvents>,
    pub(crate) beliefs: Option<Beliefs>,
}

/// Joint moves, by number for each role.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) now: Vec<Vec<u32>>,
    pub(crate) before: Vec<Vec<u32>>,
}

impl Block {
    /// No match yet in this many lanes.
    pub(crate) fn new(
        space: &Space,
        settings: &EnvironmentSettings,
        inference: BlockInference,
        lanes: usize,
    ) -> Self {
        let BlockInference { events, beliefs } = inference;
        let players = space.players.len();
        let memories: Vec<PlayerMemory> =
            space.players.iter().map(|player| PlayerMemory::new(space, player)).collect();
        Self {
            lanes: Lanes::new(Arc::clone(space.tape())),
            random: Generator::new(settings.seed, 0),
            sampler: Generator::new(settings.seed, SAMPLES),
            active: Plane::first(lanes),
            finals: (settings.finals && space.shows_knowledge()).then(|| memories.clone()),
            memories,
            known: settings.knowledge.then(|| LaneInformationSets::new(space)),
            events,
            beliefs,
            choosing: vec![Plane::NONE; players],
            turns: vec![0; LANES],
            turns_most: 0,
            done: Plane::NONE,
            truncated: Plane::NONE,
            goals: vec![0.0; LANES * players],
            traces: settings.traces.then(|| vec![Trace::default(); LANES]),
            masks: space.players.iter().map(|player| Planes::new(player.moves.len())).collect(),
            state: (space.features == Features::State).then(|| Planes::new(space.tape().bases_count())),
            rows: vec![Vec::new(); players],
        }
    }

    /// A player's information set in a lane, if it is kept.
    pub(crate) fn known(&self, lane: usize, place: usize) -> Option<&InformationSet> {
        self.known.as_ref().map(|known| known.of(lane, place))
    }

    /// The players who have a choice in an open seat, by lane and player, with the keys of what they did and were told, if features are
    /// beliefs.
    pub(crate) fn choices(&self) -> impl Iterator<Item = BlockChoice<'_>> {
        let seats = self.choosing.iter().enumerate();
        seats.flat_map(|(place, choosing)| choosing.lanes().map(move |lane| (lane, place))).filter_map(
            |(lane, place)| {
                let events = self.events.as_ref()?;
                Some(BlockChoice { lane, place, key: events.of(lane, place).key() })
            },
        )
    }

    /// How many beliefs are kept, by all blocks together.
    pub(crate) fn beliefs_kept(&self) -> usize {
        self.beliefs.as_ref().map_or(0, Beliefs::kept_count)
    }

    /// The joint moves of a lane, if they are kept.
    pub(crate) fn trace(&self, lane: usize) -> Option<&Trace> {
        self.traces.as_ref().map(|traces| &traces[lane])
    }

    /// Appends all that its matches depend on.
    pub(crate) fn append_words(&self, space: &Space, words: &mut Vec<u64>) {
        words.extend(self.random.words());
        words.extend(self.sampler.words());
        words.extend((0..self.lanes.tape().bases_count()).flat_map(|base| self.lanes.base(base).0));
        self.memories.iter().for_each(|memory| words.extend(memory.words()));
        if let Some(known) = &self.known {
            known.append_words(space, words);
        }
        if let Some(events) = &self.events {
            events.append_words(words);
        }
        words.extend(self.turns.iter().map(|&turns| u64::from(turns)));
    }

    /// Restores what [`append_words`](Self::append_words) appended, and removes it from the front. `None` if it is invalid.
    pub(crate) fn restore(&mut self, context: BlockContext<'_>, words: &mut &[u64]) -> Option<()> {
        for generator in [&mut self.random, &mut self.sampler] {
            let (saved, rest) = words.split_at_checked(Generator::<W>::WORDS)?;
            *generator = Generator::from_words(saved)?;
            *words = rest;
        }
        for base in 0..self.lanes.tape().bases_count() {
            self.lanes.set_base(base, plane(words)?);
        }
        for memory in &mut self.memories {
            memory.restore(words)?;
        }
        if let Some(known) = &mut self.known {
            known.restore(context.space, context.settings.turns_max, words)?;
        }
        if let Some(events) = &mut self.events {
            events.restore(context.space, context.settings.turns_max, words)?;
        }
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.forget(Plane::ALL);
        }
        let (turns, rest) = words.split_at_checked(LANES)?;
        for (turns, word) in self.turns.iter_mut().zip(turns) {
            *turns = u32::try_from(*word).ok().filter(|turns| *turns <= context.settings.turns_max)?;
        }
        *words = rest;
        self.turns_most = context.settings.turns_max;
        self.clear();
        self.look(context);
        Some(())
    }

    /// Begins all matches, and plays them up to their first choices. The number of the block names its draws.
    pub(crate) fn begin(&mut self, context: BlockContext<'_>, number: u64) -> Result<(), TrainingError> {
        self.random = Generator::new(context.settings.seed, number);
        self.sampler = Generator::new(context.settings.seed, SAMPLES + number);
        if let Some(finals) = &mut self.finals {
            finals.iter_mut().for_each(|memory| memory.forget(Plane::ALL));
        }
        self.clear();
        self.start(context, self.active);
        self.look(context);
        self.play_on(context)?;
        // Matches that ended without any choice were nobody's.
        self.clear();
        Ok(())
    }

    /// Draws a legal move for every player, by column for each lane and player.
    pub(crate) fn sample(&mut self, space: &Space, columns: &mut [i32]) -> Result<(), TrainingError> {
        if self.lanes.choose(self.active, &mut self.sampler).any() {
            return Err(TrainingError::Stuck);
        }
        let players = space.players.len();
        for (place, player) in space.players.iter().enumerate() {
            for (column, &number) in (0..).zip(&player.moves) {
                let made = self.lanes.made(player.role, number) & self.active;
                made.lanes().for_each(|lane| columns[lane * players + place] = column);
            }
        }
        Ok(())
    }

    /// Starts the matches of some lanes anew, and plays them up to their first choices.
    pub(crate) fn restart(
        &mut self,
        context: BlockContext<'_>,
        lanes: Plane<W>,
    ) -> Result<(), TrainingError> {
        self.clear();
        self.start(context, self.active & lanes);
        self.look(context);
        self.play_on(context)?;
        // Matches that ended without any choice were nobody's.
        self.clear();
        Ok(())
    }

    /// Makes moves in some lanes, by column for each lane and player, and plays on to the next choices there. Returns how many
    /// were drawn.
    pub(crate) fn step(
        &mut self,
        context: BlockContext<'_>,
        lanes: Plane<W>,
        moves: &[i32],
    ) -> Result<u64, TrainingError> {
        self.clear();
        let wanted = self.active & lanes;
        if self.lanes.choose(wanted, &mut self.random).any() {
            return Err(TrainingError::Stuck);
        }
        let players = context.space.players.len();
        let mut drawn = 0;
        for (place, player) in context.space.players.iter().enumerate() {
            let of_lane = |lane: usize| moves[lane * players + place];
            drawn += self.make(player, self.choosing[place] & wanted, of_lane);
        }
        self.pass(context, wanted);
        self.play_on(context)?;
        Ok(drawn)
    }

    /// Plays a player's moves where they are legal; elsewhere the drawn moves are kept, and counted.
    fn make(&mut self, player: &PlayerSpace, choosing: Plane<W>, of_lane: impl Fn(usize) -> i32) -> u64 {
        if !choosing.any() {
            return 0;
        }
        let mut wanted = vec![Plane::<W>::NONE; player.moves.len()];
        for lane in choosing.lanes() {
            if let Some(plane) = usize::try_from(of_lane(lane)).ok().and_then(|column| wanted.get_mut(column))
            {
                plane.set(lane, true);
            }
        }
        let mut valid = Plane::NONE;
        for (plane, &number) in wanted.iter_mut().zip(&player.moves) {
            *plane &= self.lanes.legal(player.role, number);
            valid |= *plane;
        }
        for (plane, &number) in wanted.iter().zip(&player.moves) {
            let made = (self.lanes.made(player.role, number) & !valid) | *plane;
            self.lanes.set_made(player.role, number, made);
        }
        u64::from((choosing & !valid).count())
    }

    /// Continues in lanes without a choice until every match has one.
    fn play_on(&mut self, context: BlockContext<'_>) -> Result<(), TrainingError> {
        // Whoever never finds a choice would play for ever.
        let passes_max = 2 * u64::from(context.settings.turns_max) + 2;
        for _ in 0..passes_max {
            self.end(context)?;
            let open = self.choosing.iter().fold(Plane::NONE, |open, &choosing| open | choosing);
            let waiting = self.active & !open;
            if !waiting.any() {
                return Ok(());
            }
            if self.lanes.choose(waiting, &mut self.random).any() {
                return Err(TrainingError::Stuck);
            }
            self.pass(context, waiting);
        }
        Err(TrainingError::NoChoice)
    }

    /// Plays the moves that are made in some lanes.
    fn pass(&mut self, context: BlockContext<'_>, wanted: Plane<W>) {
        self.lanes.evaluate(Phase::Next);
        self.lanes.evaluate(Phase::Sees);
        if self.state.is_none() {
            for (memory, player) in self.memories.iter_mut().zip(&context.space.players) {
                memory.learn(player, &self.lanes, wanted);
            }
        }
        if let Some(known) = &mut self.known {
            known.learn(context.space, &self.lanes, wanted);
        }
        if let Some(events) = &mut self.events {
            events.learn(context.space, &self.lanes, wanted);
        }
        if let Some(traces) = &mut self.traces {
            wanted.lanes().for_each(|lane| traces[lane].now.push(joint_move(&self.lanes, lane)));
        }
        for (turns, word) in self.turns.chunks_exact_mut(64).zip(wanted.0) {
            for (lane, turns) in turns.iter_mut().enumerate() {
                *turns += (word >> lane & 1) as u32;
            }
        }
        self.turns_most = self.turns_most.saturating_add(1);
        self.lanes.advance_in(wanted);
        self.look(context);
    }

    /// Evaluates the states: which players have a choice in which lanes.
    fn look(&mut self, context: BlockContext<'_>) {
        self.lanes.evaluate(Phase::State);
        for (place, player) in context.space.players.iter().enumerate() {
            let (mut some, mut more) = (Plane::NONE, Plane::NONE);
            if context.settings.seats.get(place) != Some(&SeatKind::Random) {
                for &number in &player.moves {
                    let legal = self.lanes.legal(player.role, number);
                    more |= some & legal;
                    some |= legal;
                }
            }
            self.choosing[place] = more & self.active;
        }
    }

    /// Ends matches that are over or too long, and begins the next ones.
    fn end(&mut self, context: BlockContext<'_>) -> Result<(), TrainingError> {
        let over = self.lanes.terminal() & self.active;
        let late = self.late(context.settings.turns_max) & !over;
        let ended = over | late;
        if !ended.any() {
            return Ok(());
        }
        if over.any() {
            self.lanes.evaluate(Phase::Goal);
            self.count(context, over & !self.done)?;
        }
        if let Some(finals) = &mut self.finals {
            let first = ended & !self.done;
            finals.iter_mut().zip(&self.memories).for_each(|(last, memory)| last.copy_in(memory, first));
        }
        self.truncated |= late & !self.done;
        self.done |= ended;
        self.start(context, ended);
        self.look(context);
        Ok(())
    }

    /// The lanes whose match has at least this many turns.
    fn late(&mut self, limit: u32) -> Plane<W> {
        let mut late = Plane::NONE;
        if self.turns_most >= limit {
            self.turns_most = self.turns.iter().copied().max().unwrap_or(0);
            for (lane, &turns) in self.turns.iter().enumerate() {
                late.0[lane / 64] |= u64::from(turns >= limit) << (lane % 64);
            }
        }
        late & self.active
    }

    /// Records the players' results in some lanes.
    fn count(&mut self, context: BlockContext<'_>, lanes: Plane<W>) -> Result<(), TrainingError> {
        let players = context.space.players.len();
        for (place, player) in context.space.players.iter().enumerate() {
            let mut rest = lanes;
            for (index, has) in self.lanes.goals(player.role) {
                let Some(value) = context.space.goals[place][index as usize] else { continue };
                (has & lanes).lanes().for_each(|lane| self.goals[lane * players + place] = value);
                rest &= !has;
            }
            if rest.any() {
                return Err(TrainingError::NoGoal { role: player.role });
            }
        }
        Ok(())
    }

    /// Puts the initial state into some lanes.
    fn start(&mut self, context: BlockContext<'_>, lanes: Plane<W>) {
        self.lanes.set_states(lanes, context.space.tape().initial());
        self.memories.iter_mut().for_each(|memory| memory.forget(lanes));
        if let Some(known) = &mut self.known {
            known.forget(lanes);
        }
        if let Some(events) = &mut self.events {
            events.forget(lanes);
        }
        if let Some(beliefs) = &mut self.beliefs {
            beliefs.forget(lanes);
        }
        for lane in lanes.lanes() {
            self.turns[lane] = 0;
            if let Some(traces) = &mut self.traces {
                traces[lane].before = std::mem::take(&mut traces[lane].now);
            }
        }
    }

    fn clear(&mut self) {
        (self.done, self.truncated) = (Plane::NONE, Plane::NONE);
        self.goals.fill(0.0);
    }

    /// Writes the observations at the choices.
    pub(crate) fn write(
        &mut self,
        context: BlockContext<'_>,
        arrays: Arrays<'_>,
    ) -> Result<(), TrainingError> {
        let BlockContext { space, shape, .. } = context;
        let count = arrays.done.len();
        arrays.goals.copy_from_slice(&self.goals[..count * shape.players]);
        arrays.turn.copy_from_slice(&self.turns[..count]);
        write_plane(self.done, 1, arrays.done);
        write_plane(self.truncated, 1, arrays.truncated);
        for (place, &choosing) in self.choosing.iter().enumerate() {
            write_plane(choosing, shape.players, &mut arrays.acting[place..]);
        }
        for ((rows, legal), player) in self.rows.iter_mut().zip(&mut self.masks).zip(&space.players) {
            for (column, &number) in player.moves.iter().enumerate() {
                legal.set(column, self.lanes.legal(player.role, number));
            }
            rows.clear();
            legal.append_rows(self.active, rows);
        }
        write_bits(&self.rows, shape.moves, arrays.mask);
        if let Some(events) = &self.events {
            let ArrayShape { players, probabilities: size, .. } = shape;
            arrays.probabilities.fill(0.0);
            let Some(beliefs) = &mut self.beliefs else { return Ok(()) };
            for (place, choosing) in self.choosing.iter().enumerate() {
                for lane in choosing.lanes() {
                    let written = &mut arrays.probabilities[(lane * players + place) * size..][..size];
                    beliefs.write(space, events, (lane, place), written)?;
                }
            }
            return Ok(());
        }
        if let Some(state) = &mut self.state {
            (0..state.len()).for_each(|base| state.set(base, self.lanes.base(base)));
        }
        for (rows, memory) in self.rows.iter_mut().zip(&self.memories) {
            rows.clear();
            match &self.state {
                Some(state) => state.append_rows(self.active, rows),
                None => memory.append_rows(self.active, rows),
            }
        }
        write_bits(&self.rows, shape.features, arrays.features);
        Ok(())
    }
}

impl Block {
    /// Writes what each player knew at the end of the last match.
    pub(crate) fn write_finals(
        &mut self,
        shape: ArrayShape,
        features: &mut [u8],
    ) -> Result<(), TrainingError> {
        let finals = self.finals.as_ref().ok_or(TrainingError::NoKnowledge)?;
        for (rows, memory) in self.rows.iter_mut().zip(finals) {
            rows.clear();
            memory.append_rows(self.active, rows);
        }
        write_bits(&self.rows, shape.features, features);
        Ok(())
    }
}

/// The moves that are made in a lane, by number for each role.
fn joint_move(lanes: &Lanes<W>, lane: usize) -> Vec<u32> {
    let tape = lanes.tape();
    let of_role = |role| {
        let made = (0..tape.moves_count(role)).find(|&number| lanes.made(role, number).get(lane));
        u32::try_from(made.expect("every role makes a move")).expect("moves are fewer than 2^32")
    };
    tape.roles().map(of_role).collect()
}
