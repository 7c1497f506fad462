//! The arguments `--seat ROLE=AGENT`: who sits where.

use std::{
    fmt,
    io::Write,
    path::Path,
    sync::{Arc, LazyLock},
};

use croupier_belief::Guide;
use croupier_engine::{ByPlayer, Game, RoleId, Roles};
use croupier_games::{alike, blueprints};
use croupier_nets::{BeliefNet, Net, NetError, ValueNet};
use croupier_players::{
    KindError, KindFile, KindFileError, KindFormat, KindHelp, Model, PlayerError, PlayerKind, Solutions,
    find_player,
};
use croupier_referee::protocol::{FormError, WireForm};
use croupier_remote::PlayerAddress;

use crate::{
    arguments::{file::read_file, kept::Folder, role},
    output::failure::Failure,
};

/// What a person at the terminal is called.
pub(crate) const HUMAN: &str = "human";

/// Who sits in a role that no `--seat` names.
pub(crate) const STANDARD: &str = "resolve";

/// Who plays in a real-time game if nothing is said.
pub(crate) const STANDARD_IN_REAL_TIME: &str = "mc";

/// Who sits there if the role has full sight by a rule of its own.
const WITH_FULL_SIGHT: &str = "uct";

/// What all programs of this process know of games: the strategies that come with them, and what was solved.
static SOLUTIONS: LazyLock<Solutions> = LazyLock::new(|| {
    let kept = Folder::named().map(|folder| folder.blueprints()).unwrap_or_default();
    Solutions::with_blueprints(blueprints()).with_kept(kept)
});

/// What all programs of this process know of games.
pub(crate) fn solutions() -> Solutions {
    SOLUTIONS.clone()
}

/// Keeps what players of this process have learnt of games from deals, if there is a folder for it.
pub(crate) fn keep_solutions() {
    // Where nobody was seated, nothing was learnt, and the files of the folder need not be read.
    let (Some(folder), Some(solutions)) = (Folder::named(), LazyLock::get(&SOLUTIONS)) else { return };
    for (game, blueprint) in solutions.learnt() {
        if let Err(error) = folder.keep(&game, &blueprint) {
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(
                anstream::stderr().lock(),
                "warning[not-kept]: {}: {error}",
                folder.path().display()
            );
        }
    }
}

/// Longest file with a policy, in bytes.
const POLICY_BYTES_MAX: usize = 1 << 30;

/// Longest file with a net, in bytes.
const NET_BYTES_MAX: usize = 1 << 28;

/// Longest file with preferences, in bytes.
const RULES_BYTES_MAX: usize = 1 << 20;

/// Who sits in one role.
#[derive(Clone, Debug)]
pub(crate) enum SeatSpec {
    /// A program.
    Player(PlayerKind),
    /// Somebody at the terminal.
    Human,
    /// A program that is reached over HTTP, and how it is written to.
    Remote(PlayerAddress, WireForm),
}

impl SeatSpec {
    /// Whether somebody at the terminal sits there.
    pub(crate) fn is_human(&self) -> bool {
        matches!(self, Self::Human)
    }

    /// Whether the game has to be fast there: a search or a belief asks it thousands of times in a match, a rule of thumb once a turn,
    /// and who is elsewhere never.
    pub(crate) fn looks_ahead(&self) -> bool {
        match self {
            Self::Human => true,
            Self::Remote(..) => false,
            Self::Player(kind) => !matches!(
                kind,
                PlayerKind::Random
                    | PlayerKind::FirstLegal
                    | PlayerKind::Baseline(_)
                    | PlayerKind::Rule { .. }
            ),
        }
    }
}

impl fmt::Display for SeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(kind) => kind.fmt(f),
            Self::Human => f.write_str(HUMAN),
            Self::Remote(address, form) => write!(f, "{address} {form}"),
        }
    }
}

