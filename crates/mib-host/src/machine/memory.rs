//! Memory sizes, parsed from `/proc/meminfo`.

/// Memory sizes in kibibytes. Values missing from `/proc/meminfo` are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Total main memory.
    pub total: u64,
    /// Unused main memory.
    pub free: u64,
    /// Memory used as buffers of block devices.
    pub buffers: u64,
    /// Memory used by the page cache, and reclaimable kernel memory.
    pub cached: u64,
    /// Memory shared by processes.
    pub shared: u64,
    /// Total swap space.
    pub swap_total: u64,
    /// Free swap space.
    pub swap_free: u64,
}

impl Memory {
    pub(super) fn parse(text: &str) -> Self {
        let mut memory = Self::default();
        for line in text.lines() {
            let Some((name, rest)) = line.split_once(':') else { continue };
            let number = rest.split_whitespace().next().and_then(|number| number.parse().ok());
            let Some(number) = number else { continue };
            match name {
                "MemTotal" => memory.total = number,
                "MemFree" => memory.free = number,
                "Buffers" => memory.buffers = number,
                "Cached" | "SReclaimable" => memory.cached += number,
                "Shmem" => memory.shared = number,
                "SwapTotal" => memory.swap_total = number,
                "SwapFree" => memory.swap_free = number,
                _ => {}
            }
        }
        memory
    }

    /// Returns the amount of main memory in use, without caches.
    pub fn used(&self) -> u64 {
        self.total.saturating_sub(self.free).saturating_sub(self.buffers).saturating_sub(self.cached)
    }
}
