//! What this process takes of the machine, under the names that Prometheus gives such numbers.
//!
//! They are read from `/proc` when somebody asks for them; where there is none, they are left out.

use std::fs;

use prometheus_client::{
    metrics::{counter::ConstCounter, gauge::ConstGauge},
    registry::{Registry, Unit},
};

/// What the process takes now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    cpu_seconds: f64,
    resident_bytes: i64,
    virtual_bytes: i64,
    open_files: i64,
    open_files_max: i64,
    threads: i64,
    start_unix_s: f64,
}

/// Parts of a second in which the kernel counts processor time for programs: the same on every processor that Rust knows.
const TICKS_PER_S: f64 = 100.0;

impl Taken {
    /// What the process takes now; nothing where the system does not tell.
    pub(crate) fn now() -> Option<Self> {
        let read = |name: &str| fs::read_to_string(format!("/proc/{name}")).ok();
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count();
        let (status, stat) = (read("self/status")?, read("self/stat")?);
        Self::of(&status, &stat, &read("self/limits")?, &read("stat")?, open_files)
    }

    fn of(status: &str, stat: &str, limits: &str, system: &str, open_files: usize) -> Option<Self> {
        let field = |text: &str, name: &str| -> Option<i64> {
            let line = text.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        // Behind the name of the program, which may have anything in it.
        let numbers: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = |place: usize| numbers.get(place)?.parse::<f64>().ok();
        Some(Self {
            // Hundredths would tell how long a secret state takes to compute.
            cpu_seconds: ((ticks(11)? + ticks(12)?) / TICKS_PER_S).floor(),
            resident_bytes: field(status, "VmRSS:")? << 10,
            virtual_bytes: field(status, "VmSize:")? << 10,
            open_files: i64::try_from(open_files).ok()?,
            open_files_max: field(limits, "Max open files").unwrap_or(i64::MAX),
            threads: field(status, "Threads:")?,
            start_unix_s: field(system, "btime")? as f64 + ticks(19)? / TICKS_PER_S,
        })
    }

    /// The numbers, as they are told.
    pub(crate) fn registry(&self) -> Registry {
        let mut registry = Registry::with_prefix("process");
        let cpu = ConstCounter::new(self.cpu_seconds);
        registry.register_with_unit("cpu", "Processor time that this process took", Unit::Seconds, cpu);
        let bytes = |registry: &mut Registry, name: &str, about: &str, value: i64| {
            registry.register_with_unit(name, about, Unit::Bytes, ConstGauge::new(value));
        };
        bytes(&mut registry, "resident_memory", "Memory of this process that is in use", self.resident_bytes);
        bytes(&mut registry, "virtual_memory", "Addresses that this process has", self.virtual_bytes);
        let number = |registry: &mut Registry, name: &str, about: &str, value: i64| {
            registry.register(name, about, ConstGauge::new(value));
        };
        number(&mut registry, "open_fds", "Open files and connections", self.open_files);
        number(&mut registry, "max_fds", "The limit of those", self.open_files_max);
        number(&mut registry, "threads", "Threads of this process", self.threads);
        let start = ConstGauge::new(self.start_unix_s);
        registry.register_with_unit("start_time", "When it started, since 1970", Unit::Seconds, start);
        registry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_says_is_read_whatever_the_program_is_called() {
        let status = "Name:\tx\nVmSize:\t  2048 kB\nVmRSS:\t  1024 kB\nThreads:\t7\n";
        let stat = "1 (a) b) R 0 1 1 0 -1 0 1 2 3 4 250 50 0 0 20 0 7 0 12300 5 6";
        let limits = "Limit   Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n";
        let taken = Taken::of(status, stat, limits, "cpu 1\nbtime 1000\n", 9);
        let expected = Taken {
            cpu_seconds: 3.0,
            resident_bytes: 1 << 20,
            virtual_bytes: 2 << 20,
            open_files: 9,
            open_files_max: 1_024,
            threads: 7,
            start_unix_s: 1_123.0,
        };
        assert_eq!(taken, Some(expected));
    }
}
