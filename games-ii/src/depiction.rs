//! What facts look like in a picture: `[scene]` of a `game.toml`, for what words cannot say.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use thiserror::Error;

use crate::{
    condition::Condition,
    phrase::{PhraseError, pattern},
    printable::printable,
    said::NamedTerm,
    scene::Scene,
    term::{Binding, PatternTerm},
    words::Words,
};

/// A line of `[scene]`: `"(hand ?player ?card)" = "card ?card in hand of ?player"`.
#[derive(Clone, Debug)]
pub(crate) struct Depiction {
    pub(crate) pattern: PatternTerm,
    conditions: Vec<Condition>,
    noun: DepictedKind,
    /// What stands between the noun and the first preposition.
    parts: Vec<PatternTerm>,
    /// `in`, `of`, `at` and `x` with what follows each.
    places: BTreeMap<Preposition, PatternTerm>,
}

/// What a fact stands for in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DepictedKind {
    /// `card ?card`: a card that lies somewhere.
    Card,
    /// `die ?face`: a die for each part.
    Die,
    /// `chips ?n`: as many chips.
    Chips,
    /// `count ?n`: how many cards, known and unknown, a zone has.
    Count,
    /// `piece disc white`: a piece, where a board or a zone has it.
    Piece,
    /// `turn of ?player`: it is this player's turn.
    Turn,
    /// `out of ?player`: this player takes no more part.
    Out,
    /// `button of ?player`: this player has the dealer's button.
    Button,
    /// `nothing`: it is not drawn.
    Nothing,
}

/// What says where something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Preposition {
    /// The zone.
    In,
    /// The player.
    Of,
    /// The place in the zone.
    At,
    /// How many of them.
    Times,
}

/// Why a line of `[scene]` was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DepictionError {
    /// The left side is no pattern.
    #[error(transparent)]
    Pattern(#[from] PhraseError),
    /// The right side says nothing that can be drawn.
    #[error(
        "`{text}` for `{pattern}` in [scene] is not one of: card PARTS, die PARTS, chips ?n, count ?n, piece SHAPE COLOUR, turn, out, \
         button, nothing; then, as needed, `in ZONE`, `of ?player`, `at ?place`, `x ?times`"
    )]
    Noun {
        /// As written.
        pattern: String,
        /// As written.
        text: String,
    },
    /// The right side has a variable that the pattern lacks.
    #[error("`{text}` in [scene] uses ?{variable}, and the pattern `{pattern}` has no ?{variable}")]
    Unbound {
        /// As written.
        pattern: String,
        /// As written.
        text: String,
        /// Name of the variable.
        variable: String,
    },
    /// A zone lies nowhere.
    #[error("the zone `{zone}` is `{place}`; write one or more of around, centre, row, column, pile")]
    Zone {
        /// Its name.
        zone: String,
        /// As written.
        place: String,
    },
}

/// One thing that a fact stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depicted {
    /// The fact, as a fluent.
    pub fact: String,
    /// What it is.
    pub kind: DepictedKind,
    /// What it shows.
    pub parts: Vec<NamedTerm>,
    /// Where it lies; `None` if the line does not say.
    pub zone: Option<NamedTerm>,
    /// Whose it is, as the rules name the role.
    pub owner: Option<String>,
    /// Where in the zone it lies.
    pub place: Option<NamedTerm>,
    /// How many of them there are.
    pub times: Option<NamedTerm>,
    /// Whether it is known to be there, and not only possible.
    pub is_certain: bool,
}

/// Where a zone lies and how, as `[scene.zones]` says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZonePlace {
    /// In front of its player (`around`) or in the middle (`centre`); `None` if it is not said.
    pub is_around: Option<bool>,
    /// Its things lie one below the other.
    pub is_column: bool,
    /// Its things lie upon each other.
    pub is_pile: bool,
}

/// All of `[scene]`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Depictions {
    pub(crate) lines: Vec<Depiction>,
    /// By the name of a zone.
    pub(crate) zones: BTreeMap<String, ZonePlace>,
}

/// `[scene]` as it is written.
#[derive(Default)]
pub(crate) struct DepictionsFile {
    lines: Vec<(String, String)>,
    zones: BTreeMap<String, String>,
}

