//! A PostgreSQL of the tests' own: Debian's package in a temporary folder, reached by a socket in it and by nothing else.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio, id},
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

/// How long the database may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A database server that runs as long as the tests do.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    programs: PathBuf,
    databases: AtomicU32,
    /// Its end of input is what stops the server, however the tests end.
    _guard: Child,
}

static SHARED: LazyLock<Option<Postgres>> = LazyLock::new(Postgres::start);

/// The URL of an empty database on the server that all tests of a program share; `None` where PostgreSQL is not installed.
///
/// # Panics
/// If PostgreSQL is installed and does not start, or if it is not installed and `CROUPIER_POSTGRES` says that it must be.
#[must_use]
pub fn empty_database() -> Option<String> {
    let server = SHARED.as_ref();
    assert!(
        server.is_some() || env::var_os("CROUPIER_POSTGRES").is_none(),
        "PostgreSQL is not installed: apt-get install postgresql"
    );
    server.map(Postgres::database)
}

/// Carries out a statement in a database of [`empty_database`].
///
/// # Panics
/// If that fails.
pub fn execute(database: &str, statement: &str) {
    let server = SHARED.as_ref().expect("a database is one of this server");
    run(Command::new(server.programs.join("psql")).args(["--quiet", "--command", statement, database]));
}

impl Postgres {
    fn start() -> Option<Self> {
        let programs = programs()?;
        let folder = env::temp_dir().join(format!("croupier-postgres-{}", id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(&folder));
        }
        let data = folder.join("data");
        let mut init = unprivileged(&programs.join("initdb"));
        run(init.args(["--auth=trust", "--username=postgres", "--no-sync", "--pgdata"]).arg(&data));
        // The shell waits for the end of its input, which comes when this process ends in whatever way.
        let script = "\"$@\" >\"$LOG\" 2>&1 & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf \"$FOLDER\"";
        let serve = unprivileged(&programs.join("postgres"));
        let mut guard = Command::new("sh");
        guard.args(["-c", script, "sh"]).arg(serve.get_program()).args(serve.get_args());
        guard.arg("-D").arg(&data).args(["-c", "listen_addresses=", "-c", "max_connections=200", "-c"]);
        guard.arg(format!("unix_socket_directories={}", folder.display()));
        guard.env("LOG", folder.join("log")).env("FOLDER", &folder);
        let guard = guard.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let guard = guard.expect("a shell");
        let server = Self { folder, programs, databases: AtomicU32::new(0), _guard: guard };
        server.wait();
        Some(server)
    }

    fn wait(&self) {
        const PAUSE: Duration = Duration::from_millis(50);
        let mut told = String::new();
        for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
            let mut ready = Command::new(self.programs.join("pg_isready"));
            match ready.arg("--host").arg(&self.folder).output() {
                Ok(output) if output.status.success() => return,
                Ok(output) => told = format!("{output:?}"),
                Err(error) => told = error.to_string(),
            }
            thread::sleep(PAUSE);
        }
        panic!("{told}\n{}", fs::read_to_string(self.folder.join("log")).unwrap_or_default());
    }

    fn database(&self) -> String {
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut create = Command::new(self.programs.join("createdb"));
        run(create.args(["--username=postgres", "--host"]).arg(&self.folder).arg(&name));
        format!("postgres://postgres@localhost/{name}?host={}", self.folder.display())
    }
}

/// Where the programs of PostgreSQL are: its own folder, which Debian keeps out of the path.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    // The newest first; the path may hold only some of the programs.
    folders.sort();
    folders.reverse();
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let has_all = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_isready", "createdb", "psql"]
            .iter()
            .all(|program| folder.join(program).exists())
    };
    folders.into_iter().find(has_all)
}

fn is_root() -> bool {
    let user = Command::new("id").arg("-u").output();
    user.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// A program of PostgreSQL, which refuses to be run by root: the package's own user runs it then.
fn unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command
}

fn run(command: &mut Command) {
    let output = command.current_dir("/").output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}
