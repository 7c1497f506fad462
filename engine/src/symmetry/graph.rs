//! A coloured graph whose automorphisms are the symmetries of clauses.

use std::collections::BTreeMap;

use super::{
    clause::{Clause, ClauseTerm, LiteralKind},
    point::{Point, Points, Vertex},
    sort::{ArgumentPosition, Sorts},
};
use crate::{
    id::{PredicateId, SymbolId},
    rules::{Keyword, Program},
};

/// A directed graph with a colour for each vertex.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// Vertices are mapped to vertices of their colour.
    pub(super) colours: Vec<u32>,
    /// The targets and sources of edges.
    pub(super) arrows: [Adjacency; 2],
}

/// For each vertex some others, ascending.
#[derive(Clone, Debug)]
pub(super) struct Adjacency {
    first: Vec<u32>,
    others: Vec<Vertex>,
}

impl Adjacency {
    fn of(vertices: usize, arrows: &mut [(Vertex, Vertex)]) -> Self {
        arrows.sort_unstable();
        let mut first = vec![0; vertices + 1];
        for &(from, _) in &*arrows {
            first[from as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            first[vertex + 1] += first[vertex];
        }
        Self { first, others: arrows.iter().map(|&(_, to)| to).collect() }
    }

    /// The others of a vertex.
    pub(super) fn of_vertex(&self, vertex: Vertex) -> &[Vertex] {
        let vertex = vertex as usize;
        &self.others[self.first[vertex] as usize..self.first[vertex + 1] as usize]
    }
}

impl Graph {
    /// The graph with these arrows.
    pub(super) fn new(colours: Vec<u32>, mut arrows: Vec<(Vertex, Vertex)>) -> Self {
        let forth = Adjacency::of(colours.len(), &mut arrows);
        arrows.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
        let back = Adjacency::of(colours.len(), &mut arrows);
        Self { colours, arrows: [forth, back] }
    }

    /// Whether a bijection from these vertices to those of a graph, perhaps the same, keeps colours and arrows.
    pub(super) fn maps_to(&self, other: &Self, images: &[Vertex]) -> bool {
        let keeps = |vertex: Vertex| {
            let image = images[vertex as usize];
            let targets = self.arrows[0].of_vertex(vertex).iter();
            let mut mapped: Vec<Vertex> = targets.map(|&target| images[target as usize]).collect();
            mapped.sort_unstable();
            self.colours[vertex as usize] == other.colours[image as usize]
                && mapped == other.arrows[0].of_vertex(image)
        };
        (0..).take(images.len()).all(keeps)
    }
}

/// The colour of a vertex: vertices of the same colour may be mapped to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Colour<'p> {
    Sort,
    /// A value that may be exchanged for another.
    Constant,
    /// A value that means something: a goal, or the role of chance.
    Fixed(&'p str),
    Function(usize),
    Predicate(usize),
    /// A relation of the language.
    Keyword(Keyword),
    /// An argument of a predicate or function.
    ArgumentPosition,
    /// An argument of a relation of the language.
    KeywordPlace(Keyword, usize),
    Clause,
    Variable,
    Literal(LiteralKind),
    /// A function applied to arguments.
    Application,
    /// One argument of a literal or of an application.
    Argument,
}

/// A graph that grows.
pub(super) struct GraphBuilder<'p> {
    program: &'p Program,
    sorts: &'p Sorts,
    colours: Vec<Colour<'p>>,
    arrows: Vec<(Vertex, Vertex)>,
    sort_vertices: BTreeMap<ArgumentPosition, Vertex>,
    constants: BTreeMap<(ArgumentPosition, SymbolId), Vertex>,
    functions: BTreeMap<(ArgumentPosition, SymbolId, usize), (Vertex, Vec<Vertex>)>,
    predicates: BTreeMap<PredicateId, (Vertex, Vec<Vertex>)>,
    /// The constant that plays for chance, if any, and the sort of roles.
    chance: Option<(ArgumentPosition, SymbolId)>,
    goals: Option<ArgumentPosition>,
}

