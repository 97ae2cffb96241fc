//! CPU time and memory of a process.

use std::fs;
use std::path::Path;

use crate::error::{Context, Result};

/// Returns the total CPU time of the process's current threads, in seconds. The kernel's value for
/// a thread is exact while the thread waits.
pub(crate) fn cpu(process: u32) -> Result<f64> {
    let tasks = format!("/proc/{process}/task");
    let mut nanoseconds = 0.0;
    for task in fs::read_dir(&tasks).context(&tasks)? {
        let file = task?.path().join("schedstat");
        let text = fs::read_to_string(&file).context(file.display())?;
        nanoseconds += text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    }
    Ok(nanoseconds / 1e9)
}

/// Returns the CPU time of a process and of its children that have ended, in seconds. The kernel
/// states it in hundredths of a second.
pub(crate) fn cpu_with_ended_children(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/stat");
    let stat = Stat::parse(&fs::read_to_string(&file).context(&file)?).context(&file)?;
    Ok(stat.ticks / TICKS_PER_SECOND)
}

/// Returns true if a process has children, or children that have ended but whose CPU time it does
/// not have yet.
pub(crate) fn has_children(process: u32) -> Result<bool> {
    for entry in fs::read_dir("/proc").context("/proc")? {
        let name = entry?.file_name();
        let is_process = name.to_str().is_some_and(|name| name.bytes().all(|octet| octet.is_ascii_digit()));
        // Processes may end while they are listed.
        let stat = is_process.then(|| fs::read_to_string(Path::new("/proc").join(name).join("stat")).ok());
        if let Some(text) = stat.flatten().filter(|text| !text.is_empty())
            && Stat::parse(&text)?.parent == process
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The fields of `/proc/PID/stat` that are needed here.
#[derive(Debug, PartialEq)]
struct Stat {
    parent: u32,
    /// The CPU time of the process and of its children that have ended.
    ticks: f64,
}

impl Stat {
    fn parse(text: &str) -> Result<Self> {
        // The name of the program, in parentheses, may contain spaces and parentheses.
        let fields: Vec<&str> =
            text.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let (Some(parent), Some(times)) = (fields.get(1), fields.get(11..15)) else {
            return Err(format!("unexpected line '{}'", text.trim()).into());
        };
        let ticks: f64 = times.iter().map(|ticks| ticks.parse::<f64>()).sum::<std::result::Result<_, _>>()?;
        Ok(Self { parent: parent.parse()?, ticks })
    }
}

/// Returns the process's anonymous memory in bytes.
pub(crate) fn memory(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/smaps_rollup");
    let text = fs::read_to_string(&file).context(&file)?;
    bytes_of(&file, &text, "Anonymous:")
}

/// The memory of a process in bytes.
pub(crate) struct ProcessMemory {
    /// The size of its address space.
    pub(crate) size: f64,
    /// The resident part.
    pub(crate) rss: f64,
    /// The resident part, with shared pages divided by the number of processes that share them.
    pub(crate) pss: f64,
    /// The resident part that no other process shares.
    pub(crate) private: f64,
}

/// Returns the memory of a process.
pub(crate) fn process_memory(process: u32) -> Result<ProcessMemory> {
    let (status, rollup) = (format!("/proc/{process}/status"), format!("/proc/{process}/smaps_rollup"));
    let status_text = fs::read_to_string(&status).context(&status)?;
    let text = fs::read_to_string(&rollup).context(&rollup)?;
    let of = |name| bytes_of(&rollup, &text, name);
    Ok(ProcessMemory {
        size: bytes_of(&status, &status_text, "VmSize:")?,
        rss: of("Rss:")?,
        pss: of("Pss:")?,
        private: of("Private_Clean:")? + of("Private_Dirty:")?,
    })
}

/// Returns the number of established TCP connections in the network namespace of a process.
pub(crate) fn established_connections(process: u32) -> Result<usize> {
    let mut count = 0;
    for name in ["tcp", "tcp6"] {
        // Without IPv6, the second file does not exist.
        let text = fs::read_to_string(format!("/proc/{process}/net/{name}")).unwrap_or_default();
        count += text.lines().filter(|line| line.split_whitespace().nth(3) == Some("01")).count();
    }
    Ok(count)
}

/// Sets the peak of the process's resident memory to its present value, which it returns in bytes.
pub(crate) fn reset_peak(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/clear_refs");
    fs::write(&file, "5").context(&file)?;
    peak(process)
}

/// Returns the peak of the process's resident memory in bytes, since [`reset_peak`].
pub(crate) fn peak(process: u32) -> Result<f64> {
    let file = format!("/proc/{process}/status");
    let text = fs::read_to_string(&file).context(&file)?;
    bytes_of(&file, &text, "VmHWM:")
}

/// Returns the number of octets that a process has passed to write calls. Datagrams do not count.
pub(crate) fn octets_written(process: u32) -> Result<usize> {
    let path = format!("/proc/{process}/io");
    let text = fs::read_to_string(&path).context(&path)?;
    let octets =
        text.lines().find_map(|line| line.strip_prefix("wchar: ")).ok_or("no wchar").context(&path)?;
    Ok(octets.trim().parse()?)
}

/// Returns the bytes in the line of a file that begins with `name`, in units of 1024 bytes there.
fn bytes_of(file: &str, text: &str, name: &str) -> Result<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kibibytes = kibibytes.ok_or_else(|| format!("{file} has no line that begins with \"{name}\""))?;
    Ok(kibibytes.trim().parse::<f64>()? * 1024.0)
}

/// The unit of CPU times in `/proc/PID/stat`.
const TICKS_PER_SECOND: f64 = 100.0;

#[cfg(test)]
mod tests {
    use super::Stat;

    #[test]
    fn cpu_time_contains_that_of_ended_children() {
        let text = "42 (a (b) c) S 7 42 42 0 -1 4194560 1 2 3 4 10 20 300 4000 20 0 1 0 5 6 7\n";
        assert_eq!(Stat::parse(text).ok(), Some(Stat { parent: 7, ticks: 4330.0 }));
    }

    #[test]
    fn incomplete_line_is_rejected() {
        for text in ["", "42 sshd S 7", "42 (sshd) S 7 42 42 0 -1 4194560 1 2 3 4 10 20 300"] {
            assert!(Stat::parse(text).is_err(), "{text}");
        }
    }
}
