//! What somebody knows of a state, as far as words are concerned.

use std::collections::{BTreeMap, BTreeSet};

use crate::term::PatternTerm;

/// What somebody knows of a state: what is true for certain, and what may be true. `[values]` of the `game.toml` are
/// worked out from that and belong to it.
///
/// ```
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
/// let scene = kuhn.scene(["(paid alice 1)", "(paid bob 2)", "(to_act alice)"], []);
/// // A bet of bob's is there to be called, or to fold to.
/// assert_eq!(kuhn.words.move_text_in("bet", &scene), "call");
/// assert_eq!(kuhn.words.move_text("bet"), "bet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// In the order in which people name things: that of `[symbols]`.
    pub(crate) certain: Vec<PatternTerm>,
    pub(crate) open: Vec<PatternTerm>,
    /// Whether anything else may be true as well.
    pub(crate) is_vague: bool,
    /// What there is to show: what is certain, and copies of things of which it is only open which copies they are. In the same order.
    pub(crate) shown: Vec<PatternTerm>,
    /// Of what is open, what adds nothing to what is shown: it is known how many of these look like that.
    copies: Vec<PatternTerm>,
    /// What is certain, in the order in which it became so; what became so at one time in the order of people.
    came: Vec<PatternTerm>,
}

/// What somebody knows of a state, as fluents.
#[derive(Clone, Debug, Default)]
pub struct Facts<'t> {
    /// What is true.
    pub certain: Vec<&'t str>,
    /// What may be true.
    pub open: Vec<&'t str>,
    /// Of what may be true and looks alike, as many as are true for certain.
    pub alike: Vec<&'t str>,
    /// Of what may be true and looks alike, that of which the number is certain.
    pub copies: Vec<&'t str>,
    /// Whether anything else may be true as well; otherwise it is false.
    pub is_vague: bool,
}

impl Scene {
    /// The scene of somebody who knows nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// What both know: certain is what both are certain of.
    #[must_use]
    pub fn shared(&self, other: &Self) -> Self {
        let (certain, differing): (Vec<PatternTerm>, Vec<PatternTerm>) =
            self.certain.iter().cloned().partition(|fact| other.certain.contains(fact));
        let alone = other.certain.iter().filter(|fact| !self.certain.contains(fact));
        let open = self.open.iter().chain(&other.open).chain(alone).cloned().chain(differing).collect();
        let came = self.came.iter().filter(|fact| certain.contains(fact)).cloned().collect();
        let (shown, is_vague) = (certain.clone(), self.is_vague || other.is_vague);
        Self { certain, open, is_vague, shown, copies: Vec::new(), came }
    }

    /// The scene of somebody who knew that before: what stays certain keeps its place in the order of appearance.
    #[must_use]
    pub fn after(mut self, before: &Self) -> Self {
        let certain: BTreeSet<&PatternTerm> = self.certain.iter().collect();
        let mut came: Vec<PatternTerm> =
            before.came.iter().filter(|fact| certain.contains(fact)).cloned().collect();
        let old: BTreeSet<&PatternTerm> = before.came.iter().collect();
        came.extend(self.certain.iter().filter(|fact| !old.contains(fact)).cloned());
        self.came = came;
        self
    }

    /// The number that is known of something: 7 for `pot` where `(pot 7)` is certain, and no other `(pot N)`.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<i64> {
        let number = |fact: &PatternTerm| match fact {
            PatternTerm::List(parts) => match parts.as_slice() {
                [PatternTerm::Symbol(own), PatternTerm::Symbol(number)] if own == name => number.parse().ok(),
                _ => None,
            },
            _ => None,
        };
        let mut numbers = self.certain.iter().filter_map(number);
        let only: i64 = numbers.next()?;
        numbers.next().is_none().then_some(only)
    }

    /// Facts as they are put on the table: of those on which this holds, what came first comes first. They follow the others.
    pub(crate) fn as_they_came<'t>(
        &self,
        facts: impl Iterator<Item = &'t PatternTerm>,
        keep_order: impl Fn(&PatternTerm) -> bool,
    ) -> Vec<&'t PatternTerm> {
        let places: BTreeMap<&PatternTerm, usize> = self.came.iter().zip(0..).collect();
        let (mut ordered, mut all): (Vec<&PatternTerm>, Vec<&PatternTerm>) =
            facts.partition(|fact| keep_order(fact));
        ordered.sort_by_key(|fact| places.get(fact).copied().unwrap_or(usize::MAX));
        all.append(&mut ordered);
        all
    }

    /// What follows from facts and from what `work_out` adds to those that are certain, in the order in which people name things.
    pub(crate) fn new<K: Ord>(
        facts: &Facts<'_>,
        work_out: impl FnOnce(&mut Self),
        order: impl Fn(&PatternTerm) -> K,
    ) -> Self {
        let terms = |texts: &[&str]| texts.iter().filter_map(|text| PatternTerm::parse(text).ok()).collect();
        let (certain, open) = (terms(&facts.certain), terms(&facts.open));
        let copies = terms(&facts.copies);
        let mut scene = Self { certain, open, is_vague: facts.is_vague, copies, ..Self::default() };
        work_out(&mut scene);
        scene.certain.sort_by_cached_key(&order);
        scene.certain.dedup();
        scene.came.clone_from(&scene.certain);
        let alike: Vec<PatternTerm> = terms(&facts.alike);
        scene.shown = scene.certain.iter().cloned().chain(alike).collect();
        scene.shown.sort_by_cached_key(order);
        scene
    }

    /// Whether a fact is open only as to which of several copies it is.
    pub(crate) fn is_copy(&self, fact: &PatternTerm) -> bool {
        self.copies.contains(fact)
    }

    /// Whether something of this form may be true that would be seen beside what is shown.
    pub(crate) fn hides(&self, is_it: impl Fn(&PatternTerm) -> bool) -> bool {
        self.is_vague || self.open.iter().any(|fact| is_it(fact) && !self.copies.contains(fact))
    }

    /// Whether something of this form may be true that is not certain.
    pub(crate) fn leaves_open(&self, is_it: impl Fn(&PatternTerm) -> bool) -> bool {
        self.is_vague || self.open.iter().any(is_it)
    }
}

