//! Small games, each beside its definition in a few lines of Rust: all deals, all moves, all payoffs.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::{ByPlayer, Game, InformationSet, Status};
use croupier_tests::table::{Table, Texts, compile, compile_text};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// All orders of `length` different numbers below `count`.
fn arrangements(count: usize, length: usize) -> Vec<Vec<usize>> {
    if length == 0 {
        return vec![Vec::new()];
    }
    let shorter = arrangements(count, length - 1);
    let longer = shorter.iter().flat_map(|one| {
        (0..count).filter(|next| !one.contains(next)).map(|next| [one.clone(), vec![next]].concat())
    });
    longer.collect()
}

const KUHN_PLAYERS: [&str; 3] = ["alice", "bob", "carol"];
const KUHN_CARDS: [&str; 4] = ["jack", "queen", "king", "ace"];

/// A line of betting: who bets, if anybody, and which of the next two in turn call.
type Betting = Option<(usize, [bool; 2])>;

fn betting_lines() -> Vec<Betting> {
    let answers = [[false, false], [false, true], [true, false], [true, true]];
    let bets = (0..3).flat_map(|bettor| answers.map(|answers| Some((bettor, answers))));
    bets.chain([None]).collect()
}

/// Chips that each player has put in, and who may take the pot.
fn stakes(line: Betting) -> ([i32; 3], [bool; 3]) {
    let Some((bettor, answers)) = line else { return ([1; 3], [true; 3]) };
    let mut is_in = [false; 3];
    is_in[bettor] = true;
    is_in[(bettor + 1) % 3] = answers[0];
    is_in[(bettor + 2) % 3] = answers[1];
    (is_in.map(|is_in| if is_in { 2 } else { 1 }), is_in)
}

fn words(line: Betting) -> Vec<(usize, &'static str)> {
    let Some((bettor, answers)) = line else { return (0..3).map(|player| (player, "pass")).collect() };
    let said = |is_call| if is_call { "bet" } else { "pass" };
    let mut words: Vec<_> = (0..bettor).map(|player| (player, "pass")).collect();
    words.push((bettor, "bet"));
    words.extend([1, 2].map(|step| ((bettor + step) % 3, said(answers[step - 1]))));
    words
}

/// 24 deals and 13 lines of betting; with a card and a word a turn, those are all 312 matches.
#[test]
fn kuhn_poker_for_three_pays_the_highest_card_that_has_not_given_up() {
    let game = compile("kuhn-3");
    let mut matches = 0;
    for deal in arrangements(4, 3) {
        for line in betting_lines() {
            let mut table = Table::new(&game);
            for &card in &deal {
                table.play(&[("random", &format!("(deal {})", KUHN_CARDS[card]))]);
            }
            let mut told = BTreeMap::new();
            for (player, word) in words(line) {
                assert_eq!(table.goals(), None, "{line:?}");
                assert_eq!(table.legal(KUHN_PLAYERS[player]), Texts::from(["bet".into(), "pass".into()]));
                told = table.play(&[(KUHN_PLAYERS[player], word)]);
                for name in KUHN_PLAYERS {
                    assert!(told[name].contains(&format!("(did {} {word})", KUHN_PLAYERS[player])));
                }
            }
            let (paid, is_in) = stakes(line);
            let winner = (0..3).filter(|&player| is_in[player]).max_by_key(|&player| deal[player]);
            let goals = table.goals().unwrap_or_else(|| panic!("it is over: {line:?}"));
            for player in 0..3 {
                let pot = if winner == Some(player) { paid.iter().sum() } else { 0 };
                assert_eq!(goals[KUHN_PLAYERS[player]], 40 + 15 * (pot - paid[player]), "{deal:?} {line:?}");
            }
            let is_shown = is_in.iter().filter(|&&is_in| is_in).count() > 1;
            for name in KUHN_PLAYERS {
                let shown: Texts =
                    told[name].iter().filter(|text| text.starts_with("(shows")).cloned().collect();
                let expected = (0..3).filter(|&player| is_in[player] && is_shown);
                let expected = expected
                    .map(|player| format!("(shows {} {})", KUHN_PLAYERS[player], KUHN_CARDS[deal[player]]));
                assert_eq!(shown, expected.collect(), "{deal:?} {line:?}");
            }
            matches += 1;
        }
    }
    assert_eq!(matches, 312);
}

