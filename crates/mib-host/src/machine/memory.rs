//! Memory, from `/proc/meminfo`.

/// Sizes in kibibytes. What the kernel does not tell is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// All main memory.
    pub total: u64,
    /// Main memory that nothing uses.
    pub free: u64,
    /// What buffers blocks of devices.
    pub buffers: u64,
    /// What caches files, with what of the kernel's can be given back.
    pub cached: u64,
    /// What processes share.
    pub shared: u64,
    /// All swap space.
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

    /// Main memory in use, caches not counted.
    pub fn used(&self) -> u64 {
        self.total.saturating_sub(self.free).saturating_sub(self.buffers).saturating_sub(self.cached)
    }
}
