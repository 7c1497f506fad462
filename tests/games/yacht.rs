//! Small yacht: exact values by the game's own states against those from its definition, and throws by hand.

use std::collections::BTreeMap;

use croupier_engine::{Game, State, Status};
use croupier_tests::table::{Table, Texts, below, compile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const BOXES: [&str; 4] = ["sixes", "straight", "yacht", "choice"];

/// What three dice, the lowest first, are worth in a box.
fn worth(which: usize, dice: [usize; 3]) -> usize {
    let [low, middle, high] = dice;
    match BOXES[which] {
        "sixes" => 6 * dice.iter().filter(|&&die| die == 6).count(),
        "straight" if (low + 1, low + 2) == (middle, high) => 24,
        "yacht" if low == high => 40,
        "choice" => low + middle + high,
        _ => 0,
    }
}

/// What can still be won on average: by the best play, and by any legal move at random.
#[derive(Clone, Copy, Debug)]
struct Values {
    best: f64,
    random: f64,
}

impl Values {
    const NONE: Self = Self { best: 0.0, random: 0.0 };

    fn plus(self, points: f64) -> Self {
        Self { best: self.best + points, random: self.random + points }
    }

    fn mean(of: &[Self]) -> Self {
        let count = of.len() as f64;
        Self {
            best: of.iter().map(|values| values.best).sum::<f64>() / count,
            random: of.iter().map(|values| values.random).sum::<f64>() / count,
        }
    }

    /// Of a player who may choose.
    fn chosen(of: &[Self]) -> Self {
        Self { best: of.iter().map(|values| values.best).fold(0.0, f64::max), ..Self::mean(of) }
    }

    fn close_to(self, other: Self) -> bool {
        (self.best - other.best).abs() < 1e-9 && (self.random - other.random).abs() < 1e-9
    }
}

/// The definition: values by free boxes, throws left and the dice that lie on the table, in order.
#[derive(Default)]
struct Yacht {
    known: BTreeMap<(Vec<usize>, usize, Vec<usize>), Values>,
}

impl Yacht {
    /// Before the cup with the dice that are not kept is turned over; `throws` may follow.
    fn before_throw(&mut self, free: &[usize], throws: usize, kept: &[usize]) -> Values {
        if free.is_empty() {
            return Values::NONE;
        }
        let key = (free.to_vec(), throws, kept.to_vec());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let outcomes: Vec<Values> = (1..=6)
            .map(|face| {
                let mut dice = [kept, &[face]].concat();
                dice.sort_unstable();
                match <[usize; 3]>::try_from(dice.as_slice()) {
                    Ok(dice) => self.after_throw(free, throws, dice),
                    Err(_) => self.before_throw(free, throws, &dice),
                }
            })
            .collect();
        let values = Values::mean(&outcomes);
        self.known.insert(key, values);
        values
    }

    fn after_throw(&mut self, free: &[usize], throws: usize, dice: [usize; 3]) -> Values {
        let mut choices = Vec::new();
        for subset in 0..if throws > 0 { 7 } else { 0 } {
            let kept: Vec<usize> = (0..3).filter(|die| subset >> die & 1 == 1).map(|die| dice[die]).collect();
            choices.push(self.before_throw(free, throws - 1, &kept));
        }
        for &which in free {
            let rest: Vec<usize> = free.iter().copied().filter(|&other| other != which).collect();
            choices.push(self.before_throw(&rest, 2, &[]).plus(worth(which, dice) as f64));
        }
        Values::chosen(&choices)
    }
}

/// The game: values by its states, those apart that differ in the points won so far.
struct States<'g> {
    game: &'g Game,
    known: BTreeMap<Vec<String>, Values>,
}

