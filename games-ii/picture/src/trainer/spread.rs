//! Cards and dice by where they may be: a table of what it is against where it lies.

use std::collections::{BTreeMap, BTreeSet};

use croupier_games::{Depicted, DepictedKind, Facts, GameFacts, LikelyFact, TermPlace};

use super::words::percent;
use crate::paint::{Drawing, Lettering, Pen, Rectangle, colours, escaped, short, width_of};

/// Where hidden things of one kind may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// `Where the cards may be`, `What the dice may show`.
    pub title: String,
    /// Where things may lie, in words.
    pub places: Vec<String>,
    /// One for each thing, in the order in which the words of the game list them.
    pub rows: Vec<SpreadRow>,
}

/// Where a hidden thing may be.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadRow {
    /// What it is, in words.
    pub thing: String,
    /// By place, how likely it lies there; where several things look the same, how many of them on average.
    pub shares: Vec<f64>,
    /// Whether several things look like this.
    pub is_count: bool,
}

/// More rows or columns than these are not drawn: then the things are told as bars.
const ROWS_MAX: usize = 80;
const PLACES_MAX: usize = 12;

/// The height of a row.
const ROW: f64 = 22.0;

/// A hidden thing at a place where it may be.
struct PlacedThing {
    fact: String,
    name: String,
    place: String,
    /// Where it stands among others.
    order: Vec<TermPlace>,
}

/// Where the cards and dice may be that are hidden. What is told like this is taken out of `uncertain`.
pub(super) fn spreads(facts: &GameFacts, players: &[&str], uncertain: &mut Vec<&LikelyFact>) -> Vec<Spread> {
    let open = uncertain.iter().map(|likely| likely.fact.as_str()).collect();
    let things = facts.layout(&facts.scene_of(&Facts { open, ..Facts::default() }), players).things;
    let of_kind = |kind| {
        let things = things.iter().filter(move |thing| thing.kind == kind);
        things.map(|thing| placed(facts, thing)).collect::<Vec<PlacedThing>>()
    };
    let mut cards = of_kind(DepictedKind::Card);
    // Cards of which `[table]` says who holds them.
    let held = uncertain.iter().filter(|likely| !things.iter().any(|thing| thing.fact == likely.fact));
    cards.extend(held.filter_map(|likely| {
        let card = facts.words.held_card(&likely.fact)?;
        let place = card.line("").trim().to_owned();
        let order = vec![facts.words.thing_place(&card.term)];
        Some(PlacedThing { fact: likely.fact.clone(), name: card.card(), place, order })
    }));
    let dice = of_kind(DepictedKind::Die);
    let found = [("Where the cards may be", cards), ("What the dice may show", dice)];
    found.into_iter().filter_map(|(title, things)| spread(title, &things, uncertain)).collect()
}

/// A row that is being made, of things that look the same.
struct RowDraft<'t> {
    first: &'t PlacedThing,
    /// By place: the share, and of how many facts.
    shares: BTreeMap<usize, (f64, usize)>,
}

fn spread(title: &str, things: &[PlacedThing], uncertain: &mut Vec<&LikelyFact>) -> Option<Spread> {
    let likely: BTreeMap<&str, f64> =
        uncertain.iter().map(|likely| (likely.fact.as_str(), likely.probability)).collect();
    let mut places: Vec<String> = Vec::new();
    let mut rows: Vec<RowDraft<'_>> = Vec::new();
    for thing in things {
        let Some(&probability) = likely.get(thing.fact.as_str()) else { continue };
        let place = position(&mut places, &thing.place, |known| known, str::to_owned);
        let new = |_: &str| RowDraft { first: thing, shares: BTreeMap::new() };
        let row = position(&mut rows, &thing.name, |row| &row.first.name, new);
        let share = rows[row].shares.entry(place).or_default();
        *share = (share.0 + probability, share.1 + 1);
    }
    if rows.is_empty() || rows.len() > ROWS_MAX || places.len() > PLACES_MAX {
        return None;
    }
    let told: BTreeSet<&str> = things.iter().map(|thing| thing.fact.as_str()).collect();
    uncertain.retain(|likely| !told.contains(likely.fact.as_str()));
    rows.sort_by_key(|row| &row.first.order);
    let row = |RowDraft { first, shares }: RowDraft<'_>| SpreadRow {
        thing: first.name.clone(),
        is_count: shares.values().any(|&(_, count)| count > 1),
        shares: (0..places.len()).map(|place| shares.get(&place).map_or(0.0, |&(share, _)| share)).collect(),
    };
    Some(Spread { title: title.to_owned(), rows: rows.into_iter().map(row).collect(), places })
}

