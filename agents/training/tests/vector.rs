//! Environments against matches played one by one: what is written follows from what each role did and was told.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_engine::{
    ByPlayer, Game, InformationSet, JointMove, Options, RoleId, State, draw::draw_index, game::Scratch,
};
use croupier_training::{
    Arrays, EnvironmentSettings, Features, SeatKind, Space, TrainingError, VectorEnvironment,
};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

fn game(name: &str) -> Arc<Game> {
    let rules = croupier_games::find(name).expect("a game of the catalogue").rules;
    Arc::new(Game::compile(rules, &Options::PLAY).expect("rules that compile").game)
}

fn settings(lanes: usize, features: Features) -> EnvironmentSettings {
    EnvironmentSettings {
        lanes,
        seed: [7; 32],
        features,
        seats: Vec::new(),
        turns_max: 1000,
        is_parallel: true,
        traces: true,
        knowledge: true,
        finals: true,
    }
}

/// Arrays of an environment's own.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    features: Vec<u8>,
    probabilities: Vec<f32>,
    mask: Vec<u8>,
    acting: Vec<u8>,
    goals: Vec<f32>,
    done: Vec<u8>,
    truncated: Vec<u8>,
    turn: Vec<u32>,
}

impl Shown {
    fn new(environment: &VectorEnvironment) -> Self {
        let (lanes, space) = (environment.settings().lanes, environment.space());
        let seats = lanes * space.players.len();
        // Whatever stood there before is overwritten.
        Self {
            features: vec![9; if space.has_probabilities() { 0 } else { seats * space.features_count() }],
            probabilities: vec![
                9.0;
                if space.has_probabilities() { seats * space.features_count() } else { 0 }
            ],
            mask: vec![9; seats * space.moves_count()],
            acting: vec![9; seats],
            goals: vec![9.0; seats],
            done: vec![9; lanes],
            truncated: vec![9; lanes],
            turn: vec![9; lanes],
        }
    }

    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            features: &mut self.features,
            probabilities: &mut self.probabilities,
            mask: &mut self.mask,
            acting: &mut self.acting,
            goals: &mut self.goals,
            done: &mut self.done,
            truncated: &mut self.truncated,
            turn: &mut self.turn,
        }
    }

    /// A random legal column for every lane and player.
    fn random_moves(&self, environment: &VectorEnvironment, rng: &mut ChaCha8Rng) -> Vec<i32> {
        let columns = environment.space().moves_count();
        let of_seat = |mask: &[u8]| {
            let legal: Vec<usize> = (0..columns).filter(|&column| mask[column] == 1).collect();
            i32::try_from(legal[draw_index(legal.len(), rng)]).expect("few moves")
        };
        self.mask.chunks(columns).map(of_seat).collect()
    }
}

/// A game, and working memory for its slow and obvious engine.
struct Judge {
    game: Arc<Game>,
    scratch: Scratch,
}

impl Judge {
    fn new(name: &str) -> Self {
        let game = game(name);
        Self { scratch: game.lifted_scratch(), game }
    }
}

/// A match played again, turn by turn.
struct Replayed {
    state: State,
    known: ByPlayer<InformationSet>,
}

fn replay(judge: &mut Judge, joint_moves: &[Vec<u32>]) -> Replayed {
    let Judge { game, scratch } = judge;
    let network = game.network().expect("a network");
    let mut state = game.initial_state().clone();
    let mut known = ByPlayer::from_fn(game.roles(), InformationSet::initial);
    for numbers in joint_moves {
        let made: JointMove = network.joint_move(numbers);
        let turn = game.turn(&state, &made, scratch).expect("legal moves");
        for (role, known) in known.iter_mut() {
            known.turns.push((made.of(role), turn.percepts[role].clone()));
        }
        state = turn.successor;
    }
    Replayed { state, known }
}

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