const PLAYERS: [&str; 2] = ["alice", "bob"];

/// Information sets of whoever has to speak, those with one legal move included, and matches.
fn speakers(game: &Game) -> (usize, usize) {
    let mut scratch = game.scratch();
    let known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
    let mut open = vec![(game.initial_state().clone(), known)];
    let mut seen = BTreeSet::new();
    let mut ends = 0;
    while let Some((state, known)) = open.pop() {
        let Status::Running { legal } = game.status(&state, &mut scratch).expect("a status") else {
            ends += 1;
            continue;
        };
        for (role, known) in known.iter() {
            if legal[role].iter().any(|&id| &*game.move_text(id) != "noop") {
                seen.insert((role, known.clone()));
            }
        }
        for joint_move in game.joint_moves(&legal) {
            let turn = game.turn(&state, &joint_move, &mut scratch).expect("a turn");
            let mut known = known.clone();
            for (role, known) in known.iter_mut() {
                known.turns.push((joint_move.of(role), turn.percepts[role].clone()));
            }
            open.push((turn.successor, known));
        }
    }
    (seen.len(), ends)
}

/// OpenSpiel counts the call that is forced after the highest bid as a decision: 6 dice, and any of the 2^12
/// sets of bids that were made.
#[test]
fn liars_dice_has_the_published_information_sets() {
    assert_eq!(speakers(&compile("liars-dice")), (24_576, 147_420));
}

/// One match of liar's dice, in which a bid is doubted at once: a bid counts the face and the sixes.
fn doubt(game: &Game, dice: [&[usize]; 2], bids: &[(usize, usize)], last: usize, bidder: usize) {
    let mut table = Table::new(game);
    for player in 0..2 {
        let mut told = BTreeMap::new();
        for die in dice[player] {
            assert!(told.values().all(Texts::is_empty), "a die is looked at before all are rolled: {told:?}");
            told = table.play(&[("random", &format!("(roll {die})"))]);
        }
        assert_eq!(told[PLAYERS[player]], faces("rolled", dice[player]));
        assert!(told[PLAYERS[1 - player]].is_empty());
    }
    if bidder == 1 {
        table.play(&[("alice", "(bid 1 1)")]);
    }
    let (count, face) = bids[last];
    let above = bids[last + 1..].iter().map(|(count, face)| format!("(bid {count} {face})"));
    table.play(&[(PLAYERS[bidder], &format!("(bid {count} {face})"))]);
    let expected: Texts = above.chain(["liar".to_owned()]).collect();
    assert_eq!(table.legal(PLAYERS[1 - bidder]), expected);
    let mut shown = faces("shows alice", dice[0]);
    shown.append(&mut faces("shows bob", dice[1]));
    shown.insert(format!("(did {} liar)", PLAYERS[1 - bidder]));
    assert!(table.play(&[(PLAYERS[1 - bidder], "liar")]).values().all(|told| *told == shown));
    let is_true = dice.concat().iter().filter(|&&die| die == face || die == 6).count() >= count;
    let goals = table.goals().expect("the end");
    assert_eq!(goals[PLAYERS[bidder]], if is_true { 100 } else { 0 }, "{dice:?} {count} {face}");
    assert_eq!(goals["alice"] + goals["bob"], 100);
}

/// How many of these dice show which face.
fn faces(word: &str, dice: &[usize]) -> Texts {
    let count = |face: usize| dice.iter().filter(|&&die| die == face).count();
    dice.iter().map(|&face| format!("({word} {} {face})", count(face))).collect()
}

fn bids_on(dice: usize) -> Vec<(usize, usize)> {
    (1..=dice).flat_map(|count| (1..=6).map(move |face| (count, face))).collect()
}

/// Every pair of dice and every last bid, by either player.
#[test]
fn a_liar_is_found_by_counting_the_dice() {
    let game = compile("liars-dice");
    let bids = bids_on(2);
    for dice in (0..36).map(|roll| [roll / 6 + 1, roll % 6 + 1]) {
        for last in 0..bids.len() {
            for bidder in 0..2.min(last + 1) {
                doubt(&game, [&dice[..1], &dice[1..]], &bids, last, bidder);
            }
        }
    }
}

