//! Ground terms as numbers: equal terms have equal numbers.
//!
//! One [`Vocabulary`] belongs to a game and only grows. Each thread reads its own copy
//! ([`Terms`]) without locking and accesses the vocabulary only for terms that are new to it.
//! The numbers depend on the order in which threads create terms; nothing visible outside may depend on them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::relation::Relation;
use crate::{
    id::{FluentId, SymbolId, TermId},
    limits::{LimitError, Limits},
    rules::Symbols,
    syntax,
};

/// A function or constant applied to terms that are there already.
#[derive(Clone, Copy, Debug)]
struct TermNode {
    symbol: SymbolId,
    /// Where its arguments begin.
    start: u32,
    arity: u8,
    depth: u8,
    /// Symbols in its print. Terms share their parts, so this can be exponential in the depth.
    size: u32,
}

/// Terms and fluents in the order in which they were met.
#[derive(Clone, Debug, Default)]
struct TermTable {
    nodes: Vec<TermNode>,
    arguments: Vec<u32>,
    /// The argument counts with which each symbol is used.
    functions: Vec<Vec<Function>>,
    fluents: Vec<TermId>,
    /// The stable hash of each fluent's print.
    fluent_hashes: Vec<u64>,
    fluent_of: Vec<Option<FluentId>>,
}

/// A symbol with a number of arguments.
#[derive(Clone, Debug)]
struct Function {
    /// Rows of arguments.
    applications: Relation,
    /// The index of the arguments.
    index: usize,
    /// The term of each row.
    terms: Vec<u32>,
}

impl Function {
    fn new(arity: usize) -> Self {
        let mut applications = Relation::new(arity);
        let index = applications.full_index();
        Self { applications, index, terms: Vec::new() }
    }

    #[inline]
    fn find(&mut self, arguments: impl Iterator<Item = u32> + Clone) -> Option<TermId> {
        let row =
            if self.applications.arity() == 0 { 0 } else { self.applications.first(self.index, arguments) };
        self.terms.get(row as usize).map(|&raw| TermId::from_raw(raw))
    }
}

impl TermTable {
    #[inline]
    fn find(
        &mut self,
        symbol: SymbolId,
        arguments: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Option<TermId> {
        let functions = self.functions.get_mut(symbol.index())?;
        let arity = arguments.len();
        functions.iter_mut().find(|function| function.applications.arity() == arity)?.find(arguments)
    }

    fn arguments_of(&self, node: TermNode) -> &[u32] {
        &self.arguments[node.start as usize..][..usize::from(node.arity)]
    }

    fn push(&mut self, symbol: SymbolId, arguments: &[u32], limits: &Limits) -> Result<TermId, LimitError> {
        let deepest = arguments.iter().map(|&raw| self.nodes[raw as usize].depth).max();
        let depth = deepest.map_or(1, |deepest| deepest + 1);
        if usize::from(depth) > limits.term_depth.min(250) {
            return Err(LimitError::TermNesting { limit: limits.term_depth as u64, rule: None });
        }
        let sizes = arguments.iter().map(|&raw| self.nodes[raw as usize].size);
        let size = sizes.fold(1, u32::saturating_add);
        if size > limits.term_nodes {
            return Err(LimitError::TermSymbols { limit: limits.term_nodes.into(), rule: None });
        }
        if self.nodes.len() >= limits.terms {
            return Err(LimitError::Terms { limit: limits.terms as u64, rule: None });
        }
        let id = TermId::new(self.nodes.len()).expect("limits keep terms below 2^32");
        let start = u32::try_from(self.arguments.len()).expect("limits keep arguments below 2^32");
        let arity = u8::try_from(arguments.len()).expect("limits keep arities below 256");
        self.arguments.extend_from_slice(arguments);
        self.append(TermNode { symbol, start, arity, depth, size });
        Ok(id)
    }

    /// Adds a node whose arguments already exist.
    fn append(&mut self, node: TermNode) {
        let raw = u32::try_from(self.nodes.len()).expect("limits keep terms below 2^32");
        let arguments = &self.arguments[node.start as usize..][..usize::from(node.arity)];
        if node.symbol.index() >= self.functions.len() {
            self.functions.resize_with(node.symbol.index() + 1, Vec::new);
        }
        let functions = &mut self.functions[node.symbol.index()];
        let known = functions.iter().position(|function| function.applications.arity() == arguments.len());
        let known = known.unwrap_or_else(|| {
            functions.push(Function::new(arguments.len()));
            functions.len() - 1
        });
        functions[known].applications.append(arguments.iter().copied());
        functions[known].terms.push(raw);
        self.nodes.push(node);
        self.fluent_of.push(None);
    }

    fn append_fluent(&mut self, term: TermId, hash: u64) -> FluentId {
        let id = FluentId::new(self.fluents.len()).expect("limits keep fluents below 2^32");
        self.fluents.push(term);
        self.fluent_hashes.push(hash);
        self.fluent_of[term.index()] = Some(id);
        id
    }

    /// Appends what `other`, which began with all that is here, has in addition.
    fn catch_up(&mut self, other: &Self) {
        self.arguments.extend_from_slice(&other.arguments[self.arguments.len()..]);
        for &node in &other.nodes[self.nodes.len()..] {
            self.append(node);
        }
        for index in self.fluents.len()..other.fluents.len() {
            self.append_fluent(other.fluents[index], other.fluent_hashes[index]);
        }
    }

    fn print(&self, term: TermId, symbols: &Symbols, text: &mut String) {
        let node = self.nodes[term.index()];
        if node.arity == 0 {
            text.push_str(symbols.name(node.symbol));
            return;
        }
        text.push('(');
        text.push_str(symbols.name(node.symbol));
        for &argument in self.arguments_of(node) {
            text.push(' ');
            self.print(TermId::from_raw(argument), symbols, text);
        }
        text.push(')');
    }
}

/// FNV-1a, then mixed: states are sums of these.
fn stable_hash(text: &str) -> u64 {
    let fold = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, fold);
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}

