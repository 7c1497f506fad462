//! Rules that never apply in random playouts.
//!
//! Rules are watched in a game of their own. In place of its goals and percepts it has, for each rule `(<= HEAD BODY)`, the
//! rule `(<= (goal PLAYER NUMBER) BODY)`, or `(<= (sees PLAYER NUMBER) BODY)` if the body depends on moves. These heads
//! have no variables, so that one instance of a body is found and the others are not looked for.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rand_core::Rng;

use super::{Budget, Finding};
use crate::{
    check::check,
    diagnostic::{Diagnostic, Span},
    draw::draw_index,
    game::{ByRole, Game, GameError, JointMove, Scratch, State},
    id::{PredicateId, RoleId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term},
};

/// Codes that say why a rule cannot apply, or that nothing needs it.
const REASONS: [&str; 11] = [
    "constant-comparison",
    "contradiction",
    "empty-disjunction",
    "impossible-rule",
    "impossible-value",
    "not-a-role",
    "undefined-fluent",
    "undefined-move",
    "undefined-relation",
    "unreachable-relation",
    "unused-relation",
];

/// In fewer playouts than these most rules of a game may not have come up.
const PLAYOUTS_MIN: usize = 10;

/// The rules of a game that never applied, but for those that the text shows to be dead and those that wait for another one.
pub(super) fn unfired(
    game: &Game,
    budget: &Budget,
    rng: &mut impl Rng,
    is_over: &dyn Fn() -> bool,
) -> Option<Finding> {
    let rules = game.rules();
    let mut watch = RuleWatch::new(game)?;
    let mut playouts = 0;
    let mut turns = 0;
    while playouts < budget.playouts && !watch.open.is_empty() {
        match watch.playout(budget, &mut turns, rng, is_over) {
            Ok(true) => playouts += 1,
            // What was not played to the end says nothing.
            Ok(false) | Err(_) => break,
        }
    }
    if playouts < PLAYOUTS_MIN || watch.open.is_empty() {
        return None;
    }
    let open: BTreeSet<Span> = watch.open.iter().map(|&number| watch.clauses[number]).collect();
    let (_, said) = check(rules.written().description.clone(), game.strictness(), game.limits());
    let is_explained = |span: &&Span| said.iter().any(|found| explains(found, **span));
    let waiting = waiting(rules.program(), &open);
    let new: Vec<Span> = open.iter().filter(|span| !is_explained(span)).copied().collect();
    let first: Vec<Span> = new.iter().filter(|span| !waiting.contains(span)).copied().collect();
    // Rules that wait for each other wait for none that is told of.
    let is_circle = first.is_empty() && open.len() == new.len();
    let told = if is_circle { new } else { first };
    let (&place, also) = told.split_first()?;
    let rules = match told.len() {
        1 => "this rule".to_owned(),
        count => format!("these {count} rules"),
    };
    let message = format!("{rules} never fired in {playouts} playouts");
    let found = Finding::new(game, "never-fired", None, message);
    Some(Finding { place: Some(place), also: also.to_vec(), ..found })
}

fn explains(found: &Diagnostic, clause: Span) -> bool {
    let is_inside = clause.start <= found.span.start && found.span.end <= clause.end;
    is_inside && REASONS.contains(&found.code)
}

/// The clauses that are watched: rules that somebody wrote, and that are no declarations.
fn watched(program: &Program) -> Vec<Span> {
    let is_watched = |rule: &&Rule| {
        let is_declaration = matches!(
            program.as_keyword(rule.head.predicate),
            Some(Keyword::Base | Keyword::Input | Keyword::Percept)
        );
        // The engine's own relations have a blank in their names, and the rule of full sight stands nowhere.
        let is_written = !program.name(rule.head.predicate).contains(' ') && rule.span.end > 0;
        !rule.body.is_empty() && is_written && !is_declaration
    };
    let spans: BTreeSet<Span> = program.rules.iter().filter(is_watched).map(|rule| rule.span).collect();
    spans.into_iter().collect()
}

/// Tells which rules of a game apply, in a game of its own.
///
/// ```
/// use croupier_engine::{Game, Options, analysis::RuleWatch};
///
/// # let rules = "(role me) (init begun) (legal me wait) (<= (next stopped) (true begun)) (<= (next begun) (true gone))
/// #     (<= terminal (true stopped)) (goal me 50)";
/// let game = Game::compile(rules, &Options::PLAY)?.game;
/// let mut watch = RuleWatch::new(&game).ok_or("somebody plays")?;
/// assert!(watch.look(&game, game.initial_state()));
/// // Of three rules with conditions two wait for other states.
/// assert_eq!((watch.clauses().len(), watch.open().len()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RuleWatch {
    game: Game,
    scratch: Scratch,
    player: RoleId,
    clauses: Vec<Span>,
    /// The clauses that have not applied yet.
    open: BTreeSet<usize>,
    /// Those whose conditions depend on moves.
    of_moves: BTreeSet<usize>,
}

