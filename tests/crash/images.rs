//! What a disk may hold after a power failure, for every point of a run: synced writes, and any part of the others.
//!
//! A write that was not synced is there, or not, or torn between two sectors; files that were made or removed without a
//! sync of the folder may still be as they were. Every such image must be a sound database that holds everything that
//! anybody was told before the failure.

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::DefaultHasher},
    fs,
    hash::{Hash as _, Hasher as _},
    path::Path,
    thread,
    time::Duration,
};

use croupier_referee::realtime::is_real_time_record;
use croupier_tests::size;
use sqlx::{Connection as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::runtime::{Builder, Runtime};

use crate::{
    dice::Dice,
    expected::{check, guesses},
    kept::check_all,
    players::Players,
    seats::{Heard, Kind, Seats},
    server::{Home, asked},
    trace::{self, Deed},
};

const DATABASE: &str = "croupier.db";

/// What a disk writes at once.
const SECTOR: usize = 512;

/// Files by name.
type Files = BTreeMap<String, Vec<u8>>;

/// A disk between two syncs.
#[derive(Default)]
struct Disk {
    durable: Files,
    pending: Vec<Deed>,
}

/// What becomes of one deed that was not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    Dropped,
    /// So many sectors of it are written.
    Torn(usize),
}

impl Disk {
    fn take(&mut self, deed: &Deed) {
        let is_name = |deed: &Deed| matches!(deed, Deed::Create { .. } | Deed::Unlink { .. });
        let pending = std::mem::take(&mut self.pending);
        let settles = |other: &Deed| match deed {
            // A file that is synced can be found again.
            Deed::Sync { file } => file_of(other) == file && !matches!(other, Deed::Unlink { .. }),
            Deed::SyncFolder => is_name(other),
            _ => false,
        };
        let (settled, open): (Vec<Deed>, Vec<Deed>) = pending.into_iter().partition(settles);
        settled.iter().for_each(|deed| apply(&mut self.durable, deed, Fate::Kept));
        self.pending = open;
        match deed {
            Deed::Sync { .. } | Deed::SyncFolder | Deed::Tell { .. } => {}
            Deed::Create { file } if self.has(file) => {}
            other => self.pending.push(other.clone()),
        }
    }

    fn has(&self, file: &str) -> bool {
        let named = self.pending.iter().rev().find_map(|deed| match deed {
            Deed::Create { file: other } if other == file => Some(true),
            Deed::Unlink { file: other } if other == file => Some(false),
            _ => None,
        });
        named.unwrap_or_else(|| self.durable.contains_key(file))
    }

    /// The fates of what is pending that are tried at one point.
    fn fates(&self, dice: &mut Dice, subsets: usize) -> Vec<Vec<Fate>> {
        let count = self.pending.len();
        let mut all = vec![vec![Fate::Kept; count], vec![Fate::Dropped; count]];
        for (place, deed) in self.pending.iter().enumerate() {
            let sectors = sectors(deed);
            for fate in [Fate::Dropped].into_iter().chain((1..sectors).map(Fate::Torn)) {
                let mut fates = vec![Fate::Kept; count];
                fates[place] = fate;
                all.push(fates);
            }
        }
        for _ in 0..if count > 1 { subsets } else { 0 } {
            let fate = |deed: &Deed| match dice.below(3) {
                0 => Fate::Kept,
                1 => Fate::Dropped,
                _ => Fate::Torn(usize::try_from(dice.below(sectors(deed) as u64 + 1)).unwrap()),
            };
            all.push(self.pending.iter().map(fate).collect());
        }
        all
    }

    fn image(&self, fates: &[Fate]) -> Files {
        let mut files = self.durable.clone();
        self.pending.iter().zip(fates).for_each(|(deed, fate)| apply(&mut files, deed, *fate));
        files
    }
}

fn file_of(deed: &Deed) -> &str {
    match deed {
        Deed::Create { file }
        | Deed::Write { file, .. }
        | Deed::Truncate { file, .. }
        | Deed::Unlink { file }
        | Deed::Sync { file } => file,
        Deed::SyncFolder | Deed::Tell { .. } => "",
    }
}

/// The number of sectors that a write touches.
fn sectors(deed: &Deed) -> usize {
    match deed {
        Deed::Write { offset, bytes, .. } => (offset + bytes.len()).div_ceil(SECTOR) - offset / SECTOR,
        _ => 1,
    }
}