/// All ground terms that a game has met, in any thread.
#[derive(Debug)]
pub struct Vocabulary {
    shared: Mutex<SharedTerms>,
}

#[derive(Clone, Debug)]
struct SharedTerms {
    table: TermTable,
    symbols: Symbols,
    limits: Limits,
}

impl Vocabulary {
    /// A vocabulary of the constants of a program: the constant of symbol `i` is term `i`.
    ///
    /// # Errors
    /// [`LimitError`] if there are more constants than terms allowed.
    pub fn new(symbols: Symbols, limits: Limits) -> Result<Self, LimitError> {
        let mut table = TermTable::default();
        for index in 0..symbols.len() {
            let symbol = SymbolId::new(index).expect("symbols were counted when interned");
            table.push(symbol, &[], &limits)?;
        }
        Ok(Self { shared: Mutex::new(SharedTerms { table, symbols, limits }) })
    }

    /// The same terms with the same numbers; what either meets from now on is not in the other.
    pub(super) fn fork(&self) -> Self {
        Self { shared: Mutex::new(self.lock().clone()) }
    }

    /// How many terms there are.
    pub(crate) fn terms_count(&self) -> usize {
        self.lock().table.nodes.len()
    }

    /// Bounds the terms that are met from now on.
    pub(super) fn bound(&self, limits: Limits) {
        self.lock().limits = limits;
    }

    fn lock(&self) -> MutexGuard<'_, SharedTerms> {
        // Every update leaves the tables whole, so what a panicking thread left is still good.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy for one thread.
    #[must_use]
    pub fn reader(self: &Arc<Self>) -> Terms {
        Terms { local: self.lock().table.clone(), vocabulary: Arc::clone(self) }
    }

    /// The canonical print of a term.
    #[must_use]
    pub fn print(&self, term: TermId) -> String {
        let shared = self.lock();
        let mut text = String::new();
        shared.table.print(term, &shared.symbols, &mut text);
        text
    }

    /// The term that a fluent is.
    #[must_use]
    pub fn fluent_term(&self, fluent: FluentId) -> TermId {
        self.lock().table.fluents[fluent.index()]
    }

    /// The stable hash of a fluent.
    #[must_use]
    pub fn fluent_hash(&self, fluent: FluentId) -> u64 {
        self.lock().table.fluent_hashes[fluent.index()]
    }

    /// The number of a ground term, new if it was not known.
    ///
    /// # Errors
    /// [`LimitError`] if the game has no room for more terms.
    pub fn intern(&self, term: &syntax::Term) -> Result<TermId, LimitError> {
        let mut shared = self.lock();
        let SharedTerms { table, symbols, limits } = &mut *shared;
        intern(table, symbols, term, limits)
    }

    /// The number of a ground term if it is known.
    #[must_use]
    pub fn find(&self, term: &syntax::Term) -> Option<TermId> {
        let mut shared = self.lock();
        let shared = &mut *shared;
        find(&mut shared.table, &shared.symbols, term)
    }

    /// Symbol and arguments of a term.
    pub(crate) fn parts(&self, term: TermId) -> (SymbolId, Vec<TermId>) {
        let shared = self.lock();
        let node = shared.table.nodes[term.index()];
        (node.symbol, shared.table.arguments_of(node).iter().map(|&raw| TermId::from_raw(raw)).collect())
    }

    /// A symbol applied to terms, new if it was not known.
    pub(crate) fn apply(&self, symbol: SymbolId, arguments: &[TermId]) -> Result<TermId, LimitError> {
        let mut shared = self.lock();
        let SharedTerms { table, limits, .. } = &mut *shared;
        let arguments: Vec<u32> = arguments.iter().map(|term| term.raw()).collect();
        table
            .find(symbol, arguments.iter().copied())
            .map_or_else(|| table.push(symbol, &arguments, limits), Ok)
    }

