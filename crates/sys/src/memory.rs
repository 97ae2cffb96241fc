//! Returning freed memory to the system.

/// Returns unused memory from the allocator to the system. Without this call, the process would
/// never return the memory of thousands of closed sessions, because newer allocations have higher
/// addresses. While this short call runs, other threads may have to wait for memory.
pub fn release_free_memory() {
    #[cfg(target_env = "gnu")]
    // SAFETY: the call touches only free memory, under the allocator's own locks.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(test)]
#[cfg(target_env = "gnu")]
mod tests {
    use super::release_free_memory;

    #[test]
    fn release_returns_free_memory_below_allocated_block_to_system() {
        let mut blocks: Vec<_> = (0..20_000).map(|number| vec![number as u8; 4000]).collect();
        let last = blocks.pop();
        let before = resident_pages();
        drop(blocks);
        release_free_memory();
        let after = resident_pages();
        assert!(after + 10_000 < before, "{before} pages, then {after}");
        drop(last);
    }

    fn resident_pages() -> usize {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        statm.split(' ').nth(1).unwrap().parse().unwrap()
    }
}
