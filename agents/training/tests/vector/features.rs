//! What is written of a match follows from what each role did and was told.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use croupier_engine::{Game, InformationSet, RoleId};
use croupier_training::{EnvironmentSettings, Features, Space, TrainingError, VectorEnvironment};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::{Judge, Replayed, Shown, game, replay, settings};

/// What features have to say, by their names, from what a role knows.
fn expected_features(game: &Game, known: &InformationSet, features: Features) -> BTreeSet<String> {
    let events = |(own, percepts): &(croupier_engine::MoveId, croupier_engine::Percepts)| {
        let told = game.percept_terms(percepts);
        let told = told.iter().map(|percept| format!("saw {percept}"));
        told.chain([format!("did {}", game.move_text(*own))]).collect::<Vec<String>>()
    };
    let turns = known.turns.iter().rev();
    match features {
        Features::Turn => turns.take(1).flat_map(events).collect(),
        Features::Percepts { last } => {
            let ever = turns.clone().flat_map(events).map(|event| format!("{event}, ever"));
            let recent = turns.take(last).zip(1..).flat_map(|(turn, ago)| {
                events(turn).into_iter().map(move |event| format!("{event}, {ago} turns ago"))
            });
            ever.chain(recent).collect()
        }
        Features::Belief { .. } | Features::State => unreachable!("that is no knowledge"),
    }
}

pub(super) fn check(environment: &VectorEnvironment, shown: &Shown, judge: &mut Judge, lane: usize) {
    let (space, features) = (environment.space(), environment.settings().features);
    let players = space.players.len();
    let Replayed { state, known } = replay(judge, environment.joint_moves(lane));
    for (place, player) in space.players.iter().enumerate() {
        assert_eq!(environment.known(lane, place), Some(&known[player.role]));
    }
    let Judge { game, scratch } = judge;
    assert_eq!(shown.turn[lane] as usize, environment.joint_moves(lane).len());
    let mut choices = 0;
    for (place, player) in space.players.iter().enumerate() {
        let seat = lane * players + place;
        let mask = &shown.mask[seat * space.moves_count()..(seat + 1) * space.moves_count()];
        let masked: BTreeSet<Arc<str>> = player
            .move_names
            .iter()
            .zip(mask)
            .filter(|(_, bit)| **bit == 1)
            .map(|(name, _)| name.clone())
            .collect();
        let legal = game.legal_moves(&state, player.role, scratch).expect("legal moves");
        let wanted: BTreeSet<Arc<str>> = legal.iter().map(|&id| game.move_text(id)).collect();
        assert_eq!(masked, wanted);
        assert!(mask[player.move_names.len()..].iter().all(|&bit| bit == 0));
        assert_eq!(shown.acting[seat] == 1, wanted.len() > 1);
        choices += usize::from(wanted.len() > 1);
        let count = space.features_count();
        let bits = &shown.features[seat * count..(seat + 1) * count];
        assert!(bits[player.feature_names.len()..].iter().all(|&bit| bit == 0));
        match features {
            Features::State => {
                assert_eq!(space.row(&known[player.role]), Err(TrainingError::NoKnowledge));
            }
            _ => assert_eq!(space.row(&known[player.role]).as_deref(), Ok(bits), "a seat shows the same"),
        }
        let found: BTreeSet<String> = player
            .feature_names
            .iter()
            .zip(bits)
            .filter(|(_, bit)| **bit == 1)
            .map(|(name, _)| name.clone())
            .collect();
        let wanted = match features {
            Features::State => game.state_terms(&state).iter().map(ToString::to_string).collect(),
            _ => expected_features(game, &known[player.role], features),
        };
        assert_eq!(found, wanted, "{place} in lane {lane}");
    }
    assert!(choices > 0, "somebody has a choice in lane {lane}");
}