#[cfg(test)]
mod tests {
    use crate::{facts::GameFacts, scene::Facts};

    const CARDS: &str =
        "title = 'T'\nsummary = 'S'\n[symbols]\nb = 'Bob'\nmaki_1 = 'maki'\nmaki_2 = 'maki'\negg = 'egg'
        [values]\n'(cards ?n)' = 'count (hand b ?card)'
        [table]\n'night if (not (day))' = 'it is night'\n'(cards ?n)' = '{n} cards'
        [[column]]\nunknown = '?'\nwords = { '(hand ?player ?card)' = '{card*}' }
        [[board]]\ncolumns = ['1', '2']\nrows = ['1']\nsquares = { '(cell ?column ?row ?mark)' = '{mark}' }";

    #[test]
    fn copies_that_look_alike_are_shown_where_only_the_copy_is_unknown() {
        let facts = GameFacts::parse(CARDS).expect("sound facts");
        let looks: Vec<_> =
            ["(hand b maki_1)", "(hand b maki_2)", "(hand b egg)"].map(|text| facts.look(text)).into();
        assert!(looks[0].is_some() && looks[0] == looks[1], "{looks:?}");
        assert_eq!(looks[2], None);
        let open = vec!["(hand b maki_1)", "(hand b maki_2)"];
        let scene =
            facts.scene_of(&Facts { open: open.clone(), alike: vec!["(hand b maki_2)"], ..Facts::default() });
        let drawn = facts.draw(&scene, &["b"]);
        assert_eq!(drawn.players[1], ["Bob", "maki ?"]);
        // It is shown, but how many cards there are stays open.
        assert_eq!(drawn.lines, [""; 0]);
        let (copies, alike) = (open.clone(), vec!["(hand b maki_2)"]);
        let scene = facts.scene_of(&Facts { open, alike, copies, ..Facts::default() });
        assert_eq!(facts.draw(&scene, &["b"]).players[1], ["Bob", "maki"]);
    }

    #[test]
    fn where_anything_may_be_true_nothing_is_said_of_what_is_not_there() {
        let facts = GameFacts::parse(CARDS).expect("sound facts");
        let certain = vec!["night", "(cell 1 1 x)"];
        let drawn = |is_vague| {
            let scene = facts.scene_of(&Facts { certain: certain.clone(), is_vague, ..Facts::default() });
            facts.draw(&scene, &["b"])
        };
        let (closed, vague) = (drawn(false), drawn(true));
        assert_eq!(closed.lines, ["it is night", "0 cards"]);
        assert_eq!(closed.boards, ["1  x ·\n   1 2\n"]);
        assert_eq!(vague.lines, [""; 0]);
        assert_eq!(vague.boards, ["1  x ?\n   1 2\n"]);
        assert_eq!(vague.players[1], ["Bob", "?"]);
    }

    #[test]
    fn a_public_list_keeps_the_order_of_appearance_and_a_hand_is_sorted() {
        let facts = "title = 'T'\nsummary = 'S'\n[symbols]\nace = 'A'\nking = 'K'\ntwo = '2'
            [table]\n'(hand ?player ?card)' = '{player} holds {card*}'\n'(board ?card)' = 'board {card*}'";
        let facts = GameFacts::parse(facts).expect("sound facts");
        let mut scene = facts.scene([], []);
        for (board, expected) in [
            (&["(board two)"][..], "board 2"),
            (&["(board king)", "(board two)"], "board 2 K"),
            (&["(board ace)", "(board king)", "(board two)"], "board 2 K A"),
            // What was taken away comes back as something new.
            (&["(board ace)", "(board king)"], "board K A"),
            (&["(board ace)", "(board king)", "(board two)"], "board K A 2"),
        ] {
            let hand = ["(hand bob two)"].into_iter().chain((board.len() > 1).then_some("(hand bob ace)"));
            scene = facts.scene(board.iter().copied().chain(hand), []).after(&scene);
            let drawn = facts.draw(&scene, &["bob"]).lines;
            assert_eq!(drawn.last().map(String::as_str), Some(expected));
            assert!(board.len() == 1 || drawn[0] == "bob holds A 2", "{drawn:?}");
        }
        // What was there from the start, or came at one time, is in the order of people.
        let scene = facts.scene(["(board two)", "(board ace)"], []);
        assert_eq!(facts.draw(&scene, &["bob"]).lines, ["board A 2"]);
    }

    #[test]
    fn what_one_of_two_does_not_know_is_open_to_both() {
        let facts = "title = 'T'\nsummary = 'S'\n[[column]]\nunknown = '?'\nwords = { '(hand ?player ?card)' = '{card}' }";
        let facts = GameFacts::parse(facts).expect("sound facts");
        let alice = facts.scene(["(hand alice ace)", "(hand carol two)"], ["(hand bob king)"]);
        let bob = facts.scene(["(hand bob king)", "(hand carol two)"], ["(hand alice ace)"]);
        let rows = facts.draw(&alice.shared(&bob), &["alice", "bob", "carol"]).players;
        assert_eq!(rows[1..], [["alice", "?"], ["bob", "?"], ["carol", "two"]]);
    }
}