fn apply(files: &mut Files, deed: &Deed, fate: Fate) {
    if fate == Fate::Dropped {
        return;
    }
    match deed {
        Deed::Create { file } => {
            files.entry(file.clone()).or_default();
        }
        Deed::Unlink { file } => {
            files.remove(file);
        }
        Deed::Truncate { file, length } => files.entry(file.clone()).or_default().resize(*length, 0),
        Deed::Write { file, offset, bytes } => {
            // A file whose name never reached the disk has no content either.
            let Some(content) = files.get_mut(file) else { return };
            let length = match fate {
                Fate::Torn(sectors) => {
                    ((offset / SECTOR + sectors) * SECTOR).saturating_sub(*offset).min(bytes.len())
                }
                _ => bytes.len(),
            };
            let end = offset + length;
            if content.len() < end {
                content.resize(end, 0);
            }
            content[*offset..end].copy_from_slice(&bytes[..length]);
        }
        Deed::Sync { .. } | Deed::SyncFolder | Deed::Tell { .. } => {}
    }
}

/// What somebody knows of the matches.
#[derive(Clone, Debug, Default)]
struct Known {
    /// By id, how many turns, or moves in real time, must be in the record, and whether its end must.
    matches: BTreeMap<String, (usize, bool)>,
    /// Of which real-time match frames are told over a connection.
    connections: BTreeMap<String, String>,
}

impl Known {
    fn learn(&mut self, to: &str, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        if text.contains("\"time\":\"real\"")
            && let Some((_, rest)) = text.split_once("\"match\":\"")
        {
            let id = rest.split('"').next().unwrap_or_default();
            self.connections.insert(to.to_owned(), id.to_owned());
        }
        if let Some(id) = self.connections.get(to) {
            let known = self.matches.entry(id.clone()).or_default();
            known.0 += text.matches("\"type\":\"received\"").count();
            known.1 |= text.contains("\"type\":\"stop\"");
        }
        if let Some((_, body)) = text.split_once("\r\n\r\n(") {
            let mut words = body.split([' ', ')']);
            let (kind, id) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let turn = words.next().and_then(|turn| turn.parse().ok()).unwrap_or(0);
            let known = self.matches.entry(id.to_owned()).or_default();
            *known = (known.0.max(turn), known.1 | (kind == "STOP"));
        }
        for rest in text.split("\"id\":\"").skip(1) {
            self.matches.entry(rest.split('"').next().unwrap_or_default().to_owned()).or_default();
        }
    }
}

/// Opens images and judges them.
struct Judge {
    runtime: Runtime,
    home: Home,
    /// The records as they were at the end.
    whole: BTreeMap<String, String>,
    replayed: BTreeSet<(String, usize)>,
    seen: BTreeSet<u64>,
}

impl Judge {
    /// A judge of images of a database that has come to its end.
    fn new(home: &Home) -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let stored = runtime.block_on(read(&home.folder.join(DATABASE))).unwrap();
        let whole = stored.into_iter().map(|(id, (record, _))| (id, record)).collect();
        Self { runtime, home: home.clone(), whole, replayed: BTreeSet::new(), seen: BTreeSet::new() }
    }

    /// Whether the image is another one than all before.
    fn is_new(&mut self, image: &Files) -> bool {
        let mut hasher = DefaultHasher::new();
        image.hash(&mut hasher);
        self.seen.insert(hasher.finish())
    }

    fn write(&self, image: &Files) {
        for file in ["", "-wal", "-journal", "-shm"].map(|ending| format!("{DATABASE}{ending}")) {
            let path = self.home.folder.join(&file);
            let _ = fs::remove_file(&path);
            if let Some(content) = image.get(&file) {
                fs::write(path, content).unwrap();
            }
        }
    }

    /// Opens an image as a server would, and looks for everything that was told; what is wrong with it, if anything is.
    fn judge(&mut self, image: &Files, known: &Known) -> Result<(), String> {
        self.write(image);
        let path = self.home.folder.join(DATABASE);
        let stored = match self.runtime.block_on(read(&path)) {
            Ok(stored) => stored,
            // Nobody was told of any match, as there was no place for one.
            Err(error) if known.matches.is_empty() && error.to_string().contains("no such table") => {
                return Ok(());
            }
            Err(error) => return Err(error.to_string()),
        };
        for (id, (turns, is_over)) in &known.matches {
            let (text, _) = stored.get(id).ok_or_else(|| format!("the match {id} is gone"))?;
            let has = |event: &str| text.matches(&format!("\"event\":\"{event}\"")).count();
            let (turns_stored, ends_stored) = (has("turn") + has("move"), has("end"));
            if turns_stored < *turns || ends_stored < usize::from(*is_over) {
                return Err(format!(
                    "{id} has {turns_stored} turns and {ends_stored} ends of {turns}, {is_over}"
                ));
            }
        }
        for (id, (text, counted)) in &stored {
            let whole = self.whole.get(id).ok_or_else(|| format!("a match from nowhere: {id}"))?;
            if !whole.starts_with(text) || *counted != text.lines().count() {
                return Err(format!("{id} has other lines, or not as many as counted: {text}"));
            }
            if !text.is_empty() && self.replayed.insert((id.clone(), text.len())) {
                let kind = if is_real_time_record(text.as_bytes()) { Kind::RealTime } else { Kind::Turns };
                guesses(kind, text, "p0");
            }
        }
        Ok(())
    }

    /// Serves an image, and waits until all of its matches are over; how many there are.
    fn serve(&self, image: &Files, run: &Run) -> usize {
        self.write(image);
        let (server, seats) = (self.home.serve().expect("an image that a server starts on"), Seats::new());
        seats.find(&[&server]);
        let (mut connected, ids) = (0, server.list());
        for id in &ids {
            if let Some(seed) = run.called.get(id) {
                let record = server.record(id).expect("a server that lives");
                check(&record, *seed, &run.players.told(id));
            } else {
                seats.play_again(&run.connected[id], run.guesses);
                connected += 1;
            }
        }
        check_all(&seats, &server, connected);
        ids.len()
    }
}