impl<'p> GraphBuilder<'p> {
    /// The graph of some clauses, and which of its vertices are points: symbols that occur in values. Its colours are places in the
    /// list that is returned with it, which is ascending.
    pub(super) fn graph(
        program: &'p Program,
        sorts: &'p Sorts,
        clauses: &[Clause],
        chance: &str,
    ) -> (Graph, Points, Vec<Colour<'p>>) {
        let roles = program.keyword(Keyword::Role).map(|roles| sorts.sort(sorts.place(roles, 0)));
        let goals = program.keyword(Keyword::Goal).map(|goals| sorts.sort(sorts.place(goals, 1)));
        let mut builder = Self {
            program,
            sorts,
            colours: Vec::new(),
            arrows: Vec::new(),
            sort_vertices: BTreeMap::new(),
            constants: BTreeMap::new(),
            functions: BTreeMap::new(),
            predicates: BTreeMap::new(),
            chance: roles.zip(program.symbols.get(chance)),
            goals,
        };
        clauses.iter().enumerate().for_each(|(number, clause)| builder.clause(number, clause));
        let points = builder.points();
        let mut palette = builder.colours.clone();
        palette.sort_unstable();
        palette.dedup();
        let number = |colour: &Colour| palette.binary_search(colour).expect("made from the colours");
        let colours = builder.colours.iter().map(|colour| vertex(number(colour))).collect();
        (Graph::new(colours, builder.arrows), points, palette)
    }

    fn add(&mut self, colour: Colour<'p>) -> Vertex {
        self.colours.push(colour);
        vertex(self.colours.len() - 1)
    }

    fn clause(&mut self, number: usize, clause: &Clause) {
        let whole = self.add(Colour::Clause);
        let mut variables = BTreeMap::new();
        for (position, literal) in clause.literals.iter().enumerate() {
            let said = self.add(Colour::Literal(literal.kind));
            self.arrows.push((whole, said));
            let Some(predicate) = literal.predicate else {
                let sort = self.sorts.compared(number, position);
                for term in &literal.arguments {
                    let term = self.term(term, sort, &mut variables);
                    self.arrows.push((said, term));
                }
                continue;
            };
            let (relation, places) = self.predicate(predicate);
            self.arrows.push((said, relation));
            for (number, term) in literal.arguments.iter().enumerate() {
                let sort = self.sorts.sort(self.sorts.place(predicate, number));
                self.argument(said, places[number], term, sort, &mut variables);
            }
        }
    }

    fn argument(
        &mut self,
        whole: Vertex,
        place: Vertex,
        term: &ClauseTerm,
        sort: ArgumentPosition,
        variables: &mut BTreeMap<usize, Vertex>,
    ) {
        let argument = self.add(Colour::Argument);
        let term = self.term(term, sort, variables);
        self.arrows.extend([(whole, argument), (argument, place), (argument, term)]);
    }

    fn term(
        &mut self,
        term: &ClauseTerm,
        sort: ArgumentPosition,
        variables: &mut BTreeMap<usize, Vertex>,
    ) -> Vertex {
        match term {
            ClauseTerm::Variable(variable) => {
                if let Some(&known) = variables.get(variable) {
                    return known;
                }
                let new = self.add(Colour::Variable);
                variables.insert(*variable, new);
                new
            }
            ClauseTerm::Apply(symbol, arguments) if arguments.is_empty() => self.constant(sort, *symbol),
            ClauseTerm::Apply(symbol, arguments) => {
                let application = self.add(Colour::Application);
                let (function, places) = self.function(sort, *symbol, arguments.len());
                self.arrows.push((application, function));
                let sorts = self.sorts.arguments_of(sort, *symbol, arguments.len());
                let sorts = sorts.expect("every function of a clause was sorted");
                for ((term, place), sort) in arguments.iter().zip(places).zip(sorts) {
                    self.argument(application, place, term, sort, variables);
                }
                application
            }
        }
    }

    fn sort(&mut self, sort: ArgumentPosition) -> Vertex {
        if let Some(&known) = self.sort_vertices.get(&sort) {
            return known;
        }
        let new = self.add(Colour::Sort);
        self.sort_vertices.insert(sort, new);
        new
    }