/// Who sits in each role.
///
/// # Errors
/// If a seat is not `ROLE=AGENT`, its role is not a player's or is named twice, or there is no such agent; or
/// if `dialects`, of the shape `ROLE=DIALECT`, names a role that nobody remote plays, or no dialect.
pub(crate) fn seating(
    roles: &Roles,
    seats: &[String],
    dialects: &[String],
    full_sight: &[String],
) -> Result<ByPlayer<SeatSpec>, Failure> {
    let mut specs = specs(roles, seats, full_sight)?;
    for dialect in dialects {
        let at = |failure: Failure| failure.at_argument("--dialect", dialect);
        let (role, text) = dialect
            .split_once('=')
            .ok_or_else(|| at(Failure::refuse("bad-dialect", "a dialect is written ROLE=DIALECT")))?;
        let role = role::player(roles, role).map_err(at)?;
        let SeatSpec::Remote(_, form) = &mut specs[role] else {
            let name = roles.name(role);
            let message = format!("nobody is reached over HTTP in the role {name}");
            return Err(at(Failure::refuse("bad-dialect", message))
                .help(format!("seat somebody there: --seat {name}=http://HOST:PORT")));
        };
        *form =
            text.parse().map_err(|error: FormError| at(Failure::refuse("bad-dialect", error.to_string())))?;
    }
    Ok(specs)
}

/// Who sits in each role that a seat names, as `spec` reads it.
///
/// # Errors
/// If a seat is not `ROLE=AGENT`, or its role is not a player's or is named twice; or whatever `spec` fails with.
pub(crate) fn named_specs<T>(
    roles: &Roles,
    seats: &[String],
    spec: impl Fn(&str) -> Result<T, Failure>,
) -> Result<ByPlayer<Option<T>>, Failure> {
    let mut named: ByPlayer<Option<T>> = ByPlayer::from_fn(roles, |_| None);
    for seat in seats {
        let (role, agent) = seat.split_once('=').ok_or_else(|| {
            let first = roles.players().next().map_or("ROLE", |role| roles.name(role));
            Failure::refuse("bad-seat", "a seat is written ROLE=AGENT")
                .at_argument("--seat", seat)
                .help(format!("for example --seat {first}={HUMAN}"))
        })?;
        let role = role::player(roles, role).map_err(|failure| failure.at_argument("--seat", seat))?;
        if named[role].is_some() {
            return Err(Failure::refuse("bad-seat", format!("{} is seated twice", roles.name(role)))
                .at_argument("--seat", seat)
                .help("name each role once"));
        }
        named[role] = Some(spec(agent).map_err(|failure| failure.at_argument("--seat", seat))?);
    }
    Ok(named)
}

fn specs(roles: &Roles, seats: &[String], full_sight: &[String]) -> Result<ByPlayer<SeatSpec>, Failure> {
    let mut named = named_specs(roles, seats, spec)?;
    let standard = |role: RoleId| {
        let sees_all = full_sight.iter().any(|word| find_player(roles, word) == Some(role));
        if sees_all { WITH_FULL_SIGHT } else { STANDARD }
    };
    ByPlayer::try_from_fn(roles, |role| named[role].take().map_or_else(|| spec(standard(role)), Ok))
}

/// Whoever is called this: a person at the terminal, or as [`player`].
///
/// # Errors
/// As [`player`].
pub(crate) fn spec(agent: &str) -> Result<SeatSpec, Failure> {
    if agent == HUMAN { Ok(SeatSpec::Human) } else { player(agent) }
}

/// The program of this name, or at this address.
///
/// # Errors
/// If there is none, or the file that it goes by cannot be read.
pub(crate) fn player(agent: &str) -> Result<SeatSpec, Failure> {
    if let Some(file) = KindFile::of(agent)? {
        return by_file(file).map(SeatSpec::Player);
    }
    if is_address(agent) {
        let address = agent.parse::<PlayerAddress>();
        return address
            .map(|address| SeatSpec::Remote(address, WireForm::STANDARD))
            .map_err(|error| Failure::refuse("bad-address", error.to_string()));
    }
    PlayerKind::read(agent, &mut program).map(|kind| SeatSpec::Player(kind.sharing(&SOLUTIONS)))
}

/// Whether a player is named by an address: with its scheme, or as a host and a port.
fn is_address(agent: &str) -> bool {
    let Some((host, port)) = agent.rsplit_once(':') else { return false };
    let is_host = host == "localhost" || host.starts_with('[') || host.contains('.');
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    agent.contains("://")
        || (is_port && is_host && !host.contains(['=', ',', '/', ':']) || agent.starts_with('['))
}

