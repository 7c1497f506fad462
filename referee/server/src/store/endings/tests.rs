//! What the end of a match does to ratings and tournaments, the same for SQLite and PostgreSQL.

use std::collections::BTreeSet;

use croupier_results::{Deals, Fixture, RatingSystem, Ratings, RoundRobin};
use serde_json::json;
use sqlx::Row as _;

use super::super::{
    Claimed, NewMatch, NewTournament, Store, StoredRating,
    tests::{new, on_each, open},
};
use crate::{seat::SeatSetup, setup::StoredSetup};

/// A match of Kuhn poker between two who have names.
fn between(id: &str, players: [&str; 2]) -> NewMatch {
    let seat = |(role, player): (&str, &str)| {
        let player = player.to_owned();
        (role.to_owned(), SeatSetup::Player { player, address: None, dialect: None })
    };
    let seats = ["alice", "bob"].into_iter().zip(players).map(seat).collect();
    let setup = StoredSetup { seats, ..StoredSetup::of_nobody() };
    NewMatch { setup, rating_pool: Some("kuhn".to_owned()), ..new(id) }
}

fn outcome(goals: [i32; 2]) -> String {
    json!({ "status": "terminal", "turns": 3, "goals": { "alice": goals[0], "bob": goals[1] }, "conduct": {
        "alice": { "moves": 3, "substituted": { "timeout": 1 } }, "bob": { "moves": 3, "substituted": {} },
    } })
    .to_string()
}

async fn rated(store: &Store) -> Vec<StoredRating> {
    let mut all = store.ratings("kuhn", RatingSystem::WengLin, None, 100).await.expect("ratings");
    all.sort_by(|one, other| one.player.cmp(&other.player));
    all
}

/// What `croupier-results` makes of the same matches.
fn expected(players: &[&str], matches: &[([&str; 2], [i32; 2])]) -> [Ratings; 2] {
    let mut ratings =
        [RatingSystem::WengLin, RatingSystem::Glicko2].map(|system| Ratings::new(system, players.len()));
    for (sat, goals) in matches {
        let seats = sat.map(|player| players.iter().position(|known| *known == player).expect("a player"));
        ratings.iter_mut().for_each(|ratings| ratings.take_match(&seats, goals));
    }
    ratings
}

fn stored(ratings: &[StoredRating]) -> [Ratings; 2] {
    [
        Ratings::WengLin(ratings.iter().map(|one| Some(one.weng_lin)).collect()),
        Ratings::Glicko2(ratings.iter().map(|one| Some(one.glicko2)).collect()),
    ]
}

#[test]
fn ratings_are_those_of_the_library_to_the_bit_and_a_match_counts_once_however_often_it_ends() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        let players = ["ann", "ben", "cat"];
        let matches = [
            (["ann", "ben"], [100, 0]),
            (["ben", "cat"], [50, 50]),
            (["cat", "ann"], [75, 25]),
            (["ann", "ben"], [0, 100]),
        ];
        for (place, (players, goals)) in matches.iter().enumerate() {
            let id = format!("m{place}");
            store.create(between(&id, *players)).await.expect("a match");
            for _ in 0..3 {
                store.finish(&id, 1, "terminal", outcome(*goals)).await.expect("the end");
            }
        }
        let known = rated(&store).await;
        assert_eq!(stored(&known), expected(&players, &matches));
        assert_eq!(known.iter().map(|one| one.matches).collect::<Vec<_>>(), [3, 3, 2]);
        // Nobody is rated by these.
        store.create(between("alone", ["ann", "ann"])).await.expect("a match");
        store.finish("alone", 1, "terminal", outcome([100, 0])).await.expect("the end");
        store.create(between("aborted", ["ann", "ben"])).await.expect("a match");
        store.finish("aborted", 1, "aborted", json!({ "goals": null }).to_string()).await.expect("the end");
        store
            .create(NewMatch { rating_pool: None, ..between("unrated", ["ann", "ben"]) })
            .await
            .expect("one");
        store.finish("unrated", 1, "terminal", outcome([100, 0])).await.expect("the end");
        let mut nameless = between("nameless", ["ann", "ben"]);
        nameless.setup.seats.insert("bob".to_owned(), SeatSetup::Pull);
        store.create(nameless).await.expect("a match");
        store.finish("nameless", 1, "terminal", outcome([100, 0])).await.expect("the end");
        assert_eq!(rated(&store).await, known);
        // Pages, the best first.
        let first = store.ratings("kuhn", RatingSystem::Glicko2, None, 2).await.expect("a page");
        let last = first.last().expect("two ratings");
        let after = Some((last.value(RatingSystem::Glicko2), last.player.clone()));
        let second = store.ratings("kuhn", RatingSystem::Glicko2, after, 2).await.expect("a page");
        let listed: BTreeSet<&str> = first.iter().chain(&second).map(|one| one.player.as_str()).collect();
        assert_eq!((first.len(), second.len(), listed.len()), (2, 1, 3));
        assert!(first[0].glicko2.rating >= first[1].glicko2.rating);
        store.close().await;
    });
}