fn check(environment: &VectorEnvironment, shown: &Shown, judge: &mut Judge, lane: usize) {
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

#[test]
fn threads_and_earlier_matches_change_nothing() {
    let game = game("leduc");
    let run = |threads: usize, is_used: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let mut environment =
            VectorEnvironment::new(&game, settings(1100, Features::Percepts { last: 1 })).expect("lanes");
        let mut shown = Shown::new(&environment);
        let mut play = |seed: u8, steps: usize| {
            environment.reset([seed; 32], shown.arrays()).expect("matches that begin");
            let mut rng = ChaCha8Rng::from_seed([2; 32]);
            for _ in 0..steps {
                let moves = shown.random_moves(&environment, &mut rng);
                pool.install(|| environment.step(&moves, shown.arrays())).expect("a step");
            }
        };
        if is_used {
            play(9, 5);
        }
        play(4, 20);
        shown
    };
    let one = run(1, false);
    assert!(one == run(3, false), "threads");
    assert!(one == run(1, true), "a reset is a new environment");
}

#[test]
fn what_was_saved_goes_on_as_the_environment_itself() {
    let game = game("leduc");
    let new = || VectorEnvironment::new(&game, settings(600, Features::Percepts { last: 2 })).expect("lanes");
    let mut one = new();
    let mut shown = Shown::new(&one);
    one.reset([8; 32], shown.arrays()).expect("matches that begin");
    let mut rng = ChaCha8Rng::from_seed([6; 32]);
    let steps = |environment: &mut VectorEnvironment, shown: &mut Shown, rng: &mut ChaCha8Rng| {
        for _ in 0..7 {
            let moves = shown.random_moves(environment, rng);
            environment.step(&moves, shown.arrays()).expect("a step");
        }
    };
    steps(&mut one, &mut shown, &mut rng);
    let (words, mut other, mut other_shown, mut other_rng) = (one.words(), new(), shown.clone(), rng.clone());
    other.restore(&words).expect("words of the same environment");
    steps(&mut one, &mut shown, &mut rng);
    steps(&mut other, &mut other_shown, &mut other_rng);
    assert!(shown == other_shown);
    assert_eq!(other.restore(&words[1..]), Err(TrainingError::Words));
    assert_eq!(other.restore(&[&words[..], &[0]].concat()), Err(TrainingError::Words));
}

#[test]
fn beliefs_are_those_of_all_histories() {
    for name in ["kuhn", "leduc", "goofspiel-4", "monty-hall", "krieg-tic-tac-toe-4x4"] {
        let mut judge = Judge::new(name);
        let lanes = 40;
        let features = Features::Belief { particles: 10 };
        let mut environment = VectorEnvironment::new(&judge.game, settings(lanes, features)).expect("lanes");
        let mut shown = Shown::new(&environment);
        environment.reset([4; 32], shown.arrays()).expect("matches that begin");
        let mut rng = ChaCha8Rng::from_seed([3; 32]);
        for _ in 0..4 {
            for lane in (0..lanes).step_by(7) {
                check_beliefs(&environment, &shown, &mut judge, lane);
            }
            let moves = shown.random_moves(&environment, &mut rng);
            environment.step(&moves, shown.arrays()).expect("a step");
        }
    }
}

/// What a lane shows of beliefs, against the enumeration of all histories.
fn check_beliefs(environment: &VectorEnvironment, shown: &Shown, judge: &mut Judge, lane: usize) {
    let space = environment.space();
    let known = replay(judge, environment.joint_moves(lane)).known;
    let (players, count) = (space.players.len(), space.features_count());
    for (place, player) in space.players.iter().enumerate() {
        let seat = lane * players + place;
        let found = &shown.probabilities[seat * count..(seat + 1) * count];
        if shown.acting[seat] == 0 {
            assert!(found.iter().all(|&probability| probability == 0.0));
            continue;
        }
        let game = Arc::clone(&judge.game);
        let mut belief =
            ExactBelief::new(Arc::clone(&game), player.role, ExactOptions::STANDARD).expect("a player");
        for (made, percepts) in &known[player.role].turns {
            belief.advance(*made, percepts).expect("few histories");
        }
        let distribution = belief.distribution();
        for (name, &probability) in player.feature_names.iter().zip(found) {
            let exact = distribution.probability(game.fluent_id(name).expect("a fluent"));
            assert!((f64::from(probability) - exact).abs() < 1e-6, "{name}: {probability}, not {exact}");
        }
    }
}

