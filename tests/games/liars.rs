//! Liar's dice for several, against dice that are counted on the table and bids that are compared as pairs.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::Game;
use croupier_games::find_family;
use croupier_tests::table::{Table, any, below, compile_text};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const NAMES: [&str; 6] = ["alice", "bob", "carol", "dave", "erin", "frank"];

/// The dice of a game.
#[derive(Clone, Copy)]
struct Dice {
    faces: usize,
    /// Whether the highest face counts for every face.
    is_wild: bool,
}

const USUAL: Dice = Dice { faces: 6, is_wild: true };

fn game(dice: &[u32], Dice { faces, is_wild }: Dice) -> Game {
    let players = u32::try_from(dice.len()).expect("few players");
    let wild = if is_wild { "highest" } else { "none" };
    let values = [
        ("players", players.into()),
        ("dice", dice.to_vec().into()),
        ("stake", "die".into()),
        ("faces", u32::try_from(faces).expect("few faces").into()),
        ("wild", wild.into()),
    ];
    let values = values.map(|(name, value)| (name.to_owned(), value)).into();
    compile_text(&find_family("liars-dice").expect("a family").rules(&values).expect("a member"))
}

/// Faces by player, and what is said: all that there is at the table.
struct Bystander {
    kind: Dice,
    faces: BTreeMap<&'static str, Vec<usize>>,
    bid: Option<(usize, usize, &'static str)>,
}

impl Bystander {
    /// The bids that are higher than the last one.
    fn bids(&self, all_dice: usize) -> BTreeSet<String> {
        let faces = self.kind.faces;
        let last = self.bid.map_or((0, faces), |(count, face, _)| (count, face));
        let bids = (1..=all_dice).flat_map(|count| (1..=faces).map(move |face| (count, face)));
        bids.filter(|bid| *bid > last).map(|(count, face)| format!("(bid {count} {face})")).collect()
    }

    /// Who loses a die when this player calls the last bidder a liar.
    fn loser(&self, caller: &'static str) -> &'static str {
        let (count, face, bidder) = self.bid.expect("a bid");
        let Dice { faces, is_wild } = self.kind;
        let counts = |shown: &&usize| **shown == face || is_wild && **shown == faces;
        let counted = self.faces.values().flatten().filter(counts).count();
        if counted >= count { caller } else { bidder }
    }
}

/// Plays a hand; the answer is what each has left.
fn hand(
    game: &Game,
    kind: Dice,
    dice: &[(&'static str, usize)],
    rng: &mut ChaCha8Rng,
) -> BTreeMap<String, usize> {
    let (mut table, mut bystander) =
        (Table::new(game), Bystander { kind, faces: BTreeMap::new(), bid: None });
    let all_dice = dice.iter().map(|(_, count)| count).sum();
    for &(name, count) in dice {
        for number in 1..=count {
            let rolled = table.random_move("random", rng);
            let face =
                rolled.trim_matches(['(', ')']).split_once(' ').expect("a face").1.parse().expect("a face");
            bystander.faces.entry(name).or_default().push(face);
            let told = table.play(&[("random", &rolled)]);
            // All are told of when the last has fallen, to the player alone.
            assert!(
                dice.iter().all(|(other, _)| told[*other].is_empty() == (*other != name || number < count))
            );
        }
    }
    for &(name, _) in dice.iter().cycle() {
        let mut expected = bystander.bids(all_dice);
        expected.extend(bystander.bid.map(|_| "liar".to_owned()));
        assert_eq!(table.legal(name), expected, "{:?}", bystander.bid);
        let bids = bystander.bids(all_dice);
        let calls = bystander.bid.is_some() && (bids.is_empty() || below(rng, 4) == 0);
        if calls {
            table.play(&[(name, "liar")]);
            let loser = bystander.loser(name);
            let goals = table.goals().expect("the end");
            assert!(
                goals.iter().all(|(name, goal)| *goal == if name == loser { 0 } else { 100 }),
                "{goals:?}"
            );
            let expected: BTreeMap<String, usize> = dice
                .iter()
                .map(|&(name, count)| (name.to_owned(), count - usize::from(name == loser)))
                .collect();
            let left = left(&table);
            assert_eq!(left, expected);
            return left;
        }
        // Mostly the next few bids, so that some are true.
        let near: BTreeSet<String> = bids.into_iter().take(8).collect();
        let chosen = any(&near, rng);
        table.play(&[(name, &chosen)]);
        let numbers: Vec<usize> =
            chosen.trim_matches(['(', ')']).split(' ').filter_map(|part| part.parse().ok()).collect();
        bystander.bid = Some((numbers[0], numbers[1], name));
    }
    unreachable!("there are only so many bids")
}

/// What the last state says that each has.
fn left(table: &Table<'_>) -> BTreeMap<String, usize> {
    let fluents = table.fluents();
    let dice = fluents.iter().filter_map(|fluent| fluent.strip_prefix("(dice ")?.strip_suffix(')'));
    let pairs = dice.filter_map(|rest| rest.split_once(' '));
    pairs.map(|(name, count)| (name.to_owned(), count.parse().expect("a number"))).collect()
}

#[test]
fn whoever_was_wrong_loses_a_die_until_one_player_has_all_that_are_left() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for mut dice in [vec![2, 2], vec![1, 3, 2], vec![1; 6], vec![2, 0, 3, 1]] {
        for _ in 0..12 {
            let at_first = dice.clone();
            while dice.iter().filter(|count| **count > 0).count() > 1 {
                let game = game(&dice, USUAL);
                let seated = NAMES.into_iter().zip(&dice).filter(|(_, count)| **count > 0);
                let seated: Vec<(&str, usize)> =
                    seated.map(|(name, count)| (name, *count as usize)).collect();
                let left = hand(&game, USUAL, &seated, &mut rng);
                let has =
                    |name: &&str| left.get(*name).map_or(0, |count| u32::try_from(*count).expect("few"));
                dice = NAMES[..dice.len()].iter().map(has).collect();
            }
            dice = at_first;
        }
    }
}

#[test]
fn dice_may_have_fewer_faces_and_none_that_counts_for_all() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let kinds =
        [4, 5, 3, 6].into_iter().flat_map(|faces| [true, false].map(|is_wild| Dice { faces, is_wild }));
    for kind in kinds {
        for dice in [&[1, 1][..], &[2, 2], &[2, 1, 1]] {
            let game = game(dice, kind);
            let seated: Vec<(&str, usize)> =
                NAMES.into_iter().zip(dice).map(|(name, count)| (name, *count as usize)).collect();
            for _ in 0..20 {
                hand(&game, kind, &seated, &mut rng);
            }
        }
    }
}