/// Where something stands in a list, to which it is added if it is not there.
fn position<T>(
    list: &mut Vec<T>,
    name: &str,
    name_of: impl Fn(&T) -> &String,
    make: impl FnOnce(&str) -> T,
) -> usize {
    list.iter().position(|known| name_of(known) == name).unwrap_or_else(|| {
        list.push(make(name));
        list.len() - 1
    })
}

fn placed(facts: &GameFacts, thing: &Depicted) -> PlacedThing {
    let name = thing.parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>().join(" ");
    let order = thing.parts.iter().map(|part| facts.words.thing_place(&part.term)).collect();
    PlacedThing { fact: thing.fact.clone(), name, place: place_of(facts, thing), order }
}

/// Where a thing lies, in words: `Bob`, `Alice, card 2`, `stock`.
fn place_of(facts: &GameFacts, thing: &Depicted) -> String {
    let zone = thing.zone.as_ref().map(|zone| zone.words.as_str());
    let owner = thing.owner.as_ref().map(|owner| facts.words.symbol_text(owner));
    let place = thing.place.as_ref().map(|place| place.words.as_str());
    let first = match (owner, zone) {
        (Some(owner), None | Some("hand" | "dice")) => owner,
        (Some(owner), Some(zone)) => format!("{owner}, {zone}"),
        (None, zone) => zone.unwrap_or("the table").to_owned(),
    };
    match place {
        Some(place) => format!("{first} {place}"),
        None => first,
    }
}

impl Spread {
    /// What it shows, for people who hear it.
    #[must_use]
    pub fn label(&self) -> String {
        let mut cells: Vec<(&SpreadRow, usize)> = Vec::new();
        for row in &self.rows {
            cells.extend((0..self.places.len()).map(|place| (row, place)));
        }
        cells.sort_by(|(one, at), (other, there)| other.shares[*there].total_cmp(&one.shares[*at]));
        let said = cells.iter().take(6).map(|(row, place)| {
            format!("{} {} {}", row.thing, self.places[*place], row.said(row.shares[*place]))
        });
        format!("{}: {}", self.title, said.collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn drawing(&self) -> Drawing {
        let wide = |texts: &mut dyn Iterator<Item = &str>| {
            texts.map(|text| width_of(text, 12.5)).fold(48.0, f64::max).min(220.0) + 14.0
        };
        let first = wide(&mut self.rows.iter().map(|row| row.thing.as_str()));
        let columns: Vec<f64> =
            self.places.iter().map(|place| wide(&mut [place.as_str()].into_iter())).collect();
        let mut pen = Pen::default();
        let mut x = first;
        for (place, width) in self.places.iter().zip(&columns) {
            pen.text(x + width / 2.0, 14.0, Lettering::plain(12.0, colours::FAINT), place);
            x += width;
        }
        for (number, row) in (1_u16..).zip(&self.rows) {
            pen.at(0.0, f64::from(number) * ROW, 1.0, |pen| self.draw_row(pen, row, first, &columns));
        }
        let rows = u16::try_from(self.rows.len()).unwrap_or(u16::MAX);
        Drawing { width: x, height: (f64::from(rows) + 1.0) * ROW, svg: pen.svg }
    }

    fn draw_row(&self, pen: &mut Pen, row: &SpreadRow, first: f64, columns: &[f64]) {
        pen.text(4.0, 15.5, Lettering::bold(12.5, colours::CHALK).starting(), &row.thing);
        let mut x = first;
        for ((&share, &width), place) in row.shares.iter().zip(columns).zip(&self.places) {
            let frame = Rectangle { x: x + 1.0, y: 1.0, width: width - 2.0, height: ROW - 2.0, round: 2.0 };
            let text = row.said(share);
            pen.group("class=\"share\"", |pen| {
                let (thing, place) = (escaped(&row.thing), escaped(place));
                pen.svg.push_str(&format!("<title>{thing}, {place}: {}</title>", escaped(&text)));
                pen.rectangle(frame, crate::paint::Ink::filled(colours::PAPER));
                if share > 0.0 {
                    super::heat::shade(pen, frame, share);
                    pen.text(x + width / 2.0, 15.5, Lettering::plain(11.5, colours::INK), &text);
                }
            });
            x += width;
        }
    }
}

impl SpreadRow {
    /// A share in words, or a mean number.
    fn said(&self, share: f64) -> String {
        if self.is_count { format!("{} on average", short(share)) } else { percent(share) }
    }
}
