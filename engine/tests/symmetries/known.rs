//! Games whose symmetries are known.

use croupier_engine::{Game, Options, game::Backend, game::Symmetries};

pub(crate) fn bundled(name: &str) -> Game {
    compiled(croupier_games::find(name).unwrap().rules)
}

fn compiled(rules: &str) -> Game {
    Game::compile(rules, &Options { backend: Backend::Datalog, ..Options::PLAY }).unwrap().game
}

fn order(game: &Game) -> u128 {
    let symmetries = game.symmetries().unwrap();
    assert!(symmetries.is_whole());
    let elements = Symmetries::elements(symmetries.generators(), 1_000).unwrap();
    assert_eq!(elements.len().max(1) as u128, symmetries.order(), "the order counts what generators make");
    symmetries.order()
}

#[test]
fn games_have_the_symmetries_that_everybody_knows() {
    let known = [
        // The four suits, though the rules order them to name each pair once.
        ("holdem", 24),
        // Two cards of each of three ranks; no rule looks at a suit.
        ("leduc", 8),
        // Four turns of the board, and each of them mirrored.
        ("tic-tac-toe", 8),
        ("phantom-tic-tac-toe", 8),
        // Both players are alike, and nothing else is.
        ("goofspiel-4", 2),
        ("kuhn", 1),
        ("liars-dice", 1),
        ("tiny-bridge", 1),
    ];
    for (name, expected) in known {
        assert_eq!(order(&bundled(name)), expected, "{name}");
    }
}

/// A bundled game with one text in it replaced by another.
fn changed(name: &str, from: &str, to: &str) -> Game {
    let rules = croupier_games::find(name).unwrap().rules;
    assert!(rules.contains(from), "{name} has {from}");
    compiled(&rules.replace(from, to))
}

#[test]
fn what_is_different_breaks_the_symmetry() {
    // Somebody notices the jack of spades; the queens and the kings are as before.
    let marked = "(role bob)\n(<= (sees alice smudge) (does random (deal js)))";
    assert_eq!(order(&changed("leduc", "(role bob)", marked)), 4);
    // A flush of clubs does not count.
    let flush = "(<= (makes ?p flush)\n    (five_suited ?p ?s)";
    assert_eq!(order(&changed("holdem", flush, &format!("{flush}\n    (distinct ?s clubs)"))), 6);
    // Suits of one rank alone are worth something.
    let wheel = "(init (dealing 1))\n(<= (sees alice odd) (does random (deal 2h)))";
    assert_eq!(order(&changed("holdem", "(init (dealing 1))", wheel)), 6);
    // Players are paid differently.
    assert_eq!(
        order(&changed("goofspiel-4", "(init (prize 4))", "(init (prize 4)) (init (hand alice 5))")),
        1
    );
}

/// The permutations of the nine cells of a board that keep its lines, by trying all of them.
fn permutations_of_cells() -> Vec<Vec<usize>> {
    let lines = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    let mut found = Vec::new();
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(images) = open.pop() {
        if images.len() < 9 {
            let rest = (0..9).filter(|cell| !images.contains(cell));
            open.extend(rest.map(|cell| [images.clone(), vec![cell]].concat()));
            continue;
        }
        let is_line = |line: &[usize; 3]| {
            let mut line = line.map(|cell| images[cell]);
            line.sort_unstable();
            lines.contains(&line)
        };
        if lines.iter().all(is_line) {
            found.push(images);
        }
    }
    found
}

#[test]
fn a_board_has_the_symmetries_that_all_permutations_of_its_cells_give() {
    let permutations = permutations_of_cells();
    for cell in [None, Some((1, 1)), Some((1, 2)), Some((2, 2)), Some((3, 2))] {
        let mark = cell.map(|(column, row)| format!("(<= (sees x found) (does o (mark {column} {row})))"));
        let rules = format!("(role o)\n{}", mark.unwrap_or_default());
        let kept = cell.map(|(column, row)| (column - 1) * 3 + row - 1);
        let keep = |images: &&Vec<usize>| kept.is_none_or(|cell| images[cell] == cell);
        let found = order(&changed("phantom-tic-tac-toe", "(role o)", &rules));
        assert_eq!(found, permutations.iter().filter(keep).count() as u128, "{cell:?}");
    }
}

#[test]
fn symmetries_form_a_group_and_say_what_they_change() {
    let game = bundled("tic-tac-toe");
    let symmetries = game.symmetries().unwrap();
    let elements = Symmetries::elements(symmetries.generators(), 8).unwrap();
    assert!(Symmetries::elements(symmetries.generators(), 7).is_none());
    assert_eq!(elements[0].changes(&game), Vec::<String>::new());
    for (one, other) in elements.iter().flat_map(|one| elements.iter().map(move |other| (one, other))) {
        assert!(elements.contains(&one.then(other)));
    }
    let corner = game.move_id("(mark 1 3)").unwrap();
    let mut images: Vec<_> =
        elements.iter().map(|found| game.move_text(found.played(&game, corner).unwrap())).collect();
    images.sort_unstable();
    images.dedup();
    assert_eq!(images, ["(mark 1 1)", "(mark 1 3)", "(mark 3 1)", "(mark 3 3)"].map(Into::into));
    let goofspiel = bundled("goofspiel-4");
    let symmetries = goofspiel.symmetries().unwrap();
    assert_eq!(symmetries.generators()[0].changes(&goofspiel), ["alice <-> bob"]);
    assert!(!symmetries.generators()[0].keeps_roles());
}