impl<'de> Deserialize<'de> for DepictionsFile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = DepictionsFile;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of patterns, each with what it looks like, and perhaps [scene.zones]")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<DepictionsFile, A::Error> {
                let mut file = DepictionsFile::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key == "zones" {
                        true => file.zones = map.next_value()?,
                        false => file.lines.push((key, map.next_value()?)),
                    }
                }
                Ok(file)
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

impl Depictions {
    pub(crate) fn new(file: &DepictionsFile) -> Result<Self, DepictionError> {
        let lines = file.lines.iter().map(|(pattern, text)| Depiction::new(pattern, text));
        let zone = |(name, place): (&String, &String)| Ok((name.clone(), zone_place(name, place)?));
        Ok(Self {
            lines: lines.collect::<Result<_, _>>()?,
            zones: file.zones.iter().map(zone).collect::<Result<_, DepictionError>>()?,
        })
    }

    /// What a fact stands for.
    pub(crate) fn of(
        &self,
        words: &Words,
        scene: &Scene,
        fact: &PatternTerm,
        is_certain: bool,
    ) -> Option<Depicted> {
        let depicted = |line: &Depiction| line.depicted(words, scene, fact, is_certain);
        self.lines.iter().find_map(depicted)
    }
}

fn zone_place(zone: &str, text: &str) -> Result<ZonePlace, DepictionError> {
    let mut place = ZonePlace::default();
    for word in text.split_whitespace() {
        match word {
            "around" => place.is_around = Some(true),
            "centre" => place.is_around = Some(false),
            "row" => place.is_column = false,
            "column" => place.is_column = true,
            "pile" => place.is_pile = true,
            _ => return Err(DepictionError::Zone { zone: zone.to_owned(), place: text.to_owned() }),
        }
    }
    Ok(place)
}

impl Depiction {
    fn new(left: &str, text: &str) -> Result<Self, DepictionError> {
        let (term, conditions) = pattern(left)?;
        let line = PatternTerm::parse_all(&printable(text)).ok().and_then(|terms| {
            let (noun, mut rest) = terms.split_first()?;
            let (noun, mut parts, mut places) = (kind(noun)?, Vec::new(), BTreeMap::new());
            while let Some((first, after)) = rest.split_first() {
                rest = after;
                match (preposition(first), after.split_first()) {
                    (None, _) if places.is_empty() => parts.push(first.clone()),
                    (Some(preposition), Some((object, after))) => {
                        rest = after;
                        places.insert(preposition, object.clone());
                    }
                    _ => return None,
                }
            }
            Some(Self { pattern: term, conditions, noun, parts, places })
        });
        let noun = || DepictionError::Noun { pattern: left.to_owned(), text: text.to_owned() };
        let line = line.filter(Self::is_whole).ok_or_else(noun)?;
        let used = line.parts.iter().chain(line.places.values()).flat_map(PatternTerm::variables);
        let mut unbound = used.filter(|variable| !line.binds(variable));
        match unbound.next().map(str::to_owned) {
            Some(variable) => {
                Err(DepictionError::Unbound { pattern: left.to_owned(), text: text.to_owned(), variable })
            }
            None => Ok(line),
        }
    }

    fn binds(&self, variable: &str) -> bool {
        self.pattern.mentions(variable) || self.conditions.iter().any(|condition| condition.binds(variable))
    }

    /// Whether the noun has what it needs.
    fn is_whole(&self) -> bool {
        match self.noun {
            DepictedKind::Card => true,
            DepictedKind::Die | DepictedKind::Piece => !self.parts.is_empty(),
            DepictedKind::Chips | DepictedKind::Count => self.parts.len() == 1,
            DepictedKind::Turn | DepictedKind::Out | DepictedKind::Button => {
                self.parts.is_empty() && self.places.contains_key(&Preposition::Of)
            }
            DepictedKind::Nothing => self.parts.is_empty() && self.places.is_empty(),
        }
    }