#[test]
fn matches_that_end_at_once_change_ratings_as_in_some_order_and_no_update_is_lost() {
    const MATCHES: usize = 60;
    on_each(|place| async move {
        // Two servers where the store takes them.
        let mut stores = vec![open(&place, "one").await];
        if stores[0].is_shared() {
            stores.push(open(&place, "two").await);
        }
        let pairs = [["ann", "ben"], ["ben", "ann"]];
        for number in 0..MATCHES {
            let new = between(&format!("m{number}"), pairs[number % 2]);
            stores[number % stores.len()].create(new).await.expect("a match");
        }
        let mut tasks = Vec::new();
        for number in 0..MATCHES {
            // The same end twice, from wherever it comes.
            for store in &stores {
                let (store, id) = (store.clone(), format!("m{number}"));
                let end = async move { store.finish(&id, 1, "terminal", outcome([50, 50])).await };
                tasks.push(tokio::spawn(end));
            }
        }
        for task in tasks {
            task.await.expect("a task").expect("the end");
        }
        let known = rated(&stores[0]).await;
        assert!(known.iter().all(|one| one.matches == i64::try_from(MATCHES).expect("few")), "{known:?}");
        // Draws of the same two are the same whatever their order, and whoever sits where.
        let draws = vec![(["ann", "ben"], [50, 50]); MATCHES];
        assert_eq!(stored(&known), expected(&["ann", "ben"], &draws));
        for store in stores {
            store.close().await;
        }
    });
}

#[test]
fn matches_of_different_results_that_end_at_once_count_one_after_the_other() {
    let players = ["ann", "ben", "cat"];
    let matches = [
        (["ann", "ben"], [100, 0]),
        (["ben", "cat"], [100, 0]),
        (["cat", "ann"], [100, 0]),
        (["ann", "ben"], [0, 100]),
    ];
    let mut orders = vec![Vec::new()];
    for _ in 0..matches.len() {
        let longer = |order: &Vec<usize>| -> Vec<Vec<usize>> {
            let others = (0..matches.len()).filter(|next| !order.contains(next));
            others.map(|next| [order.as_slice(), &[next]].concat()).collect()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let in_order =
        |order: &Vec<usize>| expected(&players, &order.iter().map(|at| matches[*at]).collect::<Vec<_>>());
    let possible: Vec<[Ratings; 2]> = orders.iter().map(in_order).collect();
    assert!(possible.iter().any(|one| *one != possible[0]), "the order matters");
    on_each(|place| {
        let possible = possible.clone();
        async move {
            let store = open(&place, "one").await;
            for (place, (players, _)) in matches.iter().enumerate() {
                store.create(between(&format!("m{place}"), *players)).await.expect("a match");
            }
            let end = |(place, (_, goals)): (usize, &([&str; 2], [i32; 2]))| {
                let (store, id, goals) = (store.clone(), format!("m{place}"), *goals);
                tokio::spawn(async move { store.finish(&id, 1, "terminal", outcome(goals)).await })
            };
            let tasks: Vec<_> = matches.iter().enumerate().map(end).collect();
            for task in tasks {
                task.await.expect("a task").expect("the end");
            }
            assert!(possible.contains(&stored(&rated(&store).await)));
            store.close().await;
        }
    });
}

fn tournament(deals: Deals) -> NewTournament {
    let schedule = RoundRobin::new(3, 2, 2, deals).expect("three pairs");
    let fixtures: Vec<Fixture> = (0..schedule.matches_count()).map_while(|at| schedule.fixture(at)).collect();
    NewTournament {
        id: "t".to_owned(),
        game_digest: "digest".to_owned(),
        game_name: Some("kuhn".to_owned()),
        rules: "(role a)".to_owned(),
        creator: "operator".to_owned(),
        setup: "{}".to_owned(),
        roles: vec!["alice".to_owned(), "bob".to_owned()],
        at_once: 4,
        seed: [9; 32],
        created_ms: 1,
        idempotency: None,
        fixtures,
    }
}

fn of_fixture(place: u64) -> NewMatch {
    let seats = tournament(Deals::Single).fixtures[usize::try_from(place).expect("few")].seats.clone();
    let names = ["ann", "ben", "cat"];
    let id = format!("f{place}");
    NewMatch { tournament: Some("t".to_owned()), ..between(&id, [names[seats[0]], names[seats[1]]]) }
}

#[test]
fn a_fixture_has_one_match_however_many_servers_want_it_and_no_more_run_at_once_than_may() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        store.create_tournament(&tournament(Deals::Single)).await.expect("a tournament");
        let mut tasks = Vec::new();
        for server in 0..4 {
            for place in 0..6 {
                let (store, mut new) = (store.clone(), of_fixture(place));
                new.id = format!("f{place}-{server}");
                tasks.push(tokio::spawn(async move { store.claim_fixture(&new, "t", place).await }));
            }
        }
        let mut claimed = Vec::new();
        for task in tasks {
            claimed.push(task.await.expect("a task").expect("an answer"));
        }
        assert_eq!(claimed.iter().filter(|claimed| **claimed == Claimed::Own).count(), 4);
        let running = store.running_matches("t").await.expect("matches");
        assert_eq!(running.len(), 4);
        // A match that was not claimed is not there either.
        let rows = sqlx::query("SELECT id FROM match").fetch_all(&store.pool).await.expect("matches");
        let stored: BTreeSet<String> = rows.iter().map(|row| row.get(0)).collect();
        assert_eq!(stored, running.iter().cloned().collect());
        let tournament = store.tournament("t").await.expect("an answer").expect("the tournament");
        assert_eq!(tournament.live, 4);
        assert_eq!(store.open_fixtures("t", 10).await.expect("fixtures").len(), 2);
        store.close().await;
    });
}

