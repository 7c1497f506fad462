//! What a process did to its files and told others, in the order in which it did it, as `strace` saw it.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

/// What is asked of `strace`: whole buffers in hexadecimal, and the paths of descriptors.
pub(crate) const ARGUMENTS: [&str; 9] =
    ["-f", "-y", "-xx", "-s", "10000000", "--seccomp-bpf", "-e", CALLS, "--output=trace"];

const CALLS: &str = "trace=openat,pwrite64,ftruncate,unlink,fsync,fdatasync,write,writev,sendto,sendmsg,pwritev,rename,fallocate";

/// One thing that was done.
#[derive(Clone, Debug)]
pub(crate) enum Deed {
    Create {
        file: String,
    },
    Write {
        file: String,
        offset: usize,
        bytes: Vec<u8>,
    },
    Truncate {
        file: String,
        length: usize,
    },
    Unlink {
        file: String,
    },
    Sync {
        file: String,
    },
    /// Of the folder: files that were made and removed.
    SyncFolder,
    /// Bytes for somebody else, over this connection.
    Tell {
        to: String,
        bytes: Vec<u8>,
    },
}

/// Whether there is an `strace` that may trace.
pub(crate) fn is_there() -> bool {
    let is_there = Command::new("strace").args(["-o", "/dev/null", "true"]).status();
    is_there.is_ok_and(|status| status.success())
}

/// Reads a trace: what was done to the files of one database, and what was told.
pub(crate) fn read(path: &Path, database: &str) -> Vec<Deed> {
    let text = fs::read_to_string(path).unwrap();
    let mut begun: BTreeMap<&str, String> = BTreeMap::new();
    let mut deeds = Vec::new();
    for line in text.lines() {
        let Some((process, call)) = line.split_once(' ') else { continue };
        let call = call.trim_start();
        if let Some((head, _)) = call.split_once(" <unfinished ...>") {
            // What is written may be on the disk from now on; what is synced is from the end of the call on.
            let is_sync = head.starts_with("fsync") || head.starts_with("fdatasync");
            if is_sync {
                begun.insert(process, head.to_owned());
            } else {
                deeds.extend(deed(head, database));
            }
        } else if call.starts_with("<...") {
            let synced = begun.remove(process).filter(|_| call.ends_with("= 0"));
            deeds.extend(synced.and_then(|head| deed(&head, database)));
        } else {
            deeds.extend(deed(call, database));
        }
    }
    deeds
}

fn deed(call: &str, database: &str) -> Option<Deed> {
    let (name, rest) = call.split_once('(')?;
    if rest.contains(") = -1 ") {
        return None;
    }
    let texts = quoted(rest);
    // Paths of descriptors are in angle brackets, others in quotes.
    let path = match name {
        "openat" | "unlink" => String::from_utf8(texts.first()?.clone()).ok()?,
        _ => String::from_utf8(unescaped(rest.split_once('<')?.1.split_once('>')?.0)).ok()?,
    };
    let file = path.rsplit('/').next().filter(|file| {
        let ending = file.strip_prefix(database);
        ending.is_some_and(|ending| ["", "-wal", "-journal"].contains(&ending))
    });
    let number = |text: &str| text.trim().trim_end_matches(')').trim().parse().ok();
    let arguments = rest.rsplit_once(") = ").map_or(rest, |(arguments, _)| arguments);
    let Some(file) = file.map(str::to_owned) else {
        return match name {
            "fsync" if !path.contains(database) => Some(Deed::SyncFolder),
            "write" | "writev" | "sendto" | "sendmsg"
                if path.starts_with("socket:") || path.starts_with("TCP") =>
            {
                Some(Deed::Tell { to: path, bytes: texts.concat() })
            }
            _ => None,
        };
    };
    Some(match name {
        "openat" if rest.contains("O_CREAT") => Deed::Create { file },
        "unlink" => Deed::Unlink { file },
        "fsync" | "fdatasync" => Deed::Sync { file },
        "ftruncate" => Deed::Truncate { file, length: number(arguments.rsplit(',').next()?)? },
        "pwrite64" => {
            Deed::Write { file, offset: number(arguments.rsplit(',').next()?)?, bytes: texts.concat() }
        }
        "write" | "pwritev" | "rename" | "fallocate" => {
            panic!("a call that is not modelled: {name} of {file}")
        }
        _ => return None,
    })
}

fn quoted(text: &str) -> Vec<Vec<u8>> {
    text.split('"').skip(1).step_by(2).map(unescaped).collect()
}

/// Bytes that are written as `\x` and two digits each.
fn unescaped(text: &str) -> Vec<u8> {
    let digits: String = text.split("\\x").collect();
    hex::decode(digits).unwrap_or_else(|_| text.as_bytes().to_vec())
}
