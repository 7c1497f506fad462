//! What encyclopedias and wikis print of GDL-II, loaded as part of a whole game and played.
//!
//! The fragments are read from the pages, which lie beside the checkout; without them these tests say that
//! they were skipped. The games around them are written here.

use croupier_engine::{
    Diagnostic, Game, JointMove, Limits, Options, Severity, Status, Strictness,
    stages::check::check_text,
    stages::syntax::{Syntax, print_description, read},
};
use croupier_tests::corpus;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// Matches that each game is played.
const MATCHES: u64 = 20;

/// A page of which fragments are cut.
struct Page(String);

impl Page {
    fn read(name: &str) -> Option<Self> {
        corpus::seed(name).map(Self)
    }

    /// From the first place that says `start` to the next that says `end`.
    fn cut(&self, start: &str, end: &str) -> &str {
        let rest = &self.0[self.0.find(start).expect("the page has the fragment")..];
        &rest[..rest.find(end).expect("the fragment has an end")]
    }
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    diagnostics.iter().filter(|found| found.severity == Severity::Error).collect()
}

/// The game, if nothing but `tolerated` is said of its text.
fn game(text: &str, tolerated: &[&str]) -> Game {
    let compiled = Game::compile(text, &Options::PLAY).unwrap_or_else(|error| panic!("{error}: {text}"));
    let others: Vec<_> = compiled
        .warnings
        .iter()
        .filter(|found| !tolerated.contains(&found.code))
        .map(ToString::to_string)
        .collect();
    assert_eq!(others, [""; 0], "{text}");
    compiled.game
}

/// A random match: its joint moves as text in the order of the roles, with the percepts of each player.
struct Match {
    turns: Vec<(Vec<String>, Vec<Vec<String>>)>,
    goals: Vec<i32>,
}

fn play(game: &Game, seed: u64) -> Match {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let mut turns = Vec::new();
    while let Some(joint_move) = game.random_joint_move(&state, &mut rng, &mut scratch).expect("legal moves")
    {
        let turn = game.turn(&state, &joint_move, &mut scratch).expect("a next state");
        let percepts = turn.percepts.iter().map(|(_, percepts)| texts(game.percept_terms(percepts)));
        turns.push((moves(game, &joint_move), percepts.collect()));
        state = turn.successor;
    }
    match game.status(&state, &mut scratch).expect("goals") {
        Status::Terminal { goals } => {
            Match { turns, goals: goals.iter().map(|(_, goal)| goal.value()).collect() }
        }
        Status::Running { .. } => panic!("a match ends in a terminal state"),
    }
}

fn moves(game: &Game, joint_move: &JointMove) -> Vec<String> {
    texts(joint_move.moves().iter().map(|(_, &played)| game.move_text(played)))
}

fn texts(terms: impl IntoIterator<Item = std::sync::Arc<str>>) -> Vec<String> {
    terms.into_iter().map(|term| term.to_string()).collect()
}