#[test]
fn nothing_of_a_deal_is_known_before_all_its_matches_are_over_not_even_by_ratings() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        store
            .create_tournament(&NewTournament { at_once: 6, ..tournament(Deals::Duplicate) })
            .await
            .expect("a tournament");
        for place in 0..6 {
            let claimed = store.claim_fixture(&of_fixture(place), "t", place).await.expect("an answer");
            assert_eq!(claimed, Claimed::Own);
        }
        for place in 0..6 {
            assert_eq!(rated(&store).await, [], "{place}");
            store.finish(&format!("f{place}"), 1, "terminal", outcome([100, 0])).await.expect("the end");
            let first = store.find("f0").await.expect("an answer").expect("a match");
            assert_eq!(first.shared.deal, place < 5, "{place}");
            assert!(first.shared.seed, "the first deal has the seed of the tournament");
        }
        assert_eq!(rated(&store).await.iter().map(|one| one.matches).collect::<Vec<_>>(), [4, 4, 4]);
        store.conclude_tournament("t").await.expect("the end");
        let first = store.find("f0").await.expect("an answer").expect("a match");
        assert!(!first.shared.seed);
        let fixtures = store.fixtures("t", 0, 10).await.expect("fixtures");
        for (place, stored) in fixtures.iter().enumerate() {
            let result = stored.result.as_ref().expect("a result");
            assert_eq!((result.index, &result.seats), (place as u64, &stored.fixture.seats));
            assert_eq!((result.goals.as_deref(), &*result.no_moves), (Some(&[100, 0][..]), &[1, 0][..]));
        }
        store.close().await;
    });
}

#[test]
fn a_tournament_that_is_ended_rates_what_was_played_and_makes_no_other_match() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        store.create_tournament(&tournament(Deals::Duplicate)).await.expect("a tournament");
        for place in 0..2 {
            store.claim_fixture(&of_fixture(place), "t", place).await.expect("an answer");
        }
        store.finish("f0", 1, "terminal", outcome([100, 0])).await.expect("the end");
        assert!(store.abort_tournament("t").await.expect("an answer"));
        assert!(!store.abort_tournament("t").await.expect("an answer"), "once");
        assert_eq!(rated(&store).await, [], "one match of the deal runs still");
        let refused = store.claim_fixture(&of_fixture(2), "t", 2).await.expect("an answer");
        assert_eq!(refused, Claimed::Full);
        store.finish("f1", 1, "aborted", json!({ "goals": null }).to_string()).await.expect("the end");
        assert_eq!(rated(&store).await.len(), 2);
        let tournament = store.tournament("t").await.expect("an answer").expect("the tournament");
        assert!(tournament.is_over());
        store.close().await;
    });
}
