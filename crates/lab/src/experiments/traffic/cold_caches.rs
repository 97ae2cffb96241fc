//! Evicts what programs have in the caches of the cores that they run on.

use std::fs;
use std::hint::black_box;
use std::thread;

use crate::error::Result;
use crate::peers::{AGENT_CORE, MANAGER_CORE};

/// A buffer with twice the size of the largest cache of the processor, within limits.
pub(super) struct ColdCaches {
    buffer: Vec<u8>,
}

impl ColdCaches {
    pub(super) fn new() -> Self {
        let octets = largest_cache().unwrap_or_default().saturating_mul(2).clamp(MIN_BUFFER, MAX_BUFFER);
        Self { buffer: vec![0; octets] }
    }

    /// The size of the buffer.
    pub(super) fn octets(&self) -> usize {
        self.buffer.len()
    }

    /// Writes and reads the whole buffer on the core of the client, and then on that of the agent.
    pub(super) fn evict(&mut self) -> Result<()> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        for core in [MANAGER_CORE, AGENT_CORE].into_iter().filter(|core| *core < cores) {
            let buffer = &mut self.buffer;
            let work = move || {
                portreeve_sys::pin_to_core(core)?;
                for octet in buffer.iter_mut().step_by(LINE) {
                    *octet = octet.wrapping_add(1);
                }
                black_box(buffer.iter().step_by(LINE).fold(0_u8, |sum, octet| sum ^ octet));
                Ok::<_, std::io::Error>(())
            };
            let done = thread::scope(|scope| scope.spawn(work).join());
            done.map_err(|_| "the eviction of caches has panicked")??;
        }
        Ok(())
    }
}

/// Returns the size of the largest cache of the first core, if the kernel reports it.
fn largest_cache() -> Option<usize> {
    let sizes = (0..8).filter_map(|index| {
        let file = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
        size(fs::read_to_string(file).ok()?.trim())
    });
    sizes.max()
}

/// Returns the octets of a size such as `32768K`.
fn size(text: &str) -> Option<usize> {
    let (number, unit) = match text.strip_suffix(['K', 'M']) {
        Some(number) if text.ends_with('K') => (number, 1 << 10),
        Some(number) => (number, 1 << 20),
        None => (text, 1),
    };
    number.parse::<usize>().ok()?.checked_mul(unit)
}

/// The usual length of a cache line. A line that is longer is evicted, too.
const LINE: usize = 64;
const MIN_BUFFER: usize = 64 << 20;
const MAX_BUFFER: usize = 256 << 20;

#[cfg(test)]
mod tests;