#[test]
fn beliefs_by_particles_depend_on_what_is_known_alone() {
    let game = game("holdem");
    let features = Features::Belief { particles: 30 };
    let new = || VectorEnvironment::new(&game, settings(6, features)).expect("lanes");
    let (mut one, mut other) = (new(), new());
    let (mut shown, mut again) = (Shown::new(&one), Shown::new(&other));
    one.reset([8; 32], shown.arrays()).expect("matches that begin");
    let mut rng = ChaCha8Rng::from_seed([6; 32]);
    for _ in 0..8 {
        // The other one has made no belief before.
        other.restore(&one.words()).expect("words of the same environment");
        let mut moves = shown.random_moves(&one, &mut rng);
        // Nobody folds, for then little would be left to believe.
        let fold =
            one.space().players[0].move_names.iter().position(|name| &**name == "fold").expect("a move");
        moves.iter_mut().for_each(|column| *column = if *column == fold as i32 { -1 } else { *column });
        let (drawn, redrawn) = (one.step(&moves, shown.arrays()), other.step(&moves, again.arrays()));
        assert_eq!(drawn, redrawn);
        assert!(shown == again);
    }
    assert!(shown.probabilities.iter().any(|&probability| probability > 0.0 && probability < 1.0));
    let mut short = one.words();
    short.pop();
    assert_eq!(other.restore(&short), Err(TrainingError::Words));
}

#[test]
fn lanes_that_are_left_out_stay_as_they_are() {
    let mut judge = Judge::new("leduc");
    let features = Features::Percepts { last: 3 };
    let mut environment = VectorEnvironment::new(&judge.game, settings(700, features)).expect("lanes");
    let mut shown = Shown::new(&environment);
    environment.reset([2; 32], shown.arrays()).expect("matches that begin");
    let mut rng = ChaCha8Rng::from_seed([1; 32]);
    for step in 0..12 {
        let wanted: Vec<bool> = (0..700).map(|lane| (lane + step) % 3 == 0).collect();
        let (before, moves) = (shown.clone(), shown.random_moves(&environment, &mut rng));
        let turns: Vec<usize> = (0..700).map(|lane| environment.joint_moves(lane).len()).collect();
        environment.step_in(&wanted, &moves, shown.arrays()).expect("a step");
        let (seats, width) = (2, 2 * environment.space().features_count());
        for lane in (0..700).filter(|&lane| !wanted[lane]) {
            assert_eq!(environment.joint_moves(lane).len(), turns[lane]);
            assert_eq!(shown.done[lane], 0);
            assert_eq!(shown.acting[lane * seats..][..seats], before.acting[lane * seats..][..seats]);
            assert_eq!(shown.features[lane * width..][..width], before.features[lane * width..][..width]);
        }
        for lane in (0..700).step_by(61).filter(|&lane| wanted[lane]) {
            check(&environment, &shown, &mut judge, lane);
            assert!(shown.done[lane] == 1 || environment.joint_moves(lane).len() > turns[lane]);
        }
    }
    let error = environment.step_in(&[true; 699], &[0; 1400], shown.arrays()).expect_err("700 lanes");
    assert_eq!(error, TrainingError::Size { name: "lanes", found: 699, wanted: 700 });
}

#[test]
fn illegal_moves_are_drawn_and_counted() {
    let game = game("tic-tac-toe");
    let mut environment = VectorEnvironment::new(&game, settings(40, Features::Turn)).expect("lanes");
    let mut shown = Shown::new(&environment);
    environment.reset([1; 32], shown.arrays()).expect("matches that begin");
    for (column, drawn) in [(-1, 40), (i32::MAX, 40)] {
        assert_eq!(environment.step(&[column; 80], shown.arrays()), Ok(drawn));
    }
    let seen: BTreeSet<Vec<u32>> = (0..40).map(|lane| environment.joint_moves(lane)[0].clone()).collect();
    assert!(seen.len() > 5, "nine squares are drawn from: {seen:?}");
}

