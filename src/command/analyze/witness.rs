//! Lines of joint moves as records: chance must draw what the line says, so a seed is looked for that does.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use croupier_engine::{ByPlayer, Game, JointMove, RoleId, Status, Strictness, game::PerceptReading};
use croupier_proofs::{Examination, Line};
use croupier_referee::{
    Chance, Clocks, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution,
    run_match,
};

use crate::{arguments::source::Source, output::failure::Failure, sessions::series::series_id};

/// Seeds that are tried for a line: what is less likely than one in some hundred thousand is shown as moves alone.
const SEEDS_TRIED: u128 = 200_000;

/// The longest line that becomes a record.
const TURNS_MAX: usize = 5_000;

/// What shows an answer.
pub(super) struct Witness {
    /// A word for the file.
    pub(super) name: String,
    /// The record; `None` if no seed was found whose draws are those of the line.
    pub(super) record: Option<Vec<u8>>,
}

/// All lines that show answers.
pub(super) struct Witnesses(pub(super) Vec<Witness>);

impl Witnesses {
    /// The lines of answers as records.
    ///
    /// # Errors
    /// If the rules are not ones that players can be sent.
    pub(super) fn of(source: &Source, game: &Arc<Game>, found: &Examination) -> Result<Self, Failure> {
        let mut all = Vec::new();
        for shown in &found.answers {
            for (number, line) in shown.lines.iter().enumerate() {
                let role =
                    shown.role.map_or(String::new(), |role| format!("-{}", plain(game.roles().name(role))));
                let about =
                    shown.about.as_deref().map_or(String::new(), |about| format!("-{}", plain(about)));
                let number = if shown.lines.len() > 1 { format!("-{}", number + 1) } else { String::new() };
                let name = format!("{}{role}{about}{number}", shown.question.name());
                all.push(Witness { name, record: record(source, game, line)? });
            }
        }
        Ok(Self(all))
    }

    /// Writes records into a folder, which is made if it is not there; the files.
    ///
    /// # Errors
    /// If the folder does not take them.
    pub(super) fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        let trouble = |path: &Path, error| Failure::file("cannot-write", path, &error);
        fs::create_dir_all(folder).map_err(|error| trouble(folder, error))?;
        let mut written = Vec::new();
        for witness in &self.0 {
            let Some(record) = &witness.record else { continue };
            let path = folder.join(format!("{}.jsonl", witness.name));
            fs::write(&path, record).map_err(|error| trouble(&path, error))?;
            written.push(path);
        }
        Ok(written)
    }
}

/// A text as a part of the name of a file.
pub(super) fn plain(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    words.join("-")
}

/// The index of the move of chance among its legal ones, and their number, turn by turn; `None` if a line cannot be played.
fn draws(game: &Game, line: &Line) -> Option<Vec<(u64, u64)>> {
    let Some(random) = game.roles().random() else { return Some(Vec::new()) };
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let mut found = Vec::new();
    for joint_move in &line.moves {
        let Ok(Status::Running { legal }) = game.status(&state, &mut scratch) else { return None };
        let moves = &legal[random];
        let index = moves.iter().position(|&id| id == joint_move.of(random))?;
        found.push((index as u64, moves.len() as u64));
        state = game.successor(&state, joint_move, &mut scratch).ok()?;
    }
    Some(found)
}

/// A seed with which chance plays a line.
pub(super) fn seed_of(draws: &[(u64, u64)]) -> Option<Seed> {
    let plays = |seed: &Seed| {
        let chance = Chance::new(seed);
        (0..).zip(draws).all(|(turn, &(index, n))| n == 1 || chance.draw(turn, n) == index)
    };
    let likely = draws.iter().map(|&(_, n)| n as f64).product::<f64>();
    if likely > SEEDS_TRIED as f64 {
        return None;
    }
    (0..SEEDS_TRIED).filter_map(|number| Seed::from_text(&number.to_string()).ok()).find(plays)
}

/// The record of a match that begins with the line and is stopped where it ends.
fn record(source: &Source, game: &Arc<Game>, line: &Line) -> Result<Option<Vec<u8>>, Failure> {
    if line.moves.len() > TURNS_MAX {
        return Ok(None);
    }
    let Some(seed) = draws(game, line).and_then(|draws| seed_of(&draws)) else { return Ok(None) };
    let roles = game.roles();
    let setup = MatchSetup {
        match_id: series_id(source, &seed, "analyze"),
        series: None,
        session: None,
        rules: source.rules.clone(),
        game_name: Some(source.name.clone()),
        players: roles.players().map(|role| (roles.name(role).to_owned(), "witness".to_owned())).collect(),
        clocks: Clocks::of(60_000, 60_000),
        percepts: PerceptReading::OldState,
        strictness: Strictness::Compatible,
        substitution: Substitution::Drawn,
        turns_max: u32::try_from(line.moves.len().max(1)).unwrap_or(u32::MAX),
        nonces: Nonces::Clear,
    };
    let header = Header::compile(setup)
        .map_err(|error| Failure::refuse("bad-match", error.to_string()).at(&source.origin))?;
    let moves = Arc::new(texts(game, &line.moves));
    let mut seats: ByPlayer<Box<dyn Seat>> = ByPlayer::from_fn(header.roles(), |role| {
        Box::new(LineSeat { role, moves: Arc::clone(&moves) }) as Box<dyn Seat>
    });
    let played = run_match(&Arc::new(header), Secrets::from_seed(seed), &mut seats, |_, _| {});
    Ok(Some(played.record))
}

/// The moves of each turn as texts, by role.
fn texts(game: &Game, moves: &[JointMove]) -> Vec<Vec<String>> {
    let turn = |joint_move: &JointMove| {
        let text = |(_, &id)| game.move_text(id).to_string();
        joint_move.moves().iter().map(text).collect()
    };
    moves.iter().map(turn).collect()
}

/// Plays the moves of a line in one role.
struct LineSeat {
    role: RoleId,
    moves: Arc<Vec<Vec<String>>>,
}

impl Seat for LineSeat {
    fn receive(&mut self, message: &Message) -> SeatReply {
        match message {
            Message::Play { turn, .. } => {
                let turn = usize::try_from(*turn).unwrap_or(usize::MAX);
                let own = self.moves.get(turn).map(|moves| moves[self.role.index()].clone());
                SeatReply::text(own.unwrap_or_default())
            }
            _ => SeatReply::text("READY"),
        }
    }
}