/// By match, the record and the number of its lines that the store has counted.
type Stored = BTreeMap<String, (String, usize)>;

async fn read(path: &Path) -> Result<Stored, sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await?;
    let stored = read_from(&mut connection).await;
    // Whatever it says: a connection that closes later would take the log of the next image with it.
    connection.close().await?;
    stored
}

async fn read_from(connection: &mut SqliteConnection) -> Result<Stored, sqlx::Error> {
    sqlx::query("PRAGMA synchronous = OFF").execute(&mut *connection).await?;
    let sound = sqlx::query("PRAGMA integrity_check").fetch_all(&mut *connection).await?;
    let sound: Vec<String> = sound.iter().map(|row| row.get(0)).collect();
    if sound != ["ok"] {
        return Err(sqlx::Error::Protocol(format!("the database is damaged: {sound:?}")));
    }
    let mut stored = Stored::new();
    let sql = "SELECT match.id, ownership.lines FROM match JOIN ownership ON ownership.match = match.id
        JOIN match_secret ON match_secret.match = match.id JOIN game ON game.digest = match.game";
    for row in sqlx::query(sql).fetch_all(&mut *connection).await? {
        let counted = usize::try_from(row.get::<i64, _>(1)).unwrap();
        stored.insert(row.get::<String, _>(0), (String::new(), counted));
    }
    let lines = sqlx::query("SELECT match, lines FROM journal ORDER BY match, seq");
    for row in lines.fetch_all(&mut *connection).await? {
        let (record, _) = stored.get_mut(&row.get::<String, _>(0)).expect("a record of a match");
        record.push_str(&row.get::<String, _>(1));
        record.push('\n');
    }
    Ok(stored)
}

/// Some matches that were played from an empty folder to an orderly end.
struct Run {
    guesses: u32,
    players: Players,
    /// Matches in turns of players that are called, by id, with their seeds.
    called: BTreeMap<String, u64>,
    /// Real-time matches, by id, with what their players heard.
    connected: BTreeMap<String, Vec<Heard>>,
}

impl Run {
    /// Plays so many matches of each kind; the run, and what the server did to the disk.
    fn new(home: &Home, matches: u64, guesses: u32) -> (Self, Vec<Deed>) {
        let (players, seats) = (Players::start(2, Duration::ZERO), Seats::new());
        let mut server = home.serve_traced(&trace::ARGUMENTS).expect("a server");
        seats.find(&[&server]);
        let (mut called, mut connected) = (BTreeMap::new(), BTreeMap::new());
        for seed in 0..matches {
            called.insert(server.create(&asked(&players, guesses, seed)).expect("a match"), seed);
            let id = seats.play(&server, Kind::RealTime, guesses, seed).expect("a match");
            connected.insert(id, Vec::new());
        }
        for id in called.keys() {
            server.record(id).expect("a record");
        }
        for heard in seats.heard(connected.len()) {
            connected.entry(heard.id.clone()).or_insert_with(Vec::new).push(heard);
        }
        server.signal_traced("INT");
        while server.has_ended().is_none() {
            thread::sleep(Duration::from_millis(10));
        }
        (Self { guesses, players, called, connected }, trace::read(&home.folder.join("trace"), DATABASE))
    }

