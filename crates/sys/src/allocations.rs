//! A counting allocator, used in tests to prove that no memory is allocated while a request is
//! handled.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering},
};

/// The system allocator with a count of its allocations.
#[derive(Debug)]
pub struct CountingAllocator {
    count: AtomicU64,
}

impl CountingAllocator {
    /// Creates an allocator with a count of zero.
    #[must_use]
    pub const fn new() -> Self {
        Self { count: AtomicU64::new(0) }
    }

    /// Returns the number of allocations and reallocations so far, of all threads.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }
}

impl Default for CountingAllocator {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: every call is passed to the system allocator unchanged; counting does not touch the
// memory.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        self.count.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.realloc(block, layout, new_size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.dealloc(block, layout) }
    }
}
