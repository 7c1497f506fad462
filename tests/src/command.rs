//! The binary as somebody at a terminal runs it.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

/// Longer than any command of the tests takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The binary, and a folder for the files of one test.
#[derive(Clone, Debug)]
pub struct Program {
    binary: PathBuf,
    folder: PathBuf,
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
        Self { binary: binary.into(), folder }
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

    /// Runs it with these arguments.
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
        command.args(arguments).write_stdin(stdin).timeout(PATIENCE).env_remove("RUST_BACKTRACE");
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
        let shell = Self { binary: "/bin/sh".into(), folder: self.folder.clone() };
        shell.run(&[&["-c", &script, binary], arguments].concat())
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
        assert!(ended.stderr.contains("error["), "{shown:?} says no code: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{shown:?} answers and refuses");
        let is_raw = |c: char| c.is_control() && c != '\n';
        assert!(!ended.stderr.contains(is_raw), "{shown:?} prints control characters: {:?}", ended.stderr);
        ended.stderr
    }
}
