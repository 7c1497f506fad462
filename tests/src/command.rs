//! The binary as somebody at a terminal runs it.

use std::{
    ffi::OsStr,
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Longer than any command of the tests takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The variable that names the folder of what players learn; tests have none but their own.
const SOLUTIONS: &str = "CROUPIER_SOLUTIONS";

/// The binary, and a folder for the files of one test.
#[derive(Clone, Debug)]
pub struct Program {
    binary: PathBuf,
    folder: PathBuf,
    /// Where it keeps what its players learn.
    kept: Option<String>,
}

/// The binary while it runs; it is ended when this is dropped.
#[derive(Debug)]
pub struct Running {
    process: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
}

impl Running {
    /// Sends it a signal, such as `INT`.
    ///
    /// # Panics
    /// If there is no program `kill`.
    pub fn signal(&self, name: &str) {
        let mut kill = Command::new("kill");
        kill.args([format!("-{name}"), self.process.id().to_string()]);
        kill.stderr(Stdio::null()).status().expect("a system with signals");
    }

    /// Whether it has not ended yet.
    ///
    /// # Panics
    /// If the system does not say.
    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("a child of this process").is_none()
    }

    /// How it ended. The exit status of a process that was killed is -1.
    ///
    /// # Panics
    /// If it panicked.
    #[must_use]
    pub fn end(mut self) -> Ended {
        // Waiting would close its input, and the end of that is an answer too.
        let input = self.process.stdin.take();
        let status = self.process.wait().expect("a child of this process");
        drop(input);
        let read = |reader: Option<JoinHandle<String>>| {
            reader.map(|reader| reader.join().expect("pipes are read to their end")).unwrap_or_default()
        };
        let (stdout, stderr) = (read(self.stdout.take()), read(self.stderr.take()));
        assert!(!stderr.contains("panicked"), "{stderr}");
        Ended { code: status.code().unwrap_or(-1), stdout, stderr }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Whether what was written to standard error has an error with a code: as text, or as JSON where the answer would be that.
#[must_use]
pub fn says_code(stderr: &str) -> bool {
    stderr.contains("error[") || stderr.contains("\"schema\":\"croupier/error\"")
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The exit status.
    pub code: i32,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Program {
    /// The program `binary`, with an empty folder of this name below `place`.
    ///
    /// # Panics
    /// If the folder cannot be made.
    #[must_use]
    pub fn new(binary: &str, place: &str, name: &str) -> Self {
        let folder = Path::new(place).join(name);
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an old folder that can be removed");
        }
        fs::create_dir_all(&folder).expect("a folder for files");
        Self { binary: binary.into(), folder, kept: None }
    }

    /// The same, keeping what its players learn in a folder of this name below its own.
    #[must_use]
    pub fn keeping(self, name: &str) -> Self {
        Self { kept: Some(self.path(name)), ..self }
    }

    /// The path of a file in the folder.
    ///
    /// # Panics
    /// If the path is not UTF-8.
    #[must_use]
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("a path in UTF-8").to_owned()
    }

    /// Writes a file in the folder; its path.
    ///
    /// # Panics
    /// If it cannot be written.
    #[must_use]
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).expect("a writable folder");
        path
    }

    /// The contents of a file in the folder.
    ///
    /// # Panics
    /// If it cannot be read.
    #[must_use]
    pub fn contents(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).expect("a file that was written")
    }

    /// Runs it in the folder with these arguments.
    ///
    /// # Panics
    /// If it is killed, hangs, or panics.
    pub fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ended {
        self.run_with(arguments, "")
    }

    /// The same, with a person at the keyboard.
    ///
    /// # Panics
    /// If it is killed, hangs, or panics.
    pub fn run_with(&self, arguments: &[impl AsRef<OsStr>], stdin: impl Into<Vec<u8>>) -> Ended {
        let mut command = assert_cmd::Command::new(&self.binary);
        command.args(arguments).current_dir(&self.folder).write_stdin(stdin);
        command.timeout(PATIENCE).env_remove("RUST_BACKTRACE").env_remove(SOLUTIONS);
        command.envs(self.kept.iter().map(|folder| (SOLUTIONS, folder)));
        let output = command.output().expect("a binary that can be run");
        let shown: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
        let ended = Ended {
            code: output.status.code().unwrap_or_else(|| panic!("{shown:?} was killed or took too long")),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(!ended.stderr.contains("panicked"), "{shown:?} panicked: {}", ended.stderr);
        assert!((0..=2).contains(&ended.code), "{shown:?} ended with status {}", ended.code);
        ended
    }

    /// Runs it with no more than so many bytes of address space, which a shell sees to: a process that asks for more is
    /// aborted.
    ///
    /// # Panics
    /// If it is killed, hangs, or panics.
    #[cfg(target_os = "linux")]
    pub fn run_within(&self, arguments: &[&str], bytes: u64) -> Ended {
        let script = format!("ulimit -v {} && exec \"$0\" \"$@\"", bytes / 1024);
        let binary = self.binary.to_str().expect("a path in UTF-8");
        let shell = Self { binary: "/bin/sh".into(), folder: self.folder.clone(), kept: None };
        shell.run(&[&["-c", &script, binary], arguments].concat())
    }

    /// Starts it with these arguments, to be interrupted.
    ///
    /// # Panics
    /// If it cannot be run.
    #[must_use]
    pub fn start(&self, arguments: &[impl AsRef<OsStr>]) -> Running {
        let mut command = Command::new(&self.binary);
        command
            .env_remove(SOLUTIONS)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = command.spawn().expect("a binary that can be run");
        let (mut stdout, mut stderr) = (process.stdout.take(), process.stderr.take());
        let stdout = thread::spawn(move || {
            let mut text = String::new();
            stdout.as_mut().map(|pipe| pipe.read_to_string(&mut text));
            text
        });
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            stderr.as_mut().map(|pipe| pipe.read_to_string(&mut text));
            text
        });
        Running { process, stdout: Some(stdout), stderr: Some(stderr) }
    }

    /// Runs it where it must succeed; what it wrote.
    ///
    /// # Panics
    /// If it does not.
    pub fn output(&self, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {}{}", ended.stdout, ended.stderr);
        ended.stdout
    }

    /// Runs it where it must refuse, with an error that has a code; what it said.
    ///
    /// # Panics
    /// If it does not, or writes anything else.
    pub fn refusal(&self, arguments: &[impl AsRef<OsStr>]) -> String {
        let shown: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
        let ended = self.run(arguments);
        assert_eq!(ended.code, 2, "{shown:?}: {}{}", ended.stdout, ended.stderr);
        assert!(says_code(&ended.stderr), "{shown:?} says no code: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{shown:?} answers and refuses");
        let is_raw = |c: char| c.is_control() && c != '\n';
        assert!(!ended.stderr.contains(is_raw), "{shown:?} prints control characters: {:?}", ended.stderr);
        ended.stderr
    }
}