impl RuleWatch {
    /// Watches the rules of a game that have conditions, but for declarations; `None` if nobody plays, or the rules are too large.
    #[must_use]
    pub fn new(game: &Game) -> Option<Self> {
        let (rules, player) = (game.rules(), game.roles().players().next()?);
        let clauses = watched(rules.program());
        let (program, of_moves) = telling(rules.program(), game.roles().name(player), &clauses)?;
        let telling = rules.with_program(program);
        let game = Game::for_probes(Arc::new(telling), game.limits()).ok()?;
        let player = game.roles().players().next()?;
        let open = (0..clauses.len()).collect();
        Some(Self { scratch: game.scratch(), game, player, clauses, open, of_moves })
    }

    /// Where the rules stand in the text.
    #[must_use]
    pub fn clauses(&self) -> &[Span] {
        &self.clauses
    }

    /// The numbers of the rules that have not applied yet.
    #[must_use]
    pub fn open(&self) -> &BTreeSet<usize> {
        &self.open
    }

    /// Whether rules have not applied yet whose conditions depend on moves.
    #[must_use]
    pub fn waits_for_moves(&self) -> bool {
        !self.open.is_disjoint(&self.of_moves)
    }

    /// Notes the rules that apply in a state of the game that is watched; false if that could not be worked out within its limits.
    pub fn look(&mut self, game: &Game, state: &State) -> bool {
        let state = self.translated(game, state);
        state.is_some_and(|state| self.note_state(&state).is_ok())
    }

    /// Notes the rules that apply when a joint move is made in a state of the game that is watched; false as for [`look`](Self::look).
    pub fn look_at_move(&mut self, game: &Game, state: &State, joint_move: &JointMove) -> bool {
        let Some(state) = self.translated(game, state) else { return false };
        let moves = ByRole::try_from_fn(self.game.roles(), |role| {
            self.game.move_id(&game.move_text(joint_move.of(role)))
        });
        let Ok(moves) = moves else { return false };
        let joint_move = self.game.joint_move_of_legal(moves);
        self.note_move(&state, &joint_move).is_ok()
    }

    fn translated(&self, game: &Game, state: &State) -> Option<State> {
        let texts: Vec<_> = state.fluents().map(|fluent| game.fluent_text(fluent)).collect();
        self.game.state_of(texts.iter().map(|text| &**text)).ok()
    }

    fn note_state(&mut self, state: &State) -> Result<(), GameError> {
        let told = self.game.goal_values(state, self.player, &mut self.scratch)?;
        self.note(told.iter().map(String::as_str));
        Ok(())
    }

    fn note_move(&mut self, state: &State, joint_move: &JointMove) -> Result<(), GameError> {
        let percepts = self.game.percepts(state, joint_move, self.player, &mut self.scratch)?;
        let told = self.game.percept_terms(&percepts);
        self.note(told.iter().map(|told| &**told));
        Ok(())
    }

    /// Plays once; whether it came to an end.
    fn playout(
        &mut self,
        budget: &Budget,
        turns: &mut usize,
        rng: &mut impl Rng,
        is_over: &dyn Fn() -> bool,
    ) -> Result<bool, GameError> {
        let mut state = self.game.initial_state().clone();
        for _ in 0..self.game.limits().turns {
            let is_within = *turns < budget.turns && self.scratch.rows_looked_at() < budget.rows;
            if !is_within || is_over() {
                return Ok(false);
            }
            self.note_state(&state)?;
            if self.open.is_empty() || self.game.is_terminal(&state, &mut self.scratch)? {
                return Ok(true);
            }
            let roles = self.game.roles();
            let legal =
                ByRole::try_from_fn(roles, |role| self.game.legal_moves(&state, role, &mut self.scratch))?;
            if legal.iter().any(|(_, moves)| moves.is_empty()) {
                return Ok(true);
            }
            let chosen = ByRole::from_fn(roles, |role| legal[role][draw_index(legal[role].len(), rng)]);
            let joint_move = self.game.joint_move_of_legal(chosen);
            self.note_move(&state, &joint_move)?;
            state = self.game.successor(&state, &joint_move, &mut self.scratch)?;
            *turns += 1;
        }
        Ok(true)
    }

    fn note<'t>(&mut self, told: impl Iterator<Item = &'t str>) {
        for number in told.filter_map(|told| told.parse().ok()) {
            self.open.remove(&number);
        }
    }
}

