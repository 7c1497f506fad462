//! A game with its whole tree, for commands that enumerate it.

use std::{ops::ControlFlow, sync::Arc};

use clap::Args;
use croupier_engine::Game;
use croupier_games::Payoff;
use croupier_players::{PolicyTable, PolicyTableError, policy_table};
use croupier_solvers::{GameTree, Policy, SequenceForm, TreeError, TreeLimits, TreeSizes};
use rayon::ThreadPool;

use crate::{
    arguments::{count::count, engine::Engine, source::Source, threads::spinner},
    output::failure::Failure,
};

/// How much is enumerated.
#[derive(Args)]
pub(crate) struct TreeArguments {
    /// Most histories that the game may have; the tree takes some 50 bytes for each
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5_000_000,
        value_parser = count::<u64>(1..=1_000_000_000)
    )]
    histories_max: u64,
}

/// A game, its tree, and its sequence form.
#[derive(Debug)]
pub(crate) struct Unfolded {
    /// Where it is from, and what is known of it.
    pub(crate) source: Source,
    /// The rules.
    pub(crate) game: Arc<Game>,
    /// Every history.
    pub(crate) tree: GameTree,
    /// What iterations need of it.
    pub(crate) form: SequenceForm,
}

/// How the histories of a game become a tree.
type Enumerate =
    fn(&Game, &TreeLimits, &mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<GameTree, TreeError>;

impl Unfolded {
    /// Enumerates a game, on the threads of a pool.
    ///
    /// # Errors
    /// If there is no such game, it is too large, or a player cannot know its moves.
    pub(crate) fn new(game: &str, arguments: &TreeArguments, pool: &ThreadPool) -> Result<Self, Failure> {
        Self::with(game, arguments, pool, GameTree::within)
    }

    /// The same with one deal in the place of all that symmetries of the rules exchange with it.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn reduced(game: &str, arguments: &TreeArguments, pool: &ThreadPool) -> Result<Self, Failure> {
        Self::with(game, arguments, pool, GameTree::compact)
    }

    fn with(
        game: &str,
        arguments: &TreeArguments,
        pool: &ThreadPool,
        enumerate: Enumerate,
    ) -> Result<Self, Failure> {
        let source = Source::find(game)?;
        let game = source.compile(&Engine::Auto.options())?;
        let limits = TreeLimits { histories_max: arguments.histories_max };
        let bar = spinner("histories");
        let mut progress = |histories: u64| {
            bar.set_message(format!("{histories} histories"));
            ControlFlow::Continue(())
        };
        let tree = pool.install(|| enumerate(&game, &limits, &mut progress));
        bar.finish_and_clear();
        let tree = tree.map_err(|error| refusal(&error, &source))?;
        let form = SequenceForm::new(&tree);
        Ok(Self { source, game, tree, form })
    }

    /// A goal value in the unit of the literature, if the game has one.
    pub(crate) fn payoff(&self) -> Option<&Payoff> {
        self.source.facts.payoff.as_ref()
    }

    /// The name of a player as the rules write it.
    pub(crate) fn role(&self, player: usize) -> &str {
        self.game.roles().name(self.tree.players()[player])
    }

    /// How many nodes of each kind there are, in words.
    pub(crate) fn describe(&self, sizes: &TreeSizes) -> String {
        let sets: u64 = sizes.information_sets.iter().sum();
        let words = &self.source.facts.words;
        let each = sizes.information_sets.iter().enumerate();
        let each = each.map(|(player, sets)| format!("{} {sets}", words.symbol_text(self.role(player))));
        let merged = match self.tree.symmetries().len() {
            0 => String::new(),
            count => format!("; each stands for all that {count} symmetries make of it"),
        };
        format!(
            "{}: {} histories; nodes: {} of chance, {} of decision, {} terminal; {sets} information sets ({}){merged}",
            self.source.name,
            sizes.histories,
            sizes.chance,
            sizes.decision,
            sizes.terminal,
            each.collect::<Vec<_>>().join(", ")
        )
    }

    /// A policy as players read it.
    pub(crate) fn table(&self, policy: &Policy) -> Result<PolicyTable, Failure> {
        policy_table(&self.game, &self.tree, &self.form, policy).map_err(|error| match error {
            PolicyTableError::Game(error) => Failure::refuse("rules-fail", error.to_string()),
            PolicyTableError::Table(error) => Failure::refuse("bad-policy", error.to_string()),
        })
    }
}

fn refusal(error: &TreeError, source: &Source) -> Failure {
    let failure = |code: &'static str| Failure::refuse(code, error.to_string()).at(&source.origin);
    match error {
        TreeError::TooLarge { .. } => failure("game-too-large")
            .help("--histories-max asks for more; `croupier evaluate --walk` measures a strategy without a tree; games far beyond it are for players that search, as `croupier play` seats them"),
        TreeError::UnknownMoves { .. } => failure("unknown-moves")
            .help("add percepts that tell the role what it may play; `croupier check` finds such places too"),
        TreeError::Interrupted => failure("interrupted"),
        TreeError::Game(_) => failure("rules-fail").help("`croupier check` explains what is wrong with the rules"),
    }
}
