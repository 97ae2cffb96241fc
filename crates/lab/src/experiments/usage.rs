//! CPU time and memory of a process.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use portreeve_sys::process_cpu_time;

use crate::error::{Context, Result};

/// Returns the CPU time of all threads of a process, with those that have ended, in seconds: that
/// of the process's CPU clock, which has a resolution of one nanosecond. It is exact while the
/// threads wait.
pub(crate) fn cpu(process: u32) -> Result<f64> {
    Ok(process_cpu_time(process).context(format!("the CPU time of process {process}"))?.as_secs_f64())
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

/// Returns the number of established TCP connections of a process. The kernel establishes
/// connections before a listener accepts them: these do not count.
pub(crate) fn established_connections(process: u32) -> Result<usize> {
    Ok(connection_inodes(process)?.len())
}

/// Returns the inodes of the established TCP connections of which a process has a descriptor.
fn connection_inodes(process: u32) -> Result<HashSet<String>> {
    let mut established = HashSet::new();
    for name in ["tcp", "tcp6"] {
        // Without IPv6, the second file does not exist.
        let text = fs::read_to_string(format!("/proc/{process}/net/{name}")).unwrap_or_default();
        established.extend(established_inodes(&text).map(str::to_owned));
    }
    let directory = format!("/proc/{process}/fd");
    let mut inodes = HashSet::new();
    for entry in fs::read_dir(&directory).context(&directory)? {
        // The process may close descriptors while they are listed.
        let Ok(target) = fs::read_link(entry?.path()) else { continue };
        let target = target.to_string_lossy();
        let inode = target.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']'));
        inodes.extend(inode.filter(|inode| established.contains(*inode)).map(str::to_owned));
    }
    Ok(inodes)
}

/// Returns the inodes of the established connections in `/proc/net/tcp`.
fn established_inodes(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        (fields.get(3) == Some(&ESTABLISHED)).then(|| fields.get(9).copied())?
    })
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

/// The state of an established connection in `/proc/net/tcp`.
const ESTABLISHED: &str = "01";

/// The unit of CPU times in `/proc/PID/stat`.
const TICKS_PER_SECOND: f64 = 100.0;

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;
    use std::{fs, process};

    use super::{Stat, connection_inodes};

    #[test]
    fn only_established_connections_of_the_process_count() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let inode = |socket: &dyn AsRawFd| {
            let link = fs::read_link(format!("/proc/self/fd/{}", socket.as_raw_fd())).unwrap();
            link.to_str().unwrap().trim_start_matches("socket:[").trim_end_matches(']').to_owned()
        };
        let counts = |inode: &String| connection_inodes(process::id()).ok().unwrap().contains(inode);
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        assert!(!counts(&inode(&listener)));
        assert!(counts(&inode(&client)));
        // The connection that waits for the listener has no inode yet.
        assert!(!counts(&"0".to_owned()));
        let (accepted, _) = listener.accept().unwrap();
        let accepted_inode = inode(&accepted);
        assert!(counts(&accepted_inode));
        drop(client);
        drop(accepted);
        assert!(!counts(&accepted_inode));
    }

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