#[test]
fn a_random_seat_is_moved_for_and_long_matches_are_cut() {
    let game = game("tic-tac-toe");
    let seats = vec![SeatKind::Open, SeatKind::Random];
    let settings = EnvironmentSettings { seats, turns_max: 4, ..settings(512, Features::Turn) };
    let mut environment = VectorEnvironment::new(&game, settings).expect("lanes");
    let mut shown = Shown::new(&environment);
    environment.reset([1; 32], shown.arrays()).expect("matches that begin");
    let mut rng = ChaCha8Rng::from_seed([1; 32]);
    for step in 1..=6 {
        let acting: Vec<u8> = [1, 0].repeat(512);
        assert_eq!(shown.acting, acting, "x alone is asked");
        let moves = shown.random_moves(&environment, &mut rng);
        environment.step(&moves, shown.arrays()).expect("a step");
        let is_cut = u8::from(step % 2 == 0);
        assert!(shown.done.iter().chain(&shown.truncated).all(|&done| done == is_cut), "{step}");
        assert!(shown.goals.iter().all(|&goal| goal == 0.0));
    }
    // Every reply of the random seat comes up.
    let replies: BTreeSet<u32> =
        (0..512).filter_map(|lane| environment.joint_moves_before(lane).get(1)).map(|made| made[1]).collect();
    assert_eq!(replies.len(), 9);
}

#[test]
fn nothing_has_ended_when_matches_begin() {
    // Where alice folds at once, bob has no choice, and the next match is played.
    let game = game("holdem");
    let seats = vec![SeatKind::Random, SeatKind::Open];
    let settings = EnvironmentSettings { seats, ..settings(200, Features::Turn) };
    let mut environment = VectorEnvironment::new(&game, settings).expect("lanes");
    let mut shown = Shown::new(&environment);
    environment.reset([1; 32], shown.arrays()).expect("matches that begin");
    assert!((0..200).any(|lane| !environment.joint_moves_before(lane).is_empty()), "somebody folds");
    assert!(shown.done.iter().chain(&shown.truncated).all(|&ended| ended == 0));
    assert!(shown.goals.iter().all(|&goal| goal == 0.0));
}

#[test]
fn what_cannot_be_is_refused() {
    let kuhn = game("kuhn");
    let refused = |settings: EnvironmentSettings| {
        VectorEnvironment::new(&kuhn, settings).map(|_| ()).expect_err("refused")
    };
    assert_eq!(refused(settings(0, Features::Turn)), TrainingError::NoLanes);
    let seats = |seats: Vec<SeatKind>| EnvironmentSettings { seats, ..settings(1, Features::Turn) };
    assert_eq!(refused(seats(vec![SeatKind::Open])), TrainingError::Seats { found: 1, players: 2 });
    assert_eq!(refused(seats(vec![SeatKind::Random, SeatKind::Random])), TrainingError::NoChoice);
    let mut environment = VectorEnvironment::new(&kuhn, settings(2, Features::Turn)).expect("lanes");
    let mut shown = Shown::new(&environment);
    let error = environment.step(&[0; 3], shown.arrays()).expect_err("four seats");
    assert_eq!(error, TrainingError::Size { name: "moves", found: 3, wanted: 4 });
    shown.turn.pop();
    let error = environment.reset([0; 32], shown.arrays()).expect_err("two lanes");
    assert_eq!(error, TrainingError::Size { name: "turn", found: 1, wanted: 2 });
}

#[test]
fn more_lanes_or_turns_than_memory_holds_are_an_error_and_not_the_end_of_the_process() {
    let kuhn = game("kuhn");
    for (lanes, last) in [(1_000_000_000_000, 1), (usize::MAX, 1), (1, 1 << 40), (1, usize::MAX)] {
        let error = VectorEnvironment::new(&kuhn, settings(lanes, Features::Percepts { last }));
        let error = error.map(|_| ()).expect_err("more than a machine has");
        assert!(matches!(error, TrainingError::TooLarge { .. }), "{error}");
    }
}

