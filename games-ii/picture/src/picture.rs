//! A picture: what a table looks like to somebody who knows a scene of it.

use croupier_games::{GameFacts, Scene};

use crate::{
    draft::Draft,
    element::{BoardElement, Element, PlayerElement, SuitColours, Zone},
};

/// A table as somebody sees it, made of what they know and of the words of the game, and of nothing else.
///
/// ```
/// use croupier_picture::{CardFace, ElementKind, Picture};
///
/// let holdem = croupier_games::find("holdem").ok_or("the catalogue has it")?.facts()?;
/// let scene = holdem.scene(["(hand alice as)", "(paid alice 2)", "(paid bob 2)"], ["(hand bob ks)", "(hand bob kh)"]);
/// let picture = Picture::of(&holdem, &scene, &["alice", "bob"], Some("alice"), None);
/// let is_back = |zone: &croupier_picture::Zone| {
///     zone.elements.iter().all(|element| element.kind == ElementKind::Card(CardFace::Back))
/// };
/// // Alice sees her own card, and the backs of Bob's two.
/// assert!(picture.players[1].zones.iter().any(|zone| zone.elements.len() == 2 && is_back(zone)));
/// assert!(picture.svg().starts_with("<svg ") && picture.html().contains("ace of spades"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// What the game is called.
    pub title: String,
    /// In the order of the rules.
    pub players: Vec<PlayerElement>,
    /// Which of the players looks; `None` for a watcher.
    pub viewer: Option<usize>,
    /// The boards, from top to bottom.
    pub boards: Vec<BoardElement>,
    /// What lies in the middle of the table: common cards, piles, the pot.
    pub zones: Vec<Zone>,
    /// What else there is to say: counters and texts.
    pub lines: Vec<Element>,
    /// How many colours the suits have; a page may choose.
    pub suits: SuitColours,
}

impl Picture {
    /// What the table looks like to somebody who knows this: a role of `players` (their names in the rules) in `seat`, or a watcher.
    /// What differs from the picture `before` is marked as changed; without one nothing is.
    #[must_use]
    pub fn of(
        facts: &GameFacts,
        known: &Scene,
        players: &[&str],
        seat: Option<&str>,
        before: Option<&Self>,
    ) -> Self {
        let layout = facts.layout(known, players);
        let mut draft = Draft::new(facts, players, layout.zones.clone());
        draft.put_things(&layout);
        draft.put_columns(&layout);
        draft.put_lines(&layout);
        let mut boards = draft.boards(&layout, seat);
        boards.extend(draft.put_plain(&layout));
        let drawn = draft.finish();
        let mut picture = Self {
            title: facts.title.clone(),
            players: drawn.players,
            viewer: players.iter().position(|name| Some(*name) == seat),
            boards,
            zones: drawn.zones,
            lines: drawn.lines,
            suits: before.map(|before| before.suits).unwrap_or_default(),
        };
        if let Some(before) = before {
            picture.mark_changes(before);
        }
        picture
    }

    /// The player who sits nearest to whoever looks: the viewer, or the first.
    pub(crate) fn nearest(&self) -> Option<usize> {
        self.viewer.or(if self.players.is_empty() { None } else { Some(0) })
    }

    /// The other players, in the order in which they sit round the table from the left of the nearest.
    pub(crate) fn others(&self) -> impl Iterator<Item = &PlayerElement> {
        let nearest = self.nearest().unwrap_or(0);
        let (before, after) = self.players.split_at(nearest.min(self.players.len()));
        after.iter().skip(1).chain(before)
    }
}