    fn constant(&mut self, sort: ArgumentPosition, symbol: SymbolId) -> Vertex {
        if let Some(&known) = self.constants.get(&(sort, symbol)) {
            return known;
        }
        let is_fixed = self.goals == Some(sort) || self.chance == Some((sort, symbol));
        let new = self.add(if is_fixed {
            Colour::Fixed(self.program.symbols.name(symbol))
        } else {
            Colour::Constant
        });
        let of = self.sort(sort);
        self.arrows.push((new, of));
        self.constants.insert((sort, symbol), new);
        new
    }

    /// The vertex of a function and those of its arguments.
    fn function(&mut self, sort: ArgumentPosition, symbol: SymbolId, arity: usize) -> (Vertex, Vec<Vertex>) {
        if let Some(known) = self.functions.get(&(sort, symbol, arity)) {
            return known.clone();
        }
        let new = self.add(Colour::Function(arity));
        let of = self.sort(sort);
        self.arrows.push((new, of));
        let sorts = self.sorts.arguments_of(sort, symbol, arity).expect("every function was sorted");
        let places: Vec<Vertex> =
            sorts.into_iter().map(|sort| self.place(new, Colour::ArgumentPosition, sort)).collect();
        self.functions.insert((sort, symbol, arity), (new, places.clone()));
        (new, places)
    }

    /// The vertex of a predicate and those of its arguments.
    fn predicate(&mut self, predicate: PredicateId) -> (Vertex, Vec<Vertex>) {
        if let Some(known) = self.predicates.get(&predicate) {
            return known.clone();
        }
        let arity = self.program.predicates[predicate.index()].arity;
        let keyword = self.program.as_keyword(predicate);
        let new = self.add(keyword.map_or(Colour::Predicate(arity), Colour::Keyword));
        let place = |number| {
            keyword.map_or(Colour::ArgumentPosition, |keyword| Colour::KeywordPlace(keyword, number))
        };
        let places: Vec<Vertex> = (0..arity)
            .map(|number| {
                let sort = self.sorts.sort(self.sorts.place(predicate, number));
                self.place(new, place(number), sort)
            })
            .collect();
        self.predicates.insert(predicate, (new, places.clone()));
        (new, places)
    }

    fn place(&mut self, owner: Vertex, colour: Colour<'p>, sort: ArgumentPosition) -> Vertex {
        let new = self.add(colour);
        let of = self.sort(sort);
        self.arrows.extend([(owner, new), (new, of)]);
        new
    }

    /// The symbols of the values that a game is played with.
    fn points(&self) -> Points {
        let words = [
            (Keyword::Role, 0),
            (Keyword::True, 0),
            (Keyword::Init, 0),
            (Keyword::Next, 0),
            (Keyword::Legal, 1),
            (Keyword::Does, 1),
            (Keyword::Sees, 1),
        ];
        let sort = |(word, number): (Keyword, usize)| {
            Some(self.sorts.sort(self.sorts.place(self.program.keyword(word)?, number)))
        };
        let [roles, fluents, _, _, moves, _, percepts] = words.map(sort);
        let mut open: Vec<ArgumentPosition> = words.into_iter().filter_map(sort).collect();
        let mut seen = BTreeMap::new();
        while let Some(sort) = open.pop() {
            if seen.insert(sort, ()).is_none() {
                open.extend(self.sorts.functions(sort).flat_map(|(_, sorts)| sorts));
            }
        }
        let mut points = Points::new([roles, fluents, moves, percepts]);
        for (&(sort, symbol), &vertex) in
            self.constants.iter().filter(|((sort, _), _)| seen.contains_key(sort))
        {
            points.add(Point::Constant { sort, symbol }, vertex);
        }
        for (&(sort, symbol, arity), (vertex, places)) in &self.functions {
            if !seen.contains_key(&sort) {
                continue;
            }
            let sorts = self.sorts.arguments_of(sort, symbol, arity).expect("every function was sorted");
            let function = points.add(Point::Function { sort, symbol, arguments: sorts }, *vertex);
            for (number, &place) in places.iter().enumerate() {
                points.add(Point::Argument { function, number }, place);
            }
        }
        points
    }
}

fn vertex(index: usize) -> Vertex {
    Vertex::try_from(index).expect("clauses were counted before")
}