/// The program of this machine of this name.
///
/// # Errors
/// If there is none, or a file that it plays by cannot be read.
fn program(agent: &str) -> Result<PlayerKind, Failure> {
    match spec(agent)? {
        SeatSpec::Player(kind) => Ok(kind),
        SeatSpec::Human | SeatSpec::Remote(..) => {
            Err(Failure::refuse("bad-agent", format!("{agent} is no program of this machine")))
        }
    }
}

impl From<KindError> for Failure {
    fn from(error: KindError) -> Self {
        match error {
            KindError::UnknownName { name, .. } => unknown_agent(&name),
            other => Self::refuse("bad-agent", other.to_string()),
        }
    }
}

/// Models of roles as `--model ROLE=MODEL` has them.
///
/// # Errors
/// If one is not of that shape, its role is not a player's or is named twice, or there is no such model.
pub(crate) fn models(roles: &Roles, arguments: &[String]) -> Result<Vec<(RoleId, Model)>, Failure> {
    let mut models: Vec<(RoleId, Model)> = Vec::new();
    for argument in arguments {
        let at = |failure: Failure| failure.at_argument("--model", argument);
        let (role, model) = model(argument)?;
        let role = role::player(roles, role).map_err(at)?;
        if models.iter().any(|(other, _)| *other == role) {
            let problem = format!("{} has two models", roles.name(role));
            return Err(at(Failure::refuse("bad-model", problem)).help("name each role once"));
        }
        models.push((role, model));
    }
    Ok(models)
}

/// A role and its model as `--model ROLE=MODEL` has them.
fn model(argument: &str) -> Result<(&str, Model), Failure> {
    let at = |failure: Failure| failure.at_argument("--model", argument);
    let (role, text) = argument.split_once('=').ok_or_else(|| {
        at(Failure::refuse("bad-model", "a model is written ROLE=MODEL"))
            .help("MODEL is uniform, quantal, or an agent such as policy:FILE")
    })?;
    Ok((role, PlayerKind::read_model(text, &mut program).map_err(at)?))
}

/// The same program with models of roles, whatever game it plays.
///
/// # Errors
/// If it has no use for models, or there is no such model.
pub(crate) fn modelling(mut kind: PlayerKind, arguments: &[String]) -> Result<PlayerKind, Failure> {
    for argument in arguments {
        let (role, model) = model(argument)?;
        kind = kind.modelling(Some(role), model).map_err(|kind| {
            Failure::refuse("bad-model", format!("{} has no model of others", kind.name()))
                .at_argument("--model", argument)
                .help("--player belief, ismcts or another player that searches has")
        })?;
    }
    Ok(kind)
}

/// Gives every program that searches the models of the other roles, instead of those that it was written with.
///
/// # Errors
/// If that makes no difference to anybody.
pub(crate) fn seat_models(
    roles: &Roles,
    specs: &mut ByPlayer<SeatSpec>,
    arguments: &[String],
) -> Result<(), Failure> {
    for ((modelled, model), argument) in models(roles, arguments)?.into_iter().zip(arguments) {
        let others = specs.iter_mut().filter(|(role, _)| *role != modelled).map(|(_, spec)| spec);
        if !model_with(others, roles.name(modelled), &model) {
            let message = format!("nobody who has a model of {} searches", roles.name(modelled));
            return Err(Failure::refuse("bad-model", message)
                .at_argument("--model", argument)
                .help("seat belief, ismcts or another player that searches in another role"));
        }
    }
    Ok(())
}

/// Gives every program among these that searches a model of a role; whether there is one.
pub(crate) fn model_with<'s>(
    specs: impl Iterator<Item = &'s mut SeatSpec>,
    role: &str,
    model: &Model,
) -> bool {
    let mut is_used = false;
    for spec in specs {
        let SeatSpec::Player(kind) = spec else { continue };
        if let Ok(kind) = kind.clone().modelling(Some(role), model.clone()) {
            *spec = SeatSpec::Player(kind);
            is_used = true;
        }
    }
    is_used
}

/// The player that goes by a file.
fn by_file(KindFile { file, format }: KindFile<'_>) -> Result<PlayerKind, Failure> {
    match format {
        KindFormat::Policy => policy(file),
        KindFormat::Rule => rule(file),
        KindFormat::Net => net(file, |bytes| Ok(Net::read(bytes)?.into_kind(file))),
        KindFormat::Values(search) => net(file, |bytes| Ok(ValueNet::read(bytes, search)?.into_kind(file))),
    }
}