/// Every roll of four dice, and with each some of the bids, so that every bid meets every face.
#[test]
fn a_liar_with_two_dice_each_is_found_by_counting_the_dice() {
    let game = compile("liars-dice-2");
    let bids = bids_on(4);
    for roll in 0..1_296 {
        let dice = [216, 36, 6, 1].map(|place| roll / place % 6 + 1);
        for last in (roll % 11..bids.len()).step_by(11) {
            doubt(&game, [&dice[..2], &dice[2..]], &bids, last, usize::from(last > 0 && roll % 2 == 0));
        }
    }
}

/// The family has no game of three dice in the catalogue: rolls of six dice, spread evenly.
#[test]
fn a_liar_with_three_dice_each_is_found_by_counting_the_dice() {
    let family = croupier_games::find_family("liars-dice").expect("the family");
    let rules = family.rules(&[("dice".to_owned(), 3.into())].into()).expect("a member");
    let game = compile_text(&rules);
    let bids = bids_on(6);
    for roll in (0..46_656).step_by(211) {
        let dice = [7_776, 1_296, 216, 36, 6, 1].map(|place| roll / place % 6 + 1);
        for last in (roll % 7..bids.len()).step_by(7) {
            doubt(&game, [&dice[..3], &dice[3..]], &bids, last, usize::from(last > 0 && roll % 2 == 0));
        }
    }
}

/// Plays all bids of goofspiel in the given orders; `cards` are the numbers below the number of cards.
fn bid(game: &Game, prizes: &[usize], cards: [&[usize]; 2]) -> [i32; 2] {
    let mut table = Table::new(game);
    let mut points = [0, 0];
    for (round, prize) in prizes.iter().enumerate() {
        let bids = cards.map(|cards| cards[round] + 1);
        let moves = bids.map(|bid| format!("(bid {bid})"));
        let told = table.play(&[("alice", &moves[0]), ("bob", &moves[1])]);
        let expected = match bids[0].cmp(&bids[1]) {
            Ordering::Equal => "nobody_takes".to_owned(),
            order => {
                let winner = usize::from(order.is_lt());
                points[winner] += prize;
                format!("(takes {})", PLAYERS[winner])
            }
        };
        assert!(PLAYERS.iter().all(|player| told[*player] == Texts::from([expected.clone()])), "{told:?}");
    }
    let goals = table.goals().expect("the end");
    let expected = match points[0].cmp(&points[1]) {
        Ordering::Greater => [100, 0],
        Ordering::Equal => [50, 50],
        Ordering::Less => [0, 100],
    };
    assert_eq!(PLAYERS.map(|player| goals[player]), expected, "{cards:?}");
    expected
}

#[test]
fn all_bids_of_goofspiel_with_four_cards_go_to_the_higher_card() {
    let game = compile("goofspiel-4");
    let orders = arrangements(4, 4);
    let mut sum = [0, 0];
    for alice in &orders {
        for bob in &orders {
            let goals = bid(&game, &[4, 3, 2, 1], [alice, bob]);
            sum = [sum[0] + goals[0], sum[1] + goals[1]];
        }
    }
    assert_eq!(sum, [576 * 50, 576 * 50], "the parts are the same");
}

/// A pair of strategies, one choice for each card of alice, and one for each card and choice that bob knows.
fn hanabi_value(payoffs: &BTreeMap<[usize; 4], i32>, alice: [usize; 2], bob: [usize; 6]) -> f64 {
    let deals = [[0, 0], [0, 1], [1, 0], [1, 1]];
    let payoff = |[mine, theirs]: [usize; 2]| {
        let told = alice[mine];
        payoffs[&[mine, theirs, told, bob[3 * theirs + told]]]
    };
    f64::from(deals.map(payoff).iter().sum::<i32>()) / 4.0
}