const GAMES: [&str; 9] = [
    "kuhn",
    "leduc",
    "tic-tac-toe",
    "goofspiel-4",
    "liars-dice",
    "krieg-tic-tac-toe-4x4",
    "monty-hall",
    "battleship-4x4",
    "holdem",
];

#[test]
fn what_is_written_follows_from_what_each_role_did_and_was_told() {
    for name in GAMES {
        let mut judge = Judge::new(name);
        for features in [Features::Percepts { last: 2 }, Features::Turn, Features::State] {
            let lanes = 70;
            let mut environment =
                VectorEnvironment::new(&judge.game, settings(lanes, features)).expect("lanes");
            let mut shown = Shown::new(&environment);
            environment.reset([7; 32], shown.arrays()).expect("matches that begin");
            let mut rng = ChaCha8Rng::from_seed([3; 32]);
            let mut ended = 0;
            for _ in 0..12 {
                for lane in (0..lanes).step_by(9).chain([lanes - 1]) {
                    check(&environment, &shown, &mut judge, lane);
                }
                let moves = shown.random_moves(&environment, &mut rng);
                let before: Vec<Vec<Vec<u32>>> =
                    (0..lanes).map(|lane| environment.joint_moves(lane).to_vec()).collect();
                assert_eq!(environment.step(&moves, shown.arrays()), Ok(0), "all moves are legal");
                for (lane, before) in before.iter().enumerate() {
                    ended += check_end(&environment, &shown, &mut judge, lane, before, &moves);
                }
            }
            assert!(ended > 0 || name == "holdem" || name == "battleship-4x4", "{name}: no match ended");
        }
    }
}

/// What a step made of a lane: the chosen moves were played, and a match that ended came to its goals.
fn check_end(
    environment: &VectorEnvironment,
    shown: &Shown,
    judge: &mut Judge,
    lane: usize,
    before: &[Vec<u32>],
    moves: &[i32],
) -> usize {
    let (space, is_done) = (environment.space(), shown.done[lane] == 1);
    let players = space.players.len();
    let played = if is_done { environment.joint_moves_before(lane) } else { environment.joint_moves(lane) };
    assert_eq!(&played[..before.len()], before, "a match goes on where it was");
    let game = &judge.game;
    let chosen = game.network().expect("a network").joint_move(&played[before.len()]);
    for (place, player) in space.players.iter().enumerate() {
        let column = usize::try_from(moves[lane * players + place]).expect("a column");
        assert_eq!(game.move_text(chosen.of(player.role)), player.move_names[column]);
        if !is_done {
            assert_eq!(shown.goals[lane * players + place], 0.0);
        }
    }
    if is_done {
        let end = replay(judge, played).state;
        let Judge { game, scratch } = judge;
        assert!(game.is_terminal(&end, scratch).expect("a state"));
        for (place, player) in space.players.iter().enumerate() {
            let goal = game.goal(&end, player.role, scratch).expect("a state").expect("a goal");
            assert_eq!(shown.goals[lane * players + place], goal.value() as f32);
        }
    }
    usize::from(is_done)
}

#[test]
fn what_no_match_can_bring_has_no_feature() {
    let game = game("kuhn");
    let space = Space::new(&game, Features::Percepts { last: 2 }).expect("a network");
    let alice = game.roles().find("alice").expect("a role");
    let row = |turns: &[(&str, &[&str])]| {
        let mut known = InformationSet::initial(alice);
        let turns = turns.iter().map(|(made, told)| game.own_turn(made, told.iter().copied()));
        known.turns.extend(turns.map(|turn| turn.expect("terms")));
        space.row(&known).expect("what alice knows")
    };
    let plain = row(&[("noop", &["(hole king)"]), ("bet", &[])]);
    assert_eq!(plain.iter().filter(|&&feature| feature == 1).count(), 6);
    assert_eq!(row(&[("noop", &["(hole king)", "(hole of glass)"]), ("bet", &["thunder"])]), plain);
    assert!(row(&[("dance", &["thunder"]), ("(bet 7)", &[])]).iter().all(|&feature| feature == 0));
    let known = |role| space.row(&InformationSet::initial(role));
    let random = game.roles().random().expect("kuhn deals");
    assert_eq!(known(random), Err(TrainingError::NoKnowledge));
    assert!(known(alice).is_ok_and(|row| row.iter().all(|&feature| feature == 0)));
}