/// Hold'em of one card each and one for all, without its percepts.
const HOLDEM: &str = "
    (role random) (role alice) (role bob)
    (rank jack 1) (rank queen 2) (rank king 3) (rank ace 4)
    (less 1 2) (less 2 3) (less 3 4)
    (<= (below ?a ?b) (less ?a ?b))
    (<= (below ?a ?c) (less ?a ?b) (below ?b ?c))
    (step deal_to_alice deal_to_bob) (step deal_to_bob table) (step table bet) (step bet showdown)
    (init (phase deal_to_alice))
    (<= (init (in_deck ?card)) (rank ?card ?value))

    (<= (legal random (deal_face_down alice ?card)) (true (phase deal_to_alice)) (true (in_deck ?card)))
    (<= (legal random (deal_face_down bob ?card)) (true (phase deal_to_bob)) (true (in_deck ?card)))
    (<= (legal random (deal_river ?card)) (true (phase table)) (true (in_deck ?card)))
    (<= (legal random noop) (true (phase bet)))
    (<= (legal ?player noop) (player ?player) (not (true (phase bet))))
    (<= (legal ?player fold) (player ?player) (true (phase bet)))
    (<= (legal ?player call) (player ?player) (true (phase bet)))
    (<= (player ?player) (role ?player) (distinct ?player random))

    (<= (dealt ?card) (does random (deal_face_down ?player ?card)))
    (<= (dealt ?card) (does random (deal_river ?card)))
    (<= (next (in_deck ?card)) (true (in_deck ?card)) (not (dealt ?card)))
    (<= (next (holds ?player ?card)) (does random (deal_face_down ?player ?card)))
    (<= (next (holds ?player ?card)) (true (holds ?player ?card)))
    (<= (next (phase ?then)) (true (phase ?now)) (step ?now ?then))
    (<= (next (folded ?player)) (does ?player fold))
    (<= terminal (true (phase showdown)))

    (<= (beats ?one ?other) (true (holds ?one ?card)) (true (holds ?other ?low))
        (rank ?card ?more) (rank ?low ?fewer) (below ?fewer ?more))
    (<= (wins ?one) (player ?one) (player ?other) (distinct ?one ?other)
        (not (true (folded ?one))) (true (folded ?other)))
    (<= (wins ?one) (beats ?one ?other) (not (true (folded ?one))) (not (true (folded ?other))))
    (<= somebody_wins (wins ?one))
    (<= (goal ?player 100) (wins ?player))
    (<= (goal ?player 0) (player ?player) somebody_wins (not (wins ?player)))
    (<= (goal ?player 50) (player ?player) (not somebody_wins))
";