/// The most that two players can get is the most that any two cards give, so that they lose nothing by not
/// seeing each other's: the claim of the game's authors.
#[test]
fn tiny_hanabi_can_be_played_perfectly_and_not_without_signals() {
    let game = compile("tiny-hanabi");
    let mut payoffs = BTreeMap::new();
    for index in 0..36 {
        let play = [index / 18, index / 9 % 2, index / 3 % 3, index % 3];
        let mut table = Table::new(&game);
        table.play(&[("random", &format!("(deal {})", play[0] + 1))]);
        table.play(&[("random", &format!("(deal {})", play[1] + 1))]);
        table.play(&[("alice", &format!("(choose {})", play[2] + 1))]);
        table.play(&[("bob", &format!("(choose {})", play[3] + 1))]);
        let goals = table.goals().expect("the end");
        assert_eq!(goals["alice"], goals["bob"]);
        payoffs.insert(play, goals["alice"]);
    }
    let (mut best, mut without_signals) = (0.0_f64, 0.0_f64);
    for alice in (0..9).map(|index| [index / 3, index % 3]) {
        for index in 0..729 {
            let bob = [1, 3, 9, 27, 81, 243].map(|power| index / power % 3);
            let value = hanabi_value(&payoffs, alice, bob);
            best = best.max(value);
            if alice[0] == alice[1] {
                without_signals = without_signals.max(value);
            }
        }
    }
    assert!((best - 100.0).abs() < 1e-9, "{best}");
    assert!((without_signals - 80.0).abs() < 1e-9, "{without_signals}");
}

/// A pair of strategies for two generals: what alice does with a weak and with a strong enemy (whether she
/// sends, whether she attacks without and with an answer), and what bob does without and with a message
/// (whether he sends, whether he attacks).
type Orders = ([[bool; 3]; 2], [[bool; 2]; 2]);

fn generals_by_definition((alice, bob): Orders) -> i32 {
    let mut sum = 0;
    for case in 0..8 {
        let [is_strong, first_arrives, second_arrives] = [0, 1, 2].map(|bit| case >> bit & 1 == 1);
        let [sends, without, with] = alice[usize::from(is_strong)];
        let [answers, attacks] = bob[usize::from(sends && first_arrives)];
        sum += match (if answers && second_arrives { with } else { without }, attacks) {
            (true, true) if !is_strong => 100,
            (false, false) => 50,
            _ => 0,
        };
    }
    sum
}

fn generals_at_the_table(game: &Game, (alice, bob): Orders) -> i32 {
    let mut sum = 0;
    let fate = |arrives| if arrives { "(messenger arrives)" } else { "(messenger caught)" };
    let send = |sends| if sends { "send" } else { "keep_silent" };
    let decide = |attacks| if attacks { "attack" } else { "wait" };
    for case in 0..8 {
        let [is_strong, first, second] = [0, 1, 2].map(|bit| case >> bit & 1 == 1);
        let mut table = Table::new(game);
        let enemy = if is_strong { "strong" } else { "weak" };
        let told = table.play(&[("random", &format!("(be {enemy})"))]);
        let knows_strong = usize::from(told["alice"].contains("(enemy strong)"));
        let told = table.play(&[("alice", send(alice[knows_strong][0])), ("random", fate(first))]);
        let orders = bob[usize::from(told["bob"].contains("message"))];
        let told = table.play(&[("bob", send(orders[0])), ("random", fate(second))]);
        let attacks = alice[knows_strong][1 + usize::from(told["alice"].contains("message"))];
        table.play(&[("alice", decide(attacks)), ("bob", decide(orders[1]))]);
        let goals = table.goals().expect("the end");
        assert_eq!(goals["alice"], goals["bob"]);
        sum += goals["alice"];
    }
    sum
}

#[test]
fn two_generals_do_best_when_silence_means_attack() {
    let game = compile("two-generals");
    let mut best = 0;
    for index in 0..1_024 {
        let bit = |place: usize| index >> place & 1 == 1;
        let alice = [[bit(0), bit(1), bit(2)], [bit(3), bit(4), bit(5)]];
        let orders = (alice, [[bit(6), bit(7)], [bit(8), bit(9)]]);
        let value = generals_by_definition(orders);
        assert_eq!(generals_at_the_table(&game, orders), value, "{orders:?}");
        best = best.max(value);
    }
    assert_eq!(f64::from(best) / 8.0, 62.5);
}

const CHILDREN: [&str; 3] = ["ann", "ben", "cleo"];

