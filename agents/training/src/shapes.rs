//! What players did and were told under other names: information sets that differ only in exchangeable values become one.
//!
//! In hold'em the first card that a player is dealt is called card 0, whichever it is, the second card 1, and so on. So all deals with the
//! same betting are one information set, whose belief is computed once; the belief of a player with other cards is the same numbers under
//! other names. The engine proves from the rules which values are exchangeable (`ExchangeableValues`): no game is known here.

use croupier_engine::{
    Game,
    game::{ExchangeableValues, ValueShape},
};
use rustc_hash::FxHashMap;

use crate::Space;

/// Images that are kept for the forms of a game, at most.
const IMAGES_MAX: usize = 1 << 20;

/// No name yet, or no image.
const NONE: u32 = u32::MAX;

/// The events of all players and the bases, as forms with exchangeable values in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    /// By class, how many members it has.
    sizes: Vec<usize>,
    /// By player, its events.
    players: Vec<ShapeTable>,
    bases: ShapeTable,
}

/// Numbers by their forms.
#[derive(Clone, Debug, Default)]
struct ShapeTable {
    shaped: Vec<ShapedNumber>,
    /// By form and members, the number.
    images: Vec<u32>,
}

/// A number as a form with members in it.
#[derive(Clone, Debug)]
struct ShapedNumber {
    /// Where the images of its form begin.
    start: usize,
    members: Vec<PlacedMember>,
}

/// A member in a form.
#[derive(Clone, Copy, Debug)]
struct PlacedMember {
    class: usize,
    /// Its place among the members of all classes.
    slot: usize,
    /// By how much the next member's image is further on.
    step: usize,
}

/// The names that a player has given to exchangeable values so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Naming {
    /// By slot, the new number of a member in its class.
    names: Vec<u32>,
    /// By class, how many members have one.
    given: Vec<u32>,
}

impl Shapes {
    /// The shapes of a game; without classes if nothing is exchangeable, or there would be too many images.
    pub(crate) fn new(game: &Game, space: &Space) -> Self {
        let values = game.exchangeable_values();
        Self::of(game, space, &values).unwrap_or_default()
    }

    fn of(game: &Game, space: &Space, values: &ExchangeableValues) -> Option<Self> {
        let sizes = values.class_sizes().to_vec();
        if sizes.is_empty() {
            return None;
        }
        let network = &space.network;
        let events = space.players.iter().map(|player| {
            let (moves, percepts) = (network.moves(player.role), network.percepts(player.role));
            let made = player.moves.iter().map(|&number| marked(0, values.move_shape(game, moves[number])));
            let told =
                player.percepts.iter().map(|&number| marked(1, values.percept_shape(game, percepts[number])));
            ShapeTable::new(made.chain(told), &sizes)
        });
        let players = events.collect::<Option<Vec<ShapeTable>>>()?;
        let fluents = network.fluents().iter().map(|&fluent| values.fluent_shape(game, fluent));
        let bases = ShapeTable::new(fluents, &sizes)?;
        Some(Self { sizes, players, bases })
    }

    /// Whether any values are exchangeable.
    pub(crate) fn has_classes(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// No names yet.
    pub(crate) fn nameless(&self) -> Naming {
        Naming { names: vec![NONE; self.sizes.iter().sum()], given: vec![0; self.sizes.len()] }
    }

    /// Appends the events of a turn of a player under the names of its values, and names those that are new in the order of their forms.
    pub(crate) fn rename(&self, place: usize, turn: &[u32], naming: &mut Naming, renamed: &mut Vec<u32>) {
        let begin = renamed.len();
        let table = &self.players[place];
        let mut unnamed: Vec<u32> = Vec::new();
        for &event in turn {
            match table.image(event, &naming.names) {
                Some(image) => renamed.push(image),
                None => unnamed.push(event),
            }
        }
        unnamed.sort_unstable_by_key(|&event| (table.shaped[event as usize].start, event));
        for event in unnamed {
            for member in &table.shaped[event as usize].members {
                let name = &mut naming.names[member.slot];
                if *name == NONE {
                    *name = naming.given[member.class];
                    naming.given[member.class] += 1;
                }
            }
            renamed.push(table.image(event, &naming.names).expect("all of its members have names"));
        }
        renamed[begin..].sort_unstable();
    }

    /// Writes the values of all bases, given those under the names of a player. Values without a name differ in nothing.
    pub(crate) fn write(&self, naming: &Naming, renamed: &[f32], written: &mut [f32]) {
        let mut names = naming.names.clone();
        let mut first = 0;
        for (&size, &given) in self.sizes.iter().zip(&naming.given) {
            let unnamed = names[first..first + size].iter_mut().filter(|name| **name == NONE);
            (given..).zip(unnamed).for_each(|(next, name)| *name = next);
            first += size;
        }
        for (value, base) in written.iter_mut().zip(0..) {
            *value = renamed[self.bases.image(base, &names).expect("all members have names") as usize];
        }
    }
}

/// A shape of one kind of several.
fn marked(kind: u32, mut shape: ValueShape) -> ValueShape {
    shape.form.push(kind);
    shape
}

impl ShapeTable {
    /// `None` if there would be too many images, or some image of a number has no number.
    fn new(shapes: impl Iterator<Item = ValueShape>, sizes: &[usize]) -> Option<Self> {
        let firsts: Vec<usize> = sizes
            .iter()
            .scan(0, |sum, size| {
                *sum += size;
                Some(*sum - size)
            })
            .collect();
        let mut table = Self::default();
        let mut starts: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
        for (number, ValueShape { form, members }) in (0..).zip(shapes) {
            let mut step = 1;
            let placed = members.iter().map(|member| {
                let placed =
                    PlacedMember { class: member.class, slot: firsts[member.class] + member.number, step };
                step *= sizes[member.class];
                placed
            });
            let placed: Vec<PlacedMember> = placed.collect();
            let end = table.images.len();
            let start = *starts.entry(form).or_insert(end);
            if start == end {
                if end + step > IMAGES_MAX {
                    return None;
                }
                table.images.resize(end + step, NONE);
            }
            let place: usize =
                members.iter().zip(&placed).map(|(member, placed)| member.number * placed.step).sum();
            table.images[start + place] = number;
            table.shaped.push(ShapedNumber { start, members: placed });
        }
        let names: Vec<u32> = sizes.iter().flat_map(|&size| (0..).take(size)).collect();
        table.is_closed(&names, &firsts, sizes).then_some(table)
    }

    /// Whether the image of every number under every exchange of one of its members has a number.
    fn is_closed(&self, names: &[u32], firsts: &[usize], sizes: &[usize]) -> bool {
        let mut names = names.to_vec();
        (0..).zip(&self.shaped).all(|(number, shaped)| {
            shaped.members.iter().all(|member| {
                let first = firsts[member.class];
                (first..first + sizes[member.class]).all(|other| {
                    names.swap(member.slot, other);
                    let is_there = self.image(number, &names).is_some();
                    names.swap(member.slot, other);
                    is_there
                })
            })
        })
    }

    /// The number under other names; `None` if one of its members has none.
    fn image(&self, number: u32, names: &[u32]) -> Option<u32> {
        let ShapedNumber { start, members } = &self.shaped[number as usize];
        let mut place = *start;
        for member in members {
            let name = names[member.slot];
            if name == NONE {
                return None;
            }
            place += name as usize * member.step;
        }
        let image = self.images[place];
        (image != NONE).then_some(image)
    }
}
