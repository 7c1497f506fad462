//! That what people choose is what is legal: each legal move once, with its own key, and by touching what is in the picture.

use std::collections::BTreeSet;

use croupier_games::{GameFacts, catalogue};
use croupier_picture::{ChoiceMoves, ElementKind, MoveChoice, Picture};

use crate::walk::{Walk, compiled};

fn terms(choice: &MoveChoice) -> Vec<String> {
    match &choice.moves {
        ChoiceMoves::One(term) => vec![term.clone()],
        ChoiceMoves::Amounts(range) => range.amounts.iter().map(|amount| amount.term.clone()).collect(),
    }
}

/// The ids that stand in a picture and may be touched.
fn touchable(picture: &Picture) -> BTreeSet<String> {
    let html = picture.html();
    let document = roxmltree::Document::parse(&html).unwrap();
    document.descendants().filter_map(|node| node.attribute("data-element").map(str::to_owned)).collect()
}

#[test]
fn every_legal_move_is_one_choice_and_what_is_touched_is_there() {
    let (mut buttons, mut touched, mut ranges) = (0, 0, 0);
    for entry in catalogue() {
        let (game, facts) = (compiled(entry), entry.facts().unwrap());
        for turns in [0, 1, 2, 5, 9, 16] {
            let walk = Walk::new(&game, &facts, 5, turns);
            for role in game.roles().players() {
                let (name, legal) = (game.roles().name(role), walk.legal(role));
                let place = format!("{} {name} after {:?}", entry.name, walk.history);
                let picture = walk.whole(Some(name));
                let moves: Vec<&str> = legal.iter().map(|term| &**term).collect();
                let choices = picture.choices(&facts, &facts.scene([], []), &moves);
                let mut played: Vec<String> = choices.iter().flat_map(terms).collect();
                played.sort();
                let mut expected: Vec<&str> = moves.clone();
                expected.sort_unstable();
                assert_eq!(played, expected, "{place}");
                let ids: BTreeSet<&String> = choices.iter().map(|choice| &choice.id).collect();
                let keys: Vec<char> = choices.iter().filter_map(|choice| choice.key).collect();
                assert_eq!(ids.len(), choices.len(), "{place}");
                assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{place}: {keys:?}");
                let there = touchable(&picture);
                for choice in &choices {
                    assert!(choice.elements.iter().all(|id| there.contains(id)), "{place}: {choice:?}");
                    buttons += usize::from(choice.elements.is_empty());
                    touched += usize::from(!choice.elements.is_empty());
                    ranges += usize::from(matches!(choice.moves, ChoiceMoves::Amounts(_)));
                }
            }
        }
    }
    assert!(
        buttons > 100 && touched > 1000 && ranges >= 1,
        "{buttons} buttons, {touched} touched, {ranges} ranges"
    );
}

const POKER: &str = "title = 'T'\nsummary = 'S'\n[symbols]\na = 'Ann'\nb = 'Bob'
    [moves]\nfold = 'fold'\ncall = 'call'\n'(raise ?n)' = 'raise to {n} chips'\n'(bet ?n)' = 'bet {n}'
    [values]\n'(pot ?n)' = 'sum ?n in (paid ?p ?n)'\n'(to_call ?n) if (to_act ?p)' = 'max ?n in (paid ?o ?n) - max ?n in (paid ?p ?n)'
    [scene]\n'(paid ?p ?n)' = 'chips ?n in bet of ?p'\n'(stack ?p ?n)' = 'chips ?n of ?p'\n'(to_act ?p)' = 'turn of ?p'";

#[test]
fn amounts_are_a_range_with_parts_of_the_pot() {
    let facts = GameFacts::parse(POKER).unwrap();
    let scene = facts.scene(["(paid a 2)", "(paid b 6)", "(to_act a)", "(stack a 40)", "(stack b 10)"], []);
    let picture = Picture::of(&facts, &scene, &["a", "b"], Some("a"), None);
    assert_eq!((picture.players[0].stack, picture.players[0].is_to_act), (Some(40), true));
    assert_eq!(picture.players[1].zones[0].elements[0].kind, ElementKind::Chips(6));
    let raises: Vec<String> = (10..=42).map(|n| format!("(raise {n})")).collect();
    let moves: Vec<&str> = ["fold", "call"].into_iter().chain(raises.iter().map(String::as_str)).collect();
    let choices = picture.choices(&facts, &scene, &moves);
    let told: Vec<(&str, Option<char>)> =
        choices.iter().map(|choice| (choice.label.as_str(), choice.key)).collect();
    assert_eq!(told, [("fold", Some('f')), ("call", Some('c')), ("raise to", Some('r'))]);
    let ChoiceMoves::Amounts(range) = &choices[2].moves else { panic!("a range") };
    assert_eq!((range.amounts.len(), range.after.as_str()), (33, "chips"));
    assert_eq!(range.amounts[2].term, "(raise 12)");
    // The pot is 8 and 4 are to be called: a raise by the pot is one to 6 + 12, half of it one to 6 + 6.
    let presets: Vec<(&str, i64)> =
        range.presets.iter().map(|preset| (preset.label.as_str(), preset.amount)).collect();
    assert_eq!(presets, [("minimum", 10), ("half pot", 12), ("pot", 18), ("all in", 42)]);
}

#[test]
fn few_amounts_are_buttons_and_numbers_that_words_hide_are_no_amounts() {
    let facts = GameFacts::parse(&POKER.replace("bet {n}", "bet")).unwrap();
    let scene = facts.scene(["(to_act a)"], []);
    let picture = Picture::of(&facts, &scene, &["a", "b"], Some("a"), None);
    let few = picture.choices(&facts, &scene, &["(raise 1)", "(raise 2)", "(raise 3)"]);
    assert_eq!(few.len(), 3);
    let hidden = picture.choices(&facts, &scene, &["(bet 1)", "(bet 2)", "(bet 3)", "(bet 4)", "(bet 5)"]);
    assert_eq!(hidden.len(), 5);
}
