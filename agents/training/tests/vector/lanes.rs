//! Matches in lanes: which are stepped, restarted, saved, cut short and refused.

use std::collections::BTreeSet;

use croupier_training::{EnvironmentSettings, Features, SeatKind, TrainingError, VectorEnvironment};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::{Judge, Shown, features::check, game, replay, settings};

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