/// The program in which a player is told the numbers of the clauses that apply, and nothing else; and those that depend on moves.
fn telling(program: &Program, player: &str, clauses: &[Span]) -> Option<(Program, BTreeSet<usize>)> {
    let mut telling = program.clone();
    let words = [Keyword::Goal, Keyword::Sees];
    let renamed: Vec<(PredicateId, PredicateId)> = words
        .into_iter()
        .filter_map(|word| {
            let plain = telling.predicate(&format!("own {}", word.name()), word.arity());
            Some((program.keyword(word)?, plain))
        })
        .collect();
    let rename = |atom: &mut Atom| {
        let plain = renamed.iter().find(|(word, _)| *word == atom.predicate);
        atom.predicate = plain.map_or(atom.predicate, |(_, plain)| *plain);
    };
    for rule in &mut telling.rules {
        rename(&mut rule.head);
        for literal in &mut rule.body {
            if let Literal::Positive(atom) | Literal::Negative(atom) = literal {
                rename(atom);
            }
        }
    }
    let [goal, sees] = words.map(|word| telling.predicate(word.name(), word.arity()));
    let does = program.keyword(Keyword::Does);
    let of_moves = following(&telling, does);
    let player = Term::Constant(telling.symbols.intern(player));
    let mut added = Vec::new();
    for rule in telling.rules.iter().filter(|rule| !rule.body.is_empty()) {
        let Ok(number) = clauses.binary_search(&rule.span) else { continue };
        // Relations that were added for a part of a clause stand where the part does, or are not its own.
        if telling.name(rule.head.predicate).contains(' ')
            && !renamed.iter().any(|(_, plain)| *plain == rule.head.predicate)
        {
            continue;
        }
        let is_of_moves =
            rule.body.iter().filter_map(Literal::atom).any(|atom| of_moves.contains(&atom.predicate));
        added.push((if is_of_moves { sees } else { goal }, number, rule.clone()));
    }
    let about_moves = added.iter().filter(|(predicate, ..)| *predicate == sees);
    let of_moves = about_moves.map(|&(_, number, _)| number).collect();
    for (predicate, number, rule) in added {
        let number = Term::Constant(telling.symbols.intern(&number.to_string()));
        let head = Atom { predicate, arguments: vec![player.clone(), number], span: rule.head.span };
        telling.rules.push(Rule { head, ..rule });
    }
    Some((telling, of_moves))
}

/// A predicate and all that depend on it.
fn following(program: &Program, first: Option<PredicateId>) -> BTreeSet<PredicateId> {
    let mut found: BTreeSet<PredicateId> = first.into_iter().collect();
    loop {
        let before = found.len();
        for rule in &program.rules {
            let mut asked = rule.body.iter().filter_map(Literal::atom);
            if asked.any(|atom| found.contains(&atom.predicate)) {
                found.insert(rule.head.predicate);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What a rule concludes or a condition asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AtomForm {
    Relation(PredicateId),
    /// A fluent or move by its name and number of arguments; none if it is a variable.
    Term(Keyword, Option<(SymbolId, usize)>),
}

fn said(program: &Program, atom: &Atom) -> AtomForm {
    let kind = match program.as_keyword(atom.predicate) {
        Some(Keyword::Init | Keyword::Next | Keyword::True) => Keyword::True,
        Some(Keyword::Legal | Keyword::Does) => Keyword::Does,
        _ => return AtomForm::Relation(atom.predicate),
    };
    let name = match atom.arguments.last() {
        Some(Term::Constant(symbol)) => Some((*symbol, 0)),
        Some(Term::Compound(symbol, arguments)) => Some((*symbol, arguments.len())),
        Some(Term::Variable(_)) | None => None,
    };
    AtomForm::Term(kind, name)
}

/// The clauses among `open` of which each rule has a condition that nothing but clauses among `open` concludes.
fn waiting(program: &Program, open: &BTreeSet<Span>) -> BTreeSet<Span> {
    let mut concluded: BTreeMap<AtomForm, bool> = BTreeMap::new();
    for rule in &program.rules {
        let is_alive = !open.contains(&rule.span);
        *concluded.entry(said(program, &rule.head)).or_default() |= is_alive;
    }
    let is_dead = |literal: &Literal| {
        let Literal::Positive(atom) = literal else { return false };
        let asked = said(program, atom);
        let any = match asked {
            AtomForm::Term(kind, Some(_)) => AtomForm::Term(kind, None),
            _ => asked,
        };
        matches!(asked, AtomForm::Relation(_) | AtomForm::Term(_, Some(_)))
            && concluded.get(&asked) == Some(&false)
            && concluded.get(&any) != Some(&true)
    };
    let mut waiting = open.clone();
    for rule in &program.rules {
        if open.contains(&rule.span) && !rule.body.iter().any(is_dead) {
            waiting.remove(&rule.span);
        }
    }
    waiting
}
