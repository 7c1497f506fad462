//! What a store promises, the same for SQLite and PostgreSQL.

use std::{
    env, fs,
    future::Future,
    path::PathBuf,
    process,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use croupier_tests::postgres::empty_database;
use tokio::{runtime::Runtime, time::sleep};

use crate::setup::StoredSetup;

use super::{Claim, LEASE, NewMatch, Renewal, Store, StoreError, StorePlace};

/// A test on one kind of store after the other.
pub(super) fn on_each<F: Future<Output = ()>>(test: impl Fn(StorePlace) -> F) {
    let runtime = Runtime::new().expect("a runtime");
    let folder = folder();
    runtime.block_on(test(StorePlace::Sqlite(folder.join("a ? b%#.db"))));
    fs::remove_dir_all(folder).expect("the folder of the test");
    if let Some(url) = empty_database() {
        runtime.block_on(test(StorePlace::Postgres(url)));
    }
}

fn folder() -> PathBuf {
    static FOLDERS: AtomicU32 = AtomicU32::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = env::temp_dir().join(format!("croupier-store-{}-{number}", process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    folder
}

pub(super) async fn open(place: &StorePlace, replica: &str) -> Store {
    Store::open(place, replica.to_owned(), &format!("http://{replica}")).await.expect("a store")
}

pub(super) fn new(id: &str) -> NewMatch {
    NewMatch {
        id: id.to_owned(),
        game_digest: "digest".to_owned(),
        rules: "(role a)".to_owned(),
        setup: StoredSetup::of_nobody(),
        seed: [7; 32],
        created_ms: 1,
        creator: "operator".to_owned(),
        idempotency: None,
        rating_pool: None,
        tournament: None,
        session: None,
    }
}

fn lines(text: &[&str]) -> Arc<[String]> {
    text.iter().map(|line| (*line).to_owned()).collect()
}

#[test]
fn lines_are_stored_in_order_and_a_line_is_neither_left_out_nor_stored_twice() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        store.create(new("m")).await.expect("a match");
        store.append("m", 1, 0, lines(&["a", "b"])).await.expect("the first lines");
        store.append("m", 1, 2, lines(&["c"])).await.expect("the next line");
        for first in [0, 2, 4] {
            let again = store.append("m", 1, first, lines(&["x"])).await;
            assert!(matches!(again, Err(StoreError::Fenced)), "{first}: {again:?}");
        }
        assert_eq!(store.record("m").await.expect("a record"), "a\nb\nc\n");
        store.close().await;
    });
}

#[test]
fn many_matches_share_a_commit_and_one_that_is_refused_fails_alone() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        let ids: Vec<String> = (0..100).map(|number| format!("m{number}")).collect();
        for id in &ids {
            store.create(new(id)).await.expect("a match");
        }
        let append = |id: String| {
            let store = store.clone();
            // Every tenth match has another epoch by now.
            let epoch = if id.ends_with('7') { 2 } else { 1 };
            tokio::spawn(async move { (store.append(&id, epoch, 0, lines(&["a"])).await.is_ok(), id) })
        };
        let tasks: Vec<_> = ids.iter().cloned().map(append).collect();
        for task in tasks {
            let (is_stored, id) = task.await.expect("a task");
            assert_eq!(is_stored, !id.ends_with('7'), "{id}");
            assert_eq!(store.record(&id).await.expect("a record"), if is_stored { "a\n" } else { "" });
        }
        store.close().await;
    });
}

#[test]
fn the_end_of_a_match_is_noted_once() {
    on_each(|place| async move {
        let store = open(&place, "one").await;
        store.create(new("m")).await.expect("a match");
        store.finish("m", 1, "terminal", "first".to_owned()).await.expect("the end");
        store.finish("m", 1, "aborted", "second".to_owned()).await.expect("no other end");
        let stored = store.find("m").await.expect("an answer").expect("the match");
        assert_eq!((stored.status.as_str(), stored.outcome.as_deref()), ("terminal", Some("first")));
        assert!(store.reclaim("m").await.expect("an answer").is_none(), "it is over");
        store.close().await;
    });
}