/// Who sees m muddy foreheads and has seen nobody step forward m times is muddy, and steps forward. That is
/// right at the k-th question where k are muddy. Doing so a question earlier spoils the three cases of one muddy child.
#[test]
fn muddy_children_know_it_at_the_question_that_theory_says() {
    let game = compile("muddy-children");
    for (impatience, expected_wins) in [(0, 7), (1, 4)] {
        let mut wins = 0;
        for case in 1..8_usize {
            let is_muddy = [0, 1, 2].map(|child| case >> child & 1 == 1);
            let mud: String =
                ["a", "b", "c"].iter().zip(is_muddy).filter(|(_, muddy)| *muddy).map(|(c, _)| *c).collect();
            let mut table = Table::new(&game);
            let told = table.play(&[("random", &format!("(throw mud_{mud})"))]);
            let mut questions = 0;
            while table.goals().is_none() {
                questions += 1;
                let moves = CHILDREN.map(|child| {
                    let seen = told[child].len() - impatience.min(told[child].len());
                    (child, if seen + 1 == questions { "step_forward" } else { "stay" })
                });
                table.play(&moves);
            }
            let goals = table.goals().expect("the end");
            wins += usize::from(goals["ann"] == 100);
            if impatience == 0 {
                assert_eq!(questions, mud.len(), "{mud}");
            }
        }
        assert_eq!(wins, expected_wins, "impatience {impatience}");
    }
}

/// Bouton's theorem: the player to move loses exactly where the heaps, as binary numbers added without carry,
/// make nothing.
#[test]
fn nim_is_won_from_the_heaps_that_bouton_says() {
    let game = compile("nim");
    let mut scratch = game.scratch();
    for index in 0..2 * 4 * 6 * 8 {
        let heaps = [index % 2, index / 2 % 4, index / 8 % 6, index / 48];
        let mut terms: Vec<String> = ["a", "b", "c", "d"]
            .iter()
            .zip(heaps)
            .map(|(name, size)| format!("(holds {name} {size})"))
            .collect();
        terms.push("(control first)".to_owned());
        let state = game.state_of(terms.iter().map(String::as_str)).expect("ground terms");
        let nim_sum = |heaps: [usize; 4]| heaps.iter().fold(0, |sum, size| sum ^ size);
        match game.status(&state, &mut scratch).expect("a status") {
            Status::Terminal { goals } => {
                assert_eq!(heaps, [0; 4]);
                let first = game.roles().find("first").expect("a player");
                assert_eq!(goals.get(first).map(|goal| goal.value()), Some(0));
            }
            Status::Running { legal } => {
                let first = game.roles().find("first").expect("a player");
                assert_eq!(legal[first].len(), heaps.iter().sum::<usize>());
                let leads_to_loss = legal[first].iter().any(|&id| {
                    let text = game.move_text(id);
                    let words: Vec<&str> =
                        text.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect();
                    let heap =
                        ["a", "b", "c", "d"].iter().position(|name| *name == words[1]).expect("a heap");
                    let mut left = heaps;
                    left[heap] -= words[2].parse::<usize>().expect("a number");
                    nim_sum(left) == 0
                });
                assert_eq!(leads_to_loss, nim_sum(heaps) != 0, "{heaps:?}");
            }
        }
    }
}

/// The winner of random matches is who takes the last object.
#[test]
fn who_takes_the_last_object_wins_nim() {
    let game = compile("nim");
    let mut rng = ChaCha8Rng::seed_from_u64(1_901);
    for _ in 0..300 {
        let mut table = Table::new(&game);
        let mut left: usize = 16;
        let mut mover = 0;
        while table.goals().is_none() {
            let players = ["first", "second"];
            let played = table.random_move(players[mover], &mut rng);
            let taken = played.trim_end_matches(')').rsplit(' ').next().expect("a number");
            left -= taken.parse::<usize>().expect("a number");
            table.play(&[(players[mover], &played)]);
            mover = 1 - mover;
        }
        assert_eq!(left, 0);
        let goals = table.goals().expect("the end");
        assert_eq!(goals[["first", "second"][1 - mover]], 100);
        assert_eq!(goals[["first", "second"][mover]], 0);
    }
}