    /// The fluent that a term is, new if it was not one.
    pub fn fluent(&self, term: TermId) -> FluentId {
        let mut shared = self.lock();
        let shared = &mut *shared;
        register_fluent(&mut shared.table, &shared.symbols, term)
    }
}

fn intern(
    table: &mut TermTable,
    symbols: &mut Symbols,
    term: &syntax::Term,
    limits: &Limits,
) -> Result<TermId, LimitError> {
    let arguments = term.arguments().iter().map(|argument| intern(table, symbols, argument, limits));
    let arguments = arguments.map(|id| id.map(TermId::raw)).collect::<Result<Vec<_>, _>>()?;
    let symbol = symbols.intern(term.name().expect("the term is ground"));
    table.find(symbol, arguments.iter().copied()).map_or_else(|| table.push(symbol, &arguments, limits), Ok)
}

fn find(table: &mut TermTable, symbols: &Symbols, term: &syntax::Term) -> Option<TermId> {
    let arguments = term.arguments().iter().map(|argument| find(table, symbols, argument).map(TermId::raw));
    let arguments = arguments.collect::<Option<Vec<_>>>()?;
    table.find(symbols.get(term.name()?)?, arguments.into_iter())
}

fn register_fluent(table: &mut TermTable, symbols: &Symbols, term: TermId) -> FluentId {
    if let Some(fluent) = table.fluent_of[term.index()] {
        return fluent;
    }
    let mut text = String::new();
    table.print(term, symbols, &mut text);
    table.append_fluent(term, stable_hash(&text))
}

/// One thread's view of a vocabulary.
#[derive(Debug)]
pub struct Terms {
    local: TermTable,
    vocabulary: Arc<Vocabulary>,
}

impl Terms {
    /// The vocabulary that this reads.
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// The term with this symbol and these arguments, if this thread has met it.
    #[must_use]
    #[inline]
    pub fn find(
        &mut self,
        symbol: SymbolId,
        arguments: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Option<TermId> {
        self.local.find(symbol, arguments)
    }

    /// The same, creating the term if it is new.
    ///
    /// # Errors
    /// [`LimitError`] if it is nested too deep or the game has no room for more terms.
    #[inline]
    pub fn intern(
        &mut self,
        symbol: SymbolId,
        arguments: impl ExactSizeIterator<Item = u32> + Clone,
    ) -> Result<TermId, LimitError> {
        match self.local.find(symbol, arguments.clone()) {
            Some(term) => Ok(term),
            None => self.learn(symbol, &arguments.collect::<Vec<_>>()),
        }
    }

    #[cold]
    fn learn(&mut self, symbol: SymbolId, arguments: &[u32]) -> Result<TermId, LimitError> {
        let mut shared = self.vocabulary.lock();
        let SharedTerms { table, limits, .. } = &mut *shared;
        if table.find(symbol, arguments.iter().copied()).is_none() {
            table.push(symbol, arguments, limits)?;
        }
        self.local.catch_up(&shared.table);
        Ok(self.local.find(symbol, arguments.iter().copied()).expect("it was just added"))
    }

    /// The fluent that a term is, new if it was not one.
    pub fn fluent(&mut self, term: TermId) -> FluentId {
        if let Some(fluent) = self.local.fluent_of[term.index()] {
            return fluent;
        }
        let fluent = self.vocabulary.fluent(term);
        self.catch_up();
        // Another thread may have made it a fluent after this one last looked.
        self.local.fluent_of[term.index()] = Some(fluent);
        fluent
    }

    /// Learns what other threads have met.
    pub fn catch_up(&mut self) {
        let shared = self.vocabulary.lock();
        self.local.catch_up(&shared.table);
    }

    /// The number of fluents in this thread's copy.
    #[must_use]
    pub fn fluents_count(&self) -> usize {
        self.local.fluents.len()
    }

    /// The term that a fluent is; the fluent must be below [`fluents_count`](Self::fluents_count).
    #[must_use]
    pub fn fluent_term(&self, fluent: FluentId) -> TermId {
        self.local.fluents[fluent.index()]
    }

    /// The stable hash of a fluent.
    #[must_use]
    pub fn fluent_hash(&self, fluent: FluentId) -> u64 {
        self.local.fluent_hashes[fluent.index()]
    }

    /// Symbol and arguments of a term in this thread's copy.
    #[must_use]
    pub fn parts(&self, raw: u32) -> (SymbolId, &[u32]) {
        let node = self.local.nodes[raw as usize];
        (node.symbol, self.local.arguments_of(node))
    }

    /// Whether the term is in this thread's copy.
    #[must_use]
    pub fn knows(&self, term: TermId) -> bool {
        term.index() < self.local.nodes.len()
    }
}