#[test]
fn a_commit_that_fails_does_not_spoil_those_after_it() {
    let runtime = Runtime::new().expect("a runtime");
    let folder = folder();
    let place = StorePlace::Sqlite(folder.join("croupier.db"));
    runtime.block_on(async {
        let store = open(&place, "one").await;
        store.create(new("m")).await.expect("a match");
        // For each connection there is now the disk is full; those made later find it as it is.
        let mut connections = Vec::new();
        while connections.len() < store.pool.options().get_max_connections() as usize {
            let mut connection = store.pool.acquire().await.expect("a connection");
            sql!(execute(&mut *connection), "PRAGMA max_page_count = 1").expect("a limit");
            connections.push(connection);
        }
        drop(connections);
        let long = "a".repeat(100_000);
        let mut again = Err(StoreError::Closed);
        for _ in 0..=store.pool.options().get_max_connections() {
            again = store.append("m", 1, 0, lines(&[&long])).await;
            if again.is_ok() {
                break;
            }
        }
        again.expect("a disk with room again");
        assert_eq!(store.record("m").await.expect("a record"), format!("{long}\n"));
        store.close().await;
    });
    fs::remove_dir_all(folder).expect("the folder of the test");
}

/// Which matches were claimed, and their epochs.
fn told(claims: &[Claim]) -> Vec<(&str, u64)> {
    claims.iter().map(|claim| (claim.id.as_str(), claim.epoch)).collect()
}

#[test]
fn whoever_goes_on_with_a_match_is_the_only_one_that_writes_it() {
    on_each(|place| async move {
        let first = open(&place, "first").await;
        first.create(new("m")).await.expect("a match");
        first.append("m", 1, 0, lines(&["a"])).await.expect("a line");
        assert_eq!(told(&first.claim().await.expect("an answer")), [], "its server lives");
        let again = first.reclaim("m").await.expect("an answer");
        assert_eq!(told(again.as_slice()), [("m", 2)]);
        let late = first.append("m", 1, 1, lines(&["b"])).await;
        assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
        first.append("m", 2, 1, lines(&["c"])).await.expect("a line of the new epoch");
        first.close().await;
        let second = open(&place, "second").await;
        assert_eq!(told(&second.claim().await.expect("an answer")), [("m", 3)]);
        second.append("m", 3, 2, lines(&["d"])).await.expect("a line of the new owner");
        assert_eq!(second.record("m").await.expect("a record"), "a\nc\nd\n");
        second.close().await;
    });
}

#[test]
fn matches_are_taken_over_when_the_lease_of_their_server_has_run_out_and_not_before() {
    let runtime = Runtime::new().expect("a runtime");
    let Some(url) = empty_database() else { return };
    let place = StorePlace::Postgres(url);
    runtime.block_on(async {
        let (dead, alive, other) =
            (open(&place, "dead").await, open(&place, "alive").await, open(&place, "other").await);
        dead.create(new("orphan")).await.expect("a match");
        alive.create(new("kept")).await.expect("a match");
        assert_eq!(told(&other.claim().await.expect("an answer")), [], "both live");
        assert_eq!(other.elsewhere("kept").await.expect("an answer").as_deref(), Some("http://alive"));
        for _ in 0..8 {
            sleep(LEASE / 6).await;
            alive.renew().await.expect("a lease");
            other.renew().await.expect("a lease");
        }
        let (one, two) = tokio::join!(alive.claim(), other.claim());
        let mut claims = one.expect("an answer");
        claims.append(&mut two.expect("an answer"));
        assert_eq!(told(&claims), [("orphan", 2)], "one of the two has it");
        let late = dead.append("orphan", 1, 0, lines(&["a"])).await;
        assert!(matches!(late, Err(StoreError::Fenced)), "{late:?}");
        let end = dead.finish("orphan", 1, "aborted", "{}".to_owned()).await;
        assert!(matches!(end, Err(StoreError::Fenced)), "{end:?}");
        assert!(dead.find("orphan").await.expect("an answer").expect("the match").outcome.is_none());
        let tenure = dead.tenure();
        assert!(!tenure.is_held(), "it knows without asking");
        assert_eq!(dead.renew().await.expect("a lease"), Renewal::TooLate);
        assert!(!tenure.is_held() && dead.tenure().is_held());
        assert_eq!(told(&dead.reclaim_all().await.expect("an answer")), [], "another has it");
    });
}

#[test]
fn a_file_belongs_to_one_server_and_a_password_is_not_shown() {
    let runtime = Runtime::new().expect("a runtime");
    let folder = folder();
    let place = StorePlace::Sqlite(folder.join("croupier.db"));
    runtime.block_on(async {
        let store = open(&place, "one").await;
        let second = Store::open(&place, "two".to_owned(), "http://two").await;
        assert!(matches!(second, Err(StoreError::Taken)));
        store.close().await;
        drop(store);
        open(&place, "two").await.close().await;
    });
    fs::remove_dir_all(folder).expect("the folder of the test");
    let secret: StorePlace =
        "postgres://user:pass@db.example/croupier?sslmode=require".parse().expect("a place");
    assert_eq!(secret.to_string(), "postgres://db.example/croupier");
}