impl States<'_> {
    fn values(&mut self, state: &State) -> Values {
        let mut scratch = self.game.scratch();
        let (points, rest) = self.read(state);
        if let Some(&known) = self.known.get(&rest) {
            return known;
        }
        let values = match self.game.status(state, &mut scratch).expect("a status") {
            Status::Terminal { goals } => {
                let player = self.game.roles().players().next().expect("one player");
                assert_eq!(goals.get(player).map(|goal| goal.value()), Some(points));
                Values::NONE
            }
            Status::Running { legal } => {
                let chance = self.game.roles().random().expect("dice");
                let is_throw = legal[chance].len() > 1;
                let joint_moves: Vec<_> = self.game.joint_moves(&legal).collect();
                let after = joint_moves.iter().map(|joint_move| {
                    let next = self.game.successor(state, joint_move, &mut scratch).expect("a successor");
                    let won = self.read(&next).0 - points;
                    self.values(&next).plus(f64::from(won))
                });
                let after: Vec<Values> = after.collect();
                if is_throw { Values::mean(&after) } else { Values::chosen(&after) }
            }
        };
        self.known.insert(rest, values);
        values
    }

    /// The points, and all else.
    fn read(&self, state: &State) -> (i32, Vec<String>) {
        let fluents: Vec<String> = self.game.state_terms(state).iter().map(ToString::to_string).collect();
        let (points, rest): (Vec<String>, Vec<String>) =
            fluents.into_iter().partition(|fluent| fluent.starts_with("(points "));
        let number = points[0].trim_start_matches("(points ").trim_end_matches(')');
        (number.parse().expect("a number"), rest)
    }
}

/// By backward induction over the states of the game, and by that over the definition.
#[test]
fn small_yacht_is_worth_what_its_definition_says() {
    let game = compile("yacht-small");
    let by_definition = Yacht::default().before_throw(&[0, 1, 2, 3], 2, &[]);
    let mut states = States { game: &game, known: BTreeMap::new() };
    let values = states.values(game.initial_state());
    assert!(values.close_to(by_definition), "{values:?}, and not {by_definition:?}");
    let stated = &croupier_games::find("yacht-small").expect("the game").facts().expect("sound facts").known;
    let stated = stated.iter().map(|known| known.value.clone()).collect::<Vec<_>>();
    assert_eq!(stated, [format!("{:.4}", values.best), format!("{:.4}", values.random)]);
}

fn faces(term: &str) -> [usize; 3] {
    let faces: Vec<usize> =
        term.chars().filter_map(|char| char.to_digit(10)).map(|digit| digit as usize).collect();
    faces.try_into().expect("three dice")
}

/// Match after match at random: what can be thrown, what is told, and what is written down.
#[test]
fn every_box_is_entered_once_and_kept_dice_stay() {
    let game = compile("yacht-small");
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    for _ in 0..300 {
        let mut table = Table::new(&game);
        let (mut free, mut points): (Vec<usize>, usize) = ((0..4).collect(), 0);
        while !free.is_empty() {
            let (mut kept, mut throws) = ([None; 3], 2);
            loop {
                let in_cup = kept.iter().filter(|die| die.is_none()).count();
                let legal = table.legal("random");
                assert_eq!(legal.len(), 6_usize.pow(u32::try_from(in_cup).expect("three dice")));
                let stays = |throw: &String| {
                    faces(throw).iter().zip(kept).all(|(&face, kept)| kept.is_none_or(|kept| kept == face))
                };
                assert!(legal.iter().all(stays), "{kept:?}: {legal:?}");
                let throw = table.random_move("random", &mut rng);
                let dice = faces(&throw);
                let [a, b, c] = dice;
                let told = table.play(&[("random", &throw)]);
                assert_eq!(told["player"], Texts::from([format!("(threw {a} {b} {c})")]));
                let legal = table.legal("player");
                assert_eq!(legal.len(), free.len() + if throws > 0 { 7 } else { 0 });
                if throws > 0 && below(&mut rng, 3) > 0 {
                    let subset = below(&mut rng, 7);
                    kept = [0, 1, 2].map(|die| (subset >> die & 1 == 1).then_some(dice[die]));
                    let words = kept.map(|die| if die.is_some() { "keep" } else { "throw" });
                    table.play(&[("player", &format!("(again {})", words.join(" ")))]);
                    throws -= 1;
                    continue;
                }
                let which = free.remove(below(&mut rng, free.len()));
                let mut sorted = dice;
                sorted.sort_unstable();
                points += worth(which, sorted);
                table.play(&[("player", &format!("(enter {})", BOXES[which]))]);
                assert!(table.fluents().contains(&format!("(points {points})")), "{dice:?} {}", BOXES[which]);
                break;
            }
            assert_eq!(table.goals().is_some(), free.is_empty());
        }
        let goal = table.goals().expect("the end")["player"];
        assert_eq!(usize::try_from(goal).ok(), Some(points));
    }
}