/// The player that goes by the table or the blueprint in a file.
fn policy(file: &str) -> Result<PlayerKind, Failure> {
    let bytes = read_file(Path::new(file), POLICY_BYTES_MAX)?;
    let refuse = |error: KindFileError| Failure::refuse("bad-policy", error.to_string()).at(file);
    PlayerKind::of_policy_file(file, bytes).map_err(refuse)
}

/// What the net in a file leads the sample of a belief by.
pub(crate) fn guide(file: &str, game: &Arc<Game>, role: RoleId) -> Result<Arc<dyn Guide>, Failure> {
    let guide = net(file, BeliefNet::read)?.guide(game, role);
    let refuse = |error: PlayerError| Failure::refuse("bad-net", error.to_string()).at(file);
    Ok(Arc::new(guide.map_err(refuse)?))
}

/// What a net in a file is made into.
fn net<T>(file: &str, made: impl Fn(&[u8]) -> Result<T, NetError>) -> Result<T, Failure> {
    let bytes = read_file(Path::new(file), NET_BYTES_MAX)?;
    made(&bytes).map_err(|error| Failure::refuse("bad-net", error.to_string()).at(file))
}

/// The player that goes by the preferences in a file.
fn rule(file: &str) -> Result<PlayerKind, Failure> {
    let bytes = read_file(Path::new(file), RULES_BYTES_MAX)?;
    let refuse = |error: KindFileError| {
        Failure::refuse("bad-rule", error.to_string())
            .at(file)
            .help("a line has a pattern of moves, such as raise or (bid * 6); the first that fits a legal move is played")
    };
    PlayerKind::of_rule_file(file, bytes).map_err(refuse)
}

fn unknown_agent(name: &str) -> Failure {
    let names = || PlayerKind::HELP.iter().map(|kind| kind.name).chain([HUMAN]);
    let failure = Failure::refuse("unknown-agent", format!("there is no agent '{name}'"));
    match alike(name, names()).first() {
        Some(near) => failure.help(format!("did you mean '{near}'?")),
        None => failure.help(format!("there are {}", names().collect::<Vec<&str>>().join(", "))),
    }
}

/// What each agent does, for `croupier help agents`.
pub(crate) fn agents_help() -> String {
    let kinds = kinds_help(PlayerKind::HELP);
    format!("Agents:\n{kinds}  {HUMAN}\n      a person at this terminal\n{REMOTE_HELP}{MODEL_HELP}")
}

/// Who somebody at the terminal and players at an address are, for [`agents_line`].
pub(crate) const OTHERS: [&str; 2] = [HUMAN, ADDRESS];

/// How a player at an address is written.
pub(crate) const ADDRESS: &str = "http://HOST:PORT";

/// Which agents there are, for the help of commands that seat them: the programs of this machine, and others.
pub(crate) fn agents_line(others: &[&str]) -> String {
    let name = |kind: &KindHelp| format!("{}{}", kind.name, if kind.is_file { ":FILE" } else { "" });
    let names = PlayerKind::HELP.iter().map(name).chain(others.iter().map(|&other| other.to_owned()));
    format!(
        "AGENT is one of {}. Options follow a colon, as in ismcts:iterations=5000. `croupier help agents` says \
         what each agent does, and how strong it is.",
        names.collect::<Vec<_>>().join(", ")
    )
}

const MODEL_HELP: &str = "\
Players that search from a belief take the others to choose uniformly, unless an option says otherwise: model=MODEL for all \
others, model.ROLE=MODEL for one. MODEL is uniform, quantal (a short search for each decision of the others, the better a move \
the likelier), or an agent, in parentheses if it has several options: belief:model=raise, \
ismcts:iterations=500,model=(belief:iterations=50,particles=20). A tenth of uniform play is mixed in.\n";

const REMOTE_HELP: &str =
    "  http://HOST:PORT\n      a player of the GGP protocol, such as `croupier agent` runs\n";

/// Kinds of players with their options, and what each does.
pub(crate) fn kinds_help(kinds: &[KindHelp]) -> String {
    let mut text = String::new();
    for kind in kinds {
        let options =
            if kind.options.is_empty() { String::new() } else { format!(":{}", kind.options.join(",")) };
        let options = if kind.is_file { ":FILE".to_owned() } else { options };
        text.push_str(&format!("  {}{options}\n      {}\n", kind.name, kind.summary));
    }
    text
}
