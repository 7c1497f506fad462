//! Turns that people look for in a match: what a picture has that the one before had not.

use crate::{
    element::{CardFace, Element, ElementKind, PlayerElement},
    picture::Picture,
};

/// Moments of a match; of more, every second or third is enough.
const MOMENTS_MAX: usize = 16;

/// A turn to jump to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyMoment {
    /// The picture: 0 is before the first turn.
    pub turn: usize,
    /// What happened, in a few words.
    pub text: String,
}

impl KeyMoment {
    /// Those of a match with these pictures, in order: somebody is out or all in, shows cards or loses a piece, or cards come into the
    /// middle of the table. The last is the end.
    ///
    /// ```
    /// use croupier_picture::{KeyMoment, Picture};
    ///
    /// let holdem = croupier_games::find("holdem").ok_or("the catalogue has it")?.facts()?;
    /// let picture = |facts: &[&str]| {
    ///     let scene = holdem.scene(facts.iter().copied(), []);
    ///     Picture::of(&holdem, &scene, &["alice", "bob"], None, None)
    /// };
    /// let (before, after) = (picture(&["(paid alice 2)"]), picture(&["(paid alice 2)", "(board as)"]));
    /// let moments = KeyMoment::all([&before, &before, &after, &after]);
    /// let told: Vec<_> = moments.iter().map(|moment| (moment.turn, moment.text.as_str())).collect();
    /// assert_eq!(told, [(2, "ace of spades"), (3, "the end")]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all<'p>(pictures: impl IntoIterator<Item = &'p Picture>) -> Vec<Self> {
        let pictures: Vec<&Picture> = pictures.into_iter().collect();
        let mut moments: Vec<Self> = Vec::new();
        for (number, pair) in pictures.windows(2).enumerate() {
            let [before, after] = pair else { continue };
            moments.extend(happened(before, after).map(|text| Self { turn: number + 1, text }));
        }
        let step = moments.len().div_ceil(MOMENTS_MAX).max(1);
        let mut moments: Vec<Self> = moments.into_iter().step_by(step).collect();
        let last = pictures.len().saturating_sub(1);
        if moments.last().is_none_or(|moment| moment.turn < last) {
            moments.push(Self { turn: last, text: "the end".to_owned() });
        }
        moments
    }
}

/// What people look for in what happened between two pictures, in words.
fn happened(before: &Picture, after: &Picture) -> Option<String> {
    let pairs = || after.players.iter().zip(&before.players);
    let of = |is_it: &dyn Fn(&PlayerElement, &PlayerElement) -> bool| {
        pairs().find(|(now, then)| is_it(now, then)).map(|(now, _)| now.name.clone())
    };
    let is_all_in = |now: &PlayerElement, then: &PlayerElement| {
        now.stack == Some(0) && then.stack.is_some_and(|stack| stack > 0)
    };
    let shows = |now: &PlayerElement, then: &PlayerElement| {
        let ([backs, faces], [backs_then, faces_then]) = (cards(now), cards(then));
        backs < backs_then && faces > faces_then
    };
    if let Some(name) = of(&is_all_in) {
        return Some(format!("{name} is all in"));
    }
    if let Some(name) = of(&|now, then| now.is_out && !then.is_out) {
        return Some(format!("{name} is out"));
    }
    if let Some(name) = of(&shows) {
        return Some(format!("{name} shows"));
    }
    if pieces(after) < pieces(before) {
        return Some("a piece is taken".to_owned());
    }
    let new = after.zones.iter().flat_map(|zone| &zone.elements).filter(|element| {
        let is_old = |zone: &crate::Zone| zone.elements.iter().any(|old| old.label == element.label);
        is_face(element) && !before.zones.iter().any(is_old)
    });
    let new: Vec<&str> = new.map(|element| element.label.as_str()).collect();
    (!new.is_empty()).then(|| new.join(", "))
}

/// Cards in front of a player: backs, and faces.
fn cards(player: &PlayerElement) -> [usize; 2] {
    let elements = || player.zones.iter().flat_map(|zone| &zone.elements);
    let backs = elements().filter(|element| element.kind == ElementKind::Card(CardFace::Back)).count();
    [backs, elements().filter(|element| is_face(element)).count()]
}

fn is_face(element: &Element) -> bool {
    matches!(&element.kind, ElementKind::Card(face) if *face != CardFace::Back)
}

fn pieces(picture: &Picture) -> usize {
    let squares = picture.boards.iter().flat_map(|board| board.squares.iter().flatten());
    squares.flat_map(|square| &square.pieces).map(|piece| piece.count as usize).sum()
}

#[cfg(test)]
mod tests {
    use croupier_games::GameFacts;

    use super::KeyMoment;
    use crate::Picture;

    const FACTS: &str = "title = 'T'\nsummary = 'S'\n[scene]\n'(hand ?p ?c)' = 'card ?c in hand of ?p at ?c'\n\
                         '(stack ?p ?n)' = 'chips ?n of ?p'\n'(folded ?p)' = 'out of ?p'\n";

    #[test]
    fn a_showdown_is_told_an_all_in_and_who_is_out() {
        let facts = GameFacts::parse(FACTS).expect("sound facts");
        let picture = |certain: &[&str], open: &[&str]| {
            let scene = facts.scene(certain.iter().copied(), open.iter().copied());
            Picture::of(&facts, &scene, &["ann", "ben"], Some("ann"), None)
        };
        let told = |before: &Picture, after: &Picture| -> Vec<String> {
            KeyMoment::all([before, after]).into_iter().map(|moment| moment.text).collect()
        };
        let start = picture(&["(hand ann k)", "(stack ben 5)"], &["(hand ben q)"]);
        let all_in = picture(&["(hand ann k)", "(stack ben 0)"], &["(hand ben q)"]);
        let shown = picture(&["(hand ann k)", "(stack ben 0)", "(hand ben q)"], &[]);
        let folded = picture(&["(hand ann k)", "(stack ben 5)", "(folded ben)"], &["(hand ben q)"]);
        assert_eq!(told(&start, &all_in), ["ben is all in"]);
        assert_eq!(told(&all_in, &shown), ["ben shows"]);
        assert_eq!(told(&start, &folded), ["ben is out"]);
        assert_eq!(told(&start, &start), ["the end"]);
    }
}