    fn depicted(
        &self,
        words: &Words,
        scene: &Scene,
        fact: &PatternTerm,
        is_certain: bool,
    ) -> Option<Depicted> {
        let binding = self.pattern.matches(fact)?;
        // What is only possible cannot be asked for what else is so.
        let binding: Binding<'_> = match is_certain {
            true => scene.solutions(&self.conditions, binding).into_iter().next()?,
            false if self.conditions.is_empty() => binding,
            false => return None,
        };
        let named = |part: &PatternTerm| {
            let term = part.filled(&binding);
            NamedTerm { term: term.to_string(), words: words.part_text(&term, scene) }
        };
        let place = |preposition| self.places.get(&preposition).map(named);
        // A zone is no move, whatever it is called.
        let zone = self.places.get(&Preposition::In).map(|zone| {
            let term = zone.filled(&binding).to_string();
            NamedTerm { words: words.symbol_text(&term).replace('_', " "), term }
        });
        Some(Depicted {
            fact: fact.to_string(),
            kind: self.noun,
            parts: self.parts.iter().map(named).collect(),
            zone,
            owner: place(Preposition::Of).map(|owner| owner.term),
            place: place(Preposition::At),
            times: place(Preposition::Times),
            is_certain,
        })
    }
}

fn kind(noun: &PatternTerm) -> Option<DepictedKind> {
    let PatternTerm::Symbol(noun) = noun else { return None };
    Some(match noun.as_str() {
        "card" => DepictedKind::Card,
        "die" => DepictedKind::Die,
        "chips" => DepictedKind::Chips,
        "count" => DepictedKind::Count,
        "piece" => DepictedKind::Piece,
        "turn" => DepictedKind::Turn,
        "out" => DepictedKind::Out,
        "button" => DepictedKind::Button,
        "nothing" => DepictedKind::Nothing,
        _ => return None,
    })
}

fn preposition(word: &PatternTerm) -> Option<Preposition> {
    let PatternTerm::Symbol(word) = word else { return None };
    Some(match word.as_str() {
        "in" => Preposition::In,
        "of" => Preposition::Of,
        "at" => Preposition::At,
        "x" => Preposition::Times,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    fn parse(scene: &str) -> Result<GameFacts, String> {
        let text = format!("title = 'T'\nsummary = 'S'\n[symbols]\nas = 'A♠'\n[scene]\n{scene}");
        GameFacts::parse(&text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_line_says_what_a_fact_is_where_and_whose() {
        let facts = parse(
            "'(hand ?player ?card)' = 'card ?card in hand of ?player'\n'(bid ?n) if (acts ?p)' = 'chips ?n in bet of ?p'\n\
             [scene.zones]\nhand = 'around pile'",
        )
        .expect("a sound section");
        let scene = facts.scene(["(hand bob as)", "(bid 3)", "(acts bob)"], ["(hand ann as)", "(bid 4)"]);
        let layout = facts.layout(&scene, &["ann", "bob"]);
        let told: Vec<String> = layout
            .things
            .iter()
            .map(|thing| {
                let parts: Vec<&str> = thing.parts.iter().map(|part| part.words.as_str()).collect();
                let zone = thing.zone.as_ref().map(|zone| zone.term.as_str());
                format!("{:?} {parts:?} {zone:?} {:?} {}", thing.kind, thing.owner, thing.is_certain)
            })
            .collect();
        // What is only possible is drawn only where no condition is behind it.
        assert_eq!(
            told,
            [
                "Chips [\"3\"] Some(\"bet\") Some(\"bob\") true",
                "Card [\"A♠\"] Some(\"hand\") Some(\"bob\") true",
                "Card [\"A♠\"] Some(\"hand\") Some(\"ann\") false",
            ]
        );
        assert!(layout.zones["hand"].is_pile);
    }

    #[test]
    fn a_line_that_draws_nothing_is_refused() {
        let refused = |scene: &str| parse(scene).expect_err("an unsound section");
        assert!(refused("'(hand ?p ?c)' = 'cards ?c'").contains("is not one of: card"));
        assert!(refused("'(hand ?p ?c)' = 'card ?c in'").contains("is not one of: card"));
        assert!(refused("'(hand ?p ?c)' = 'turn'").contains("is not one of: card"));
        assert!(refused("'(hand ?p ?c)' = 'card ?d'").contains("has no ?d"));
        assert!(refused("[scene.zones]\nhand = 'above'").contains("one or more of around"));
    }
}