    /// What is known of the matches when they are over.
    fn whole(&self) -> BTreeMap<String, (usize, bool)> {
        let turns = self.guesses as usize;
        let called = self.called.keys().map(|id| (id.clone(), (turns, true)));
        called.chain(self.connected.keys().map(|id| (id.clone(), (2 * turns, true)))).collect()
    }
}

/// A failure of the power.
struct Failure<'f> {
    /// The call that was the last.
    call: usize,
    disk: &'f Disk,
    fates: &'f [Fate],
    known: &'f Known,
}

/// Every failure that is tried, in order; what was told in the whole run, the last deeds of which may be telling.
fn walk(deeds: &[Deed], subsets: usize, mut visit: impl FnMut(Failure<'_>)) -> Known {
    let (mut disk, mut known, mut dice) = (Disk::default(), Known::default(), Dice::new(1));
    for (call, deed) in deeds.iter().enumerate() {
        disk.take(deed);
        if let Deed::Tell { to, bytes } = deed {
            known.learn(to, bytes);
            continue;
        }
        for fates in &disk.fates(&mut dice, subsets) {
            visit(Failure { call, disk: &disk, fates, known: &known });
        }
    }
    known
}

/// A disk that stops to keep what is synced, as soon as anybody was told anything, is seen as such: the judge is not blind.
fn loses_what_is_never_synced(judge: &mut Judge, deeds: &[Deed]) {
    let (mut disk, mut known) = (Disk::default(), Known::default());
    for deed in deeds {
        match deed {
            Deed::Tell { to, bytes } => known.learn(to, bytes),
            Deed::Sync { .. } | Deed::SyncFolder if !known.matches.is_empty() => {}
            other => disk.take(other),
        }
    }
    let kept = vec![Fate::Kept; disk.pending.len()];
    judge.judge(&disk.image(&kept), &known).expect("a disk that was not cut off");
    let dropped = vec![Fate::Dropped; disk.pending.len()];
    let loss =
        judge.judge(&disk.image(&dropped), &known).expect_err("a disk that keeps nothing loses something");
    assert!(loss.ends_with("is gone") || loss.contains(" turns and "), "{loss}");
}

#[test]
fn whatever_a_power_failure_leaves_on_the_disk_holds_everything_that_was_told() {
    if !trace::is_there() {
        return println!("skipped: there is no strace that may trace");
    }
    let (images_max, matches, guesses, subsets, served) = size((400, 2, 3, 2, 2), (25_000, 20, 8, 16, 200));
    let home = Home::new("images", DATABASE);
    let (run, deeds) = Run::new(&home, matches, guesses);
    let mut judge = Judge::new(&home);
    assert_eq!(judge.whole.len(), run.whole().len());
    let mut all = 0;
    walk(&deeds, subsets, |_| all += 1);
    let (mut place, mut judged, mut gone_on) = (0, 0, 0);
    let stride = (all / images_max).max(1);
    let told = walk(&deeds, subsets, |failure| {
        place += 1;
        let image = failure.disk.image(failure.fates);
        if place % stride != 0 || !judge.is_new(&image) {
            return;
        }
        if let Err(error) = judge.judge(&image, failure.known) {
            panic!("call {} of {}, {:?}: {error}", failure.call, deeds.len(), failure.fates);
        }
        judged += 1;
        if judged % (images_max / served) == 0 {
            gone_on += judge.serve(&image, &run);
        }
    });
    assert_eq!(told.matches.len(), run.whole().len());
    for (id, (moves, _)) in run.whole() {
        let (known, is_over) = told.matches[&id];
        // On a busy machine a player connects anew, and what it is told then is not known to be of this match.
        let is_known =
            known == moves || (run.connected.contains_key(&id) && (moves / 2..moves).contains(&known));
        assert!(is_over && is_known, "{id}: {known} of {moves}");
    }
    loses_what_is_never_synced(&mut judge, &deeds);
    let syncs = deeds.iter().filter(|deed| matches!(deed, Deed::Sync { .. })).count();
    println!(
        "{} calls, {syncs} of them syncs; {all} images, {judged} different ones judged; {gone_on} matches gone on with: 0 violations",
        deeds.len()
    );
    assert!(judged > images_max / 2, "{judged} images");
}
