//! A picture of any position of a game: moves that are named, and others drawn as a match of a seed has them.

use std::{collections::VecDeque, io::Write, sync::Arc};

use clap::Args;
use croupier_engine::{ByRole, Game, GameError, InformationSet, MoveId, RoleId, Scratch, State, Status};
use croupier_games::{GameFacts, Scene, printable};
use croupier_picture::Picture;
use croupier_referee::Chance;
use croupier_table::{Seen, scene_of_state, scene_of_states};

use crate::{
    arguments::{count::count, engine::Engine, entropy, records, role, source::Source},
    output::failure::Failure,
    sessions::seat::{Choices, NamedMove, Understood},
};

/// Which position is drawn, and for whom.
#[derive(Args)]
pub(super) struct PositionArguments {
    /// Print a picture of the table as SVG: before the first move, unless --moves or --turn says where
    #[arg(long, conflicts_with_all = ["rules", "engine", "counts", "symmetries", "json"])]
    pub(super) svg: bool,
    /// With --svg: what this role knows of the table, instead of all that is there
    #[arg(long, value_name = "ROLE", requires = "svg")]
    role: Option<String>,
    /// With --svg: moves of the players, in order, with commas between them; `ROLE: MOVE` names one of chance, too.
    /// The picture is of the next decision after them
    #[arg(long, value_name = "MOVES", requires = "svg")]
    moves: Option<String>,
    /// With --svg: the table after so many turns; moves that nobody names are drawn
    #[arg(long, value_name = "N", requires = "svg", value_parser = count::<usize>(0..=100_000))]
    turn: Option<usize>,
    /// What is drawn, as in a match of this seed: an integer or 64 hexadecimal digits
    #[arg(long, value_name = "SEED", requires = "svg", default_value = "0")]
    seed: String,
}

/// Draws the position.
pub(super) fn write(
    out: &mut dyn Write,
    source: &Source,
    arguments: &PositionArguments,
) -> Result<(), Failure> {
    // Only what a role knows needs a network.
    let engine = if arguments.role.is_some() { Engine::Auto } else { Engine::Datalog };
    let game = source.compile(&engine.options())?;
    let role = arguments.role.as_ref().map(|name| role::player(game.roles(), name)).transpose()?;
    let mut line = PositionLine::new(Arc::clone(&game), &source.facts, arguments)?;
    line.play(arguments)?;
    let (players, seat) = (super::names(game.roles(), game.roles().players()), role);
    let seat_name = seat.map(|seat| game.roles().name(seat));
    let draw = |scene: &Scene, before: Option<&Picture>| {
        Picture::of(&source.facts, scene, &players, seat_name, before)
    };
    let turns = line.states.len() - 1;
    let before = turns.checked_sub(1).map(|turns| line.scene(seat, turns)).transpose()?;
    let before = before.map(|scene| draw(&scene, None));
    let picture = draw(&line.scene(seat, turns)?, before.as_ref());
    writeln!(out, "{}", picture.svg())?;
    Ok(())
}

/// A match up to the position.
struct PositionLine<'f> {
    game: Arc<Game>,
    facts: &'f GameFacts,
    chance: Chance,
    scratch: Scratch,
    /// Before the first turn, and after each.
    states: Vec<State>,
    /// What each player did and was told, in the order of the players.
    known: Vec<InformationSet>,
    /// Moves that were named and not played yet.
    named: VecDeque<String>,
}

impl<'f> PositionLine<'f> {
    fn new(game: Arc<Game>, facts: &'f GameFacts, arguments: &PositionArguments) -> Result<Self, Failure> {
        let chance = Chance::new(&entropy::seed(Some(&arguments.seed))?);
        let named = arguments.moves.iter().flat_map(|moves| moves.split(','));
        Ok(Self {
            facts,
            chance,
            scratch: game.scratch(),
            states: vec![game.initial_state().clone()],
            known: game.roles().players().map(InformationSet::initial).collect(),
            named: named.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect(),
            game,
        })
    }

    /// Plays all moves that are named, and then until the position is there.
    fn play(&mut self, arguments: &PositionArguments) -> Result<(), Failure> {
        loop {
            let turns = self.states.len() - 1;
            if arguments.turn.is_some_and(|turn| turns >= turn)
                || (arguments.moves.is_none() && arguments.turn.is_none())
            {
                break;
            }
            let state = self.states.last().expect("a match has a first state");
            let status = self.game.status(state, &mut self.scratch).map_err(|error| failed(&error))?;
            let Status::Running { legal } = status else {
                let rest = arguments.turn.map(|turn| format!("--turn takes 0 to {turns}, not {turn}"));
                if let Some(help) = rest {
                    let told = format!("the match is over after {turns} turns");
                    return Err(Failure::refuse("unknown-turn", told).help(help));
                }
                break;
            };
            let is_decision = self.game.roles().players().any(|role| legal[role].len() > 1);
            if arguments.turn.is_none() && self.named.is_empty() && is_decision {
                break;
            }
            self.turn(&legal)?;
        }
        match self.named.front() {
            None => Ok(()),
            Some(left) => {
                let told = format!("the position is reached before the move '{}'", printable(left));
                Err(Failure::refuse("unplayed-move", told).at_argument("--moves", left))
            }
        }
    }