#[test]
fn with_all_turns_different_knowledge_has_different_features() {
    for name in ["kuhn", "leduc", "monty-hall", "goofspiel-4", "krieg-tic-tac-toe-4x4"] {
        let mut judge = Judge::new(name);
        let mut environment =
            VectorEnvironment::new(&judge.game, settings(300, Features::Percepts { last: 40 }))
                .expect("lanes");
        let mut shown = Shown::new(&environment);
        environment.reset([1; 32], shown.arrays()).expect("matches that begin");
        let mut rng = ChaCha8Rng::from_seed([5; 32]);
        let mut by_features: BTreeMap<(RoleId, Vec<u8>), InformationSet> = BTreeMap::new();
        let (players, count) = (environment.space().players.len(), environment.space().features_count());
        for _ in 0..8 {
            for lane in 0..300 {
                let known = replay(&mut judge, environment.joint_moves(lane)).known;
                for (place, player) in environment.space().players.iter().enumerate() {
                    let seat = lane * players + place;
                    let bits = shown.features[seat * count..(seat + 1) * count].to_vec();
                    let known = known[player.role].clone();
                    let other = by_features.entry((player.role, bits)).or_insert_with(|| known.clone());
                    assert_eq!(*other, known, "{name}");
                }
            }
            let moves = shown.random_moves(&environment, &mut rng);
            environment.step(&moves, shown.arrays()).expect("a step");
        }
    }
}

/// `CROUPIER_HISTORIES` says how many histories of each game are looked at, instead of 20,000.
#[test]
fn features_are_equal_exactly_where_knowledge_is() {
    let wanted = std::env::var("CROUPIER_HISTORIES").ok().and_then(|text| text.parse().ok());
    let wanted: usize = wanted.unwrap_or(20_000);
    for (name, last) in
        [("leduc", 30), ("liars-dice", 30), ("battleship-4x4", 60), ("holdem", 50), ("stratego-small", 60)]
    {
        let game = game(name);
        let settings = EnvironmentSettings { traces: false, ..settings(1024, Features::Percepts { last }) };
        let mut environment = VectorEnvironment::new(&game, settings).expect("lanes");
        let mut shown = Shown::new(&environment);
        environment.reset([3; 32], shown.arrays()).expect("matches that begin");
        let mut rng = ChaCha8Rng::from_seed([4; 32]);
        let (players, count) = (environment.space().players.len(), environment.space().features_count());
        let (mut by_features, mut by_knowledge) = (BTreeMap::new(), BTreeMap::new());
        let mut histories = 0;
        while histories < wanted {
            for seat in 0..1024 * players {
                let known = environment.known(seat / players, seat % players).expect("knowledge is kept");
                if known.turns.len() > last {
                    continue;
                }
                // 128 bits of each, of which no two of some millions are the same by chance.
                let player = seat % players;
                let features = digest(&(player, &shown.features[seat * count..(seat + 1) * count]));
                let knowledge = digest(known);
                assert_eq!(*by_features.entry(features).or_insert(knowledge), knowledge, "{name}");
                assert_eq!(*by_knowledge.entry(knowledge).or_insert(features), features, "{name}");
            }
            histories += 1024;
            let moves = shown.random_moves(&environment, &mut rng);
            environment.step(&moves, shown.arrays()).expect("a step");
        }
        assert!(by_features.len() > 200, "{name}: {} information sets", by_features.len());
    }
}

fn digest(value: &impl Hash) -> (u64, u64) {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, value).hash(&mut hasher);
        hasher.finish()
    };
    (half(0), half(1))
}