#[test]
fn the_percepts_of_holdem_in_the_encyclopedia_tell_each_player_its_card_and_all_the_river() {
    let Some(page) = Page::read("gdl-encyclopedia.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let sees = page.cut("(<= (sees ?player ?card)", "\n\nSee also");
    let tolerated = ["arrow"];
    let holdem = game(&format!("{HOLDEM}{sees}"), &tolerated);
    let with_arrows = game(&format!("{HOLDEM}{sees}").replace("<=", "\u{21d0}"), &tolerated);
    for seed in 0..MATCHES {
        let Match { turns, goals } = play(&holdem, seed);
        assert_eq!(turns.len(), 4);
        let dealt = |turn: usize, to: &str| {
            let card = turns[turn].0[0].strip_prefix(to).and_then(|card| card.strip_suffix(')'));
            vec![card.expect("it is dealt in this turn").to_owned()]
        };
        let [first, second, river] =
            [dealt(0, "(deal_face_down alice "), dealt(1, "(deal_face_down bob "), dealt(2, "(deal_river ")];
        let seen: Vec<_> = turns.iter().map(|(_, percepts)| percepts.clone()).collect();
        let nothing = Vec::<String>::new;
        let expected =
            [[first, nothing()], [nothing(), second], [river.clone(), river], [nothing(), nothing()]];
        assert_eq!(seen, expected);
        assert_eq!(goals.iter().sum::<i32>(), 100);

        let again = play(&with_arrows, seed);
        assert_eq!((again.turns, again.goals), (turns, goals), "an arrow is an arrow");
    }
}

/// What the encyclopedia leaves out of tic-tac-toe.
const TIC_TAC_TOE: &str = "
    (index 1) (index 2) (index 3)
    (<= (init (cell ?m ?n blank)) (index ?m) (index ?n))
    (<= (legal ?player noop) (role ?player) (not (true (control ?player))))
    (<= (next (control xplayer)) (true (control oplayer)))
    (<= (next (control oplayer)) (true (control xplayer)))
    (<= (marked ?m ?n) (does ?player (mark ?m ?n)))
    (<= (next (cell ?m ?n ?mark)) (true (cell ?m ?n ?mark)) (not (marked ?m ?n)))
    (<= (line ?mark) (side ?mark) (index ?m) (true (cell ?m 1 ?mark)) (true (cell ?m 2 ?mark)) (true (cell ?m 3 ?mark)))
    (<= (line ?mark) (side ?mark) (index ?n) (true (cell 1 ?n ?mark)) (true (cell 2 ?n ?mark)) (true (cell 3 ?n ?mark)))
    (<= (line ?mark) (side ?mark) (true (cell 1 1 ?mark)) (true (cell 2 2 ?mark)) (true (cell 3 3 ?mark)))
    (<= (line ?mark) (side ?mark) (true (cell 1 3 ?mark)) (true (cell 2 2 ?mark)) (true (cell 3 1 ?mark)))
    (side x) (side o)
    (<= boardopen (true (cell ?m ?n blank)))
    (<= (goal xplayer 0) (line o))
    (<= (goal oplayer 100) (line o))
    (<= (goal ?player 50) (role ?player) (not (line x)) (not (line o)))
";

/// Every random match is over after five to nine turns, and somebody has won or nobody.
fn assert_is_tic_tac_toe(game: &Game) {
    for seed in 0..MATCHES {
        let Match { turns, goals } = play(game, seed);
        assert!((5..=9).contains(&turns.len()));
        assert!([[100, 0], [0, 100], [50, 50]].iter().any(|outcome| goals == outcome), "{goals:?}");
        let last = turns.last().expect("a match has turns");
        let mut everything = last
            .0
            .iter()
            .zip(["xplayer", "oplayer"])
            .map(|(played, role)| format!("(did {role} {played})"))
            .collect::<Vec<_>>();
        everything.sort();
        assert_eq!(last.1, [everything.clone(), everything]);
    }
}

#[test]
fn tic_tac_toe_of_the_encyclopedia_is_played_when_its_bare_not_has_parentheses() {
    let Some(page) = Page::read("gdl-encyclopedia.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let fragments = [
        page.cut("(role xplayer)", "\n\nInitial"),
        page.cut("(init (cell 1 1", "\n\nLegal"),
        page.cut("(<= (legal ?player (mark", "\n\nGame"),
        page.cut("(<= (next (cell", "\n\n\n"),
        page.cut("(<= terminal", "\n\nGoal"),
        page.cut("(<= (goal xplayer", "\n\n\n"),
    ];
    let text = format!("{}{TIC_TAC_TOE}", fragments.join("\n"));
    let (_, found) = check_text(&text, Strictness::Compatible, &Limits::STANDARD);
    let found = errors(&found);
    assert_eq!(found.iter().map(|found| found.code).collect::<Vec<_>>(), ["bare-operator"]);
    assert!(text[found[0].span.start as usize..].starts_with("not boardopen"));
    assert_is_tic_tac_toe(&game(&text.replace("not boardopen", "(not boardopen)"), &[]));
}

#[test]
fn tic_tac_toe_of_the_wiki_is_played_with_its_arrows() {
    let Some(page) = Page::read("gdl-ii-wiki.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let text = page.cut("(role xplayer)", "\nmind/newdeck");
    let (rules, found) = check_text(text, Strictness::Compatible, &Limits::STANDARD);
    assert!(rules.is_some(), "{:?}", errors(&found));
    assert_eq!(found.iter().filter(|found| found.code == "arrow").count(), text.matches('⇐').count());
    assert_is_tic_tac_toe(&game(text, &["arrow"]));
}

/// Two players buy from a table until one has no money for anything that is left.
const MARKET: &str = "
    (role random) (role ann) (role ben)
    (legal random noop)
    (cost bread 1) (cost wine 2)
    (number 0 1) (number 1 2) (number 2 3)
    (<= (greater_than_equals ?x ?x) (money_value ?x))
    (<= (greater_than_equals ?y ?x) (number ?x ?y))
    (<= (greater_than_equals ?z ?x) (number ?x ?y) (greater_than_equals ?z ?y))
    (money_value 0) (money_value 1) (money_value 2) (money_value 3)
    (init (control ann)) (init (money ann 3)) (init (money ben 3)) (init (table 2 bread)) (init (table 1 wine))

    (<= (legal ?player noop) (other ?someone ?player) (true (control ?someone)))
    (<= (legal ?player stop) (other ?player ?someone) (true (control ?player)))
    (other ann ben) (other ben ann)
    (<= (next (control ?next)) (true (control ?player)) (other ?player ?next))
    (<= (bought ?card) (does ?player (buy ?card)))
    (<= (next (table ?less ?card)) (bought ?card) (true (table ?count ?card)) (number ?less ?count))
    (<= (next (table ?count ?card)) (true (table ?count ?card)) (not (bought ?card)))
    (<= (paid ?player ?price) (does ?player (buy ?card)) (cost ?card ?price))
    (<= (next (money ?player ?left)) (paid ?player 1) (true (money ?player ?x)) (number ?left ?x))
    (<= (next (money ?player ?left)) (paid ?player 2) (true (money ?player ?x)) (number ?y ?x) (number ?left ?y))
    (<= (pays ?player) (paid ?player ?price))
    (<= (next (money ?player ?x)) (true (money ?player ?x)) (not (pays ?player)))
    (<= (next over) (does ?player stop))
    (<= terminal (true over))
    (<= (goal ?player 100) (true (money ?player 0)))
    (<= (goal ?player 50) (true (money ?player ?x)) (distinct ?x 0))
    (<= (sees ?player (sold ?card)) (other ?player ?someone) (bought ?card))
";

#[test]
fn buying_a_card_as_in_the_wiki_is_limited_by_money_and_by_what_is_left() {
    let Some(page) = Page::read("gdl-ii-wiki.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let buy = page.cut("(<= (legal ?player (buy ?card))", "This is an example");
    let reading = read(buy, Syntax::Auto, &Limits::STANDARD);
    assert_eq!((reading.diagnostics.len(), reading.description.comments.len()), (0, 4));
    let market = game(&format!("{MARKET}{buy}"), &[]);
    let mut sold_in_all = 0;
    for seed in 0..MATCHES {
        let Match { turns, .. } = play(&market, seed);
        let mut money = [3, 3];
        let mut left = [2, 1];
        for (index, (moves, percepts)) in turns.iter().enumerate() {
            let buyer = index % 2;
            let bought = ["(buy bread)", "(buy wine)"].iter().position(|buy| moves[buyer + 1] == *buy);
            let seen: Vec<String> =
                bought.iter().map(|&card| format!("(sold {})", ["bread", "wine"][card])).collect();
            assert_eq!(percepts, &[seen.clone(), seen]);
            if let Some(card) = bought {
                money[buyer] -= [1, 2][card];
                left[card] -= 1;
                sold_in_all += 1;
            }
            assert!(money.iter().chain(&left).all(|&number| number >= 0), "{moves:?}");
        }
    }
    assert!(sold_in_all > MATCHES / 2, "{sold_in_all} cards were bought");
}

/// A deck of three cards, of which two are dealt.
const DEAL: &str = "
    (role random) (role ann) (role ben)
    (card ace) (card king) (card queen)
    (<= (init (indeck ?card)) (card ?card))
    (<= (legal ?player noop) (role ?player) (distinct ?player random))
    (<= (gets ?card) (does random (deal ?player ?card)))
    (<= (next (indeck ?card)) (true (indeck ?card)) (not (gets ?card)))
    (<= (next (holds ?player ?card)) (true (holds ?player ?card)))
    (<= (used ?card) (true (holds ?player ?card)))
    (<= two_are_used (used ?one) (used ?other) (distinct ?one ?other))
    (<= terminal two_are_used)
    (<= (goal ?player 100) (true (holds ?player ace)))
    (<= (goal ?player 0) (role ?player) (distinct ?player random) (not (true (holds ?player ace))))
    (<= (sees ?player (got ?card)) (does random (deal ?player ?card)))
";

#[test]
fn dealing_a_card_as_in_the_wiki_is_refused_where_it_slips_and_played_where_it_is_mended() {
    let Some(page) = Page::read("gdl-ii-wiki.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let legal = page.cut("(<= (legal random deal(", "(<= (next (holds(");
    let next = page.cut("(<= (next (holds(", "\n\n");

    // The first piece lacks two parentheses; the place where they are missing is shown.
    let reading = read(legal, Syntax::Auto, &Limits::STANDARD);
    let unbalanced = errors(&reading.diagnostics);
    assert_eq!(unbalanced.iter().map(|found| found.code).collect::<Vec<_>>(), ["unbalanced-parenthesis"]);
    let mut shown = unbalanced[0].notes.iter().map(|(span, _)| &legal[span.start as usize..]);
    assert!(shown.any(|place| place.starts_with("(true (distinct(")));

    // With its parentheses it asks for `distinct` in the state, which is no fluent.
    let closed = legal.replace("(role(?Player))", "(role(?Player)))").replace("random))\n", "random)))\n");
    let codes = |text: &str| {
        let (_, found) = check_text(text, Strictness::Compatible, &Limits::STANDARD);
        errors(&found).iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&format!("{closed}{DEAL}")), ["operator-as-term"]);

    // In the second piece the parenthesis behind the head comes last, so that `next` has three arguments and
    // the rule no body.
    assert_eq!(codes(&format!("{next}{DEAL}")), ["keyword-arity", "variable-in-fact", "variable-in-fact"]);

    // Relations instead of fluents, and a head that ends where it should.
    let legal = legal.replace("(true (role(", "(role(").replace("(true (distinct(", "(distinct(");
    let reading = read(&legal, Syntax::Auto, &Limits::STANDARD);
    let expected = "(<= (legal random (deal ?player ?card))\n    (role ?player)\n    (distinct ?player random)\n    \
                    (true (indeck ?card)))\n";
    assert_eq!((errors(&reading.diagnostics), &*print_description(&reading.description)), (vec![], expected));
    let next = next.replacen("?Card))\n", "?Card)))\n", 1).replacen("))))", ")))", 1);
    let tolerated = ["mixed-notation"];
    let dealt = game(&format!("{legal}{next}{DEAL}"), &tolerated);
    for seed in 0..MATCHES {
        let Match { turns, goals } = play(&dealt, seed);
        assert_eq!(turns.len(), 2);
        for (moves, percepts) in &turns {
            let told = ["ann", "ben"].map(|player| {
                let card = moves[0]
                    .strip_prefix(&format!("(deal {player} "))
                    .and_then(|card| card.strip_suffix(')'));
                card.map(|card| format!("(got {card})")).into_iter().collect::<Vec<_>>()
            });
            assert_eq!(percepts, &told);
        }
        let has_ace =
            |player: &str| turns.iter().any(|(moves, _)| moves[0] == format!("(deal {player} ace)"));
        assert_eq!(goals, ["ann", "ben"].map(|player| if has_ace(player) { 100 } else { 0 }));
    }
}

/// The listing as it was copied out of the paper, with line numbers, with blanks within words, and without its arrows.
#[test]
fn the_listing_of_the_real_time_paper_is_read_however_it_was_copied() {
    let Some(page) = Page::read("rtgdl-2016.txt") else {
        return croupier_tests::skipped("corpus: no seeds beside the checkout");
    };
    let listing = page.cut("1 role(", "The game lasts for");
    assert!(listing.lines().count() >= 23, "{listing}");
    for syntax in [Syntax::Auto, Syntax::Infix, Syntax::Prefix] {
        let reading = read(listing, syntax, &Limits::STANDARD);
        assert!(
            reading.diagnostics.iter().all(|found| found.span.end as usize <= listing.len()),
            "{syntax:?}"
        );
    }
    for text in [listing, &page.0] {
        let (rules, found) = check_text(text, Strictness::Compatible, &Limits::STANDARD);
        assert!(rules.is_none() && !errors(&found).is_empty(), "prose and half words are no rules");
    }
}