#[test]
fn sampled_moves_are_legal_follow_from_the_seed_and_change_no_match() {
    let mut environment =
        VectorEnvironment::new(&game("leduc"), settings(700, Features::Turn)).expect("lanes");
    let (mut shown, mut columns) = (Shown::new(&environment), vec![0; 1400]);
    let mut course = |is_sampled: bool| {
        environment.reset([3; 32], shown.arrays()).expect("matches");
        let (mut sampled, mut hands) = (Vec::new(), Vec::new());
        for _ in 0..10 {
            if is_sampled {
                environment.sample(&mut columns).expect("moves");
                sampled.push(columns.clone());
                for (&column, legal) in
                    columns.iter().zip(shown.mask.chunks(environment.space().moves_count()))
                {
                    assert_eq!(legal[usize::try_from(column).expect("a column")], 1);
                }
            }
            // What is played depends on what is shown alone.
            let first = |mask: &[u8]| mask.iter().position(|&legal| legal == 1).expect("a legal move");
            let played = shown.mask.chunks(environment.space().moves_count()).map(|mask| first(mask) as i32);
            environment.step(&played.collect::<Vec<i32>>(), shown.arrays()).expect("a step");
            hands.push(shown.clone());
        }
        (sampled, hands)
    };
    let (first, again, without) = (course(true), course(true), course(false));
    assert_eq!(first, again);
    assert_eq!(first.1, without.1);
    assert_ne!(first.0[0], first.0[1]);
}

#[test]
fn each_legal_move_is_sampled_equally_often() {
    let mut environment =
        VectorEnvironment::new(&game("tic-tac-toe"), settings(4096, Features::Turn)).expect("lanes");
    let (mut shown, mut columns) = (Shown::new(&environment), vec![0; 8192]);
    environment.reset([5; 32], shown.arrays()).expect("matches");
    let mut counts = [0_i32; 9];
    for _ in 0..25 {
        environment.sample(&mut columns).expect("moves");
        columns.iter().step_by(2).for_each(|&column| counts[usize::try_from(column).expect("a column")] += 1);
    }
    // Five standard deviations of a count of 102,400 draws among nine.
    assert!(counts.iter().all(|count| (count - 102_400 / 9).abs() < 505), "{counts:?}");
}

#[test]
fn finals_are_what_players_knew_when_their_match_ended() {
    let mut judge = Judge::new("leduc");
    let features = Features::Percepts { last: 2 };
    let mut environment = VectorEnvironment::new(&judge.game, settings(100, features)).expect("lanes");
    let mut shown = Shown::new(&environment);
    environment.reset([4; 32], shown.arrays()).expect("matches");
    let size = environment.space().features_count();
    let (mut finals, mut rng, mut ended) = (vec![9; 200 * size], ChaCha8Rng::seed_from_u64(1), 0);
    for _ in 0..20 {
        let moves = shown.random_moves(&environment, &mut rng);
        environment.step(&moves, shown.arrays()).expect("a step");
        environment.write_finals(&mut finals).expect("what was known");
        for lane in (0..100).filter(|&lane| shown.done[lane] == 1) {
            let known = replay(&mut judge, environment.joint_moves_before(lane)).known;
            for (place, (_, known)) in known.iter().enumerate() {
                let row = &finals[(2 * lane + place) * size..][..size];
                assert_eq!(row, environment.space().row(known).expect("features"));
            }
            ended += 1;
        }
    }
    assert!(ended > 200, "{ended} matches");
}

#[test]
fn restarted_lanes_begin_a_match_and_the_others_go_on() {
    let mut environment =
        VectorEnvironment::new(&game("leduc"), settings(40, Features::Percepts { last: 1 })).expect("lanes");
    let (mut shown, mut rng) = (Shown::new(&environment), ChaCha8Rng::seed_from_u64(1));
    environment.reset([4; 32], shown.arrays()).expect("matches");
    let begun = shown.turn.clone();
    for _ in 0..3 {
        let moves = shown.random_moves(&environment, &mut rng);
        environment.step(&moves, shown.arrays()).expect("a step");
    }
    let (before, lanes) = (shown.clone(), (0..40).map(|lane| lane % 3 == 0).collect::<Vec<bool>>());
    environment.restart_in(&lanes, shown.arrays()).expect("new matches");
    let size = before.features.len() / 40;
    for (lane, &begun) in begun.iter().enumerate() {
        let row = |shown: &Shown| (shown.turn[lane], shown.features[lane * size..][..size].to_vec());
        if lane % 3 == 0 {
            assert_eq!(shown.turn[lane], begun);
        } else {
            assert_eq!(row(&shown), row(&before));
        }
    }
    assert!(shown.done.iter().all(|&done| done == 0));
}
