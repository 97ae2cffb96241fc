//! Limits of this process, so that a module cannot exhaust the machine.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Limits the memory and the processor time of this process. A limit that is lower already stays.
pub(crate) fn limit_resources() {
    for (resource, limit) in [(Resource::As, MAX_MEMORY), (Resource::Cpu, MAX_SECONDS), (Resource::Core, 0)] {
        let Rlimit { current, maximum } = getrlimit(resource);
        let lower = |known: Option<u64>| Some(known.map_or(limit, |known| known.min(limit)));
        // A process may always lower its limits.
        let _ = setrlimit(resource, Rlimit { current: lower(current), maximum: lower(maximum) });
    }
}

/// Maximum size of the address space, in bytes.
const MAX_MEMORY: u64 = 2 << 30;
/// Maximum processor time, in seconds.
const MAX_SECONDS: u64 = 120;
