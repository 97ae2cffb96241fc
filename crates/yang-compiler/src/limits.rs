//! Limits of this process, so that a module cannot exhaust the machine.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Limits the memory and the processor time of this process. A limit that is lower already stays.
pub(crate) fn limit_resources() {
    // The soft limit of the processor time ends the process with a signal of its own, SIGXCPU.
    for (resource, soft, hard) in [
        (Resource::As, MAX_MEMORY, MAX_MEMORY),
        (Resource::Cpu, MAX_SECONDS, MAX_SECONDS + 5),
        (Resource::Core, 0, 0),
    ] {
        // A process may always lower its limits.
        let _ = setrlimit(resource, lower(getrlimit(resource), soft, hard));
    }
}

/// Returns limits that are at most these.
fn lower(known: Rlimit, soft: u64, hard: u64) -> Rlimit {
    let least = |known: Option<u64>, limit: u64| Some(known.map_or(limit, |known| limit.min(known)));
    Rlimit { current: least(known.current, soft), maximum: least(known.maximum, hard) }
}

/// Maximum size of the address space, in bytes.
const MAX_MEMORY: u64 = 2 << 30;
/// Maximum processor time, in seconds.
const MAX_SECONDS: u64 = 120;

#[cfg(test)]
mod tests {
    use super::{Rlimit, lower};

    #[test]
    fn limits_are_lowered_and_never_raised() {
        let limit = |current, maximum| Rlimit { current, maximum };
        assert_eq!(lower(limit(None, None), 120, 125), limit(Some(120), Some(125)));
        assert_eq!(lower(limit(Some(7), None), 120, 125), limit(Some(7), Some(125)));
        assert_eq!(lower(limit(Some(7), Some(9)), 120, 125), limit(Some(7), Some(9)));
    }
}