    fn state(&self) -> &State {
        self.states.last().expect("a match has a first state")
    }

    fn turn(&mut self, legal: &ByRole<Vec<MoveId>>) -> Result<(), Failure> {
        let game = Arc::clone(&self.game);
        let moves = ByRole::try_from_fn(game.roles(), |role| self.choose(role, &legal[role]))?;
        let state = self.state().clone();
        let joint_move = game.joint_move(&state, moves, &mut self.scratch);
        let joint_move = joint_move.map_err(|error| Failure::refuse("bad-move", error.to_string()))?;
        let turn = game.turn(&state, &joint_move, &mut self.scratch).map_err(|error| failed(&error))?;
        for own in &mut self.known {
            own.turns.push((joint_move.of(own.role), turn.percepts[own.role].clone()));
        }
        self.states.push(turn.successor);
        Ok(())
    }

    /// The move of a role: the next that is named, if it has a choice, or the one that a match of the seed has.
    fn choose(&mut self, role: RoleId, legal: &[MoveId]) -> Result<MoveId, Failure> {
        let (is_chance, turn) = (self.game.roles().random() == Some(role), self.states.len() - 1);
        let turn =
            u32::try_from(turn).map_err(|_| Failure::refuse("unknown-turn", "there are too many turns"))?;
        if legal.len() > 1
            && let Some(text) = self.next_named(role, is_chance)?
        {
            return self.read(role, legal, &text);
        }
        let count = legal.len() as u64;
        let place =
            if is_chance { self.chance.draw(turn, count) } else { self.chance.substitute(turn, role, count) };
        Ok(legal[usize::try_from(place).expect("a place in a list")])
    }

    /// The next named move, if it may be of this role; chance is named with each of its moves.
    fn next_named(&mut self, role: RoleId, is_chance: bool) -> Result<Option<String>, Failure> {
        let Some(next) = self.named.front() else { return Ok(None) };
        let roles = self.game.roles();
        let of = next.split_once(':').and_then(|(name, text)| Some((roles.find(name.trim())?, text.trim())));
        let text = match of {
            Some((named, text)) if named == role => text.to_owned(),
            Some((named, _)) if is_chance || roles.random() == Some(named) => return Ok(None),
            Some((named, _)) => {
                let told = format!("{} chooses before {}", roles.name(role), roles.name(named));
                return Err(Failure::refuse("bad-move", told).at_argument("--moves", next));
            }
            None if is_chance => return Ok(None),
            None => next.clone(),
        };
        self.named.pop_front();
        Ok(Some(text))
    }

    /// The legal move that a text means, as at the terminal.
    fn read(&self, role: RoleId, legal: &[MoveId], text: &str) -> Result<MoveId, Failure> {
        let (game, words) = (&self.game, &self.facts.words);
        let scene = scene_of_state(game, self.facts, self.state());
        let mut legal = legal.to_vec();
        legal.sort_by_cached_key(|&id| words.move_place(&game.move_text(id)));
        let named = |&id: &MoveId| {
            let term = game.move_text(id);
            let words = words.move_text_in(&term, &scene);
            NamedMove { id, term, words }
        };
        let named: Vec<NamedMove> = legal.iter().map(named).collect();
        let table = game.state_terms(self.state());
        let table: Vec<&str> = table.iter().map(|term| &**term).collect();
        let choices = Choices::new(&named, &self.facts.typed, &table);
        let told = match choices.understand(text, |text| game.move_id(text).ok()) {
            Understood::Move(id) => return Ok(id),
            Understood::Ambiguous(told) => told,
            Understood::Nonsense(_) | Understood::Command(_) | Understood::Nothing => {
                format!("'{}' is not a legal move", printable(text))
            }
        };
        let turn = self.states.len() - 1;
        let role = game.roles().name(role);
        let refusal = Failure::refuse("bad-move", format!("turn {turn}, {role}: {told}"));
        Err(refusal.at_argument("--moves", text).help(format!("legal are: {}", choices.list())))
    }

    /// What is known of the table after so many turns: by a role, or by whoever sees the states.
    fn scene(&self, seat: Option<RoleId>, turns: usize) -> Result<Scene, Failure> {
        let Some(known) = seat.and_then(|seat| self.known.iter().find(|known| known.role == seat)) else {
            return Ok(scene_of_states(&self.game, self.facts, self.states[..=turns].iter()));
        };
        let unknowable = |error| records::unknowable(error).help("leave out --role");
        let mut seen = Seen::new(Arc::clone(&self.game), known.clone()).map_err(unknowable)?;
        seen.after(turns, self.facts).map_err(unknowable)
    }
}

fn failed(error: &GameError) -> Failure {
    Failure::refuse("bad-game", error.to_string())
}
