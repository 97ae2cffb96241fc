//! An allocator that searches freed memory, used in tests to prove that secrets are wiped.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicU64, Ordering},
};

use libc::memmem;

/// The system allocator. It searches each block for some patterns before it frees the block.
#[derive(Debug)]
pub struct SearchingAllocator {
    patterns: &'static [&'static [u8]],
    found: AtomicU64,
}

impl SearchingAllocator {
    /// Creates an allocator that searches for these patterns.
    #[must_use]
    pub const fn new(patterns: &'static [&'static [u8]]) -> Self {
        Self { patterns, found: AtomicU64::new(0) }
    }

    /// Returns the number of freed blocks, of all threads, that contained a pattern.
    #[must_use]
    pub fn found(&self) -> u64 {
        self.found.load(Ordering::Relaxed)
    }
}

// SAFETY: every call is passed to the system allocator unchanged. A block that grows is allocated
// anew, copied and freed, which is how the trait implements `realloc`.
unsafe impl GlobalAlloc for SearchingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        for pattern in self.patterns {
            // SAFETY: the block and the pattern have these lengths. The function only compares
            // octets, and the block, which nothing else uses any more, may contain any octets.
            let found =
                unsafe { memmem(block.cast(), layout.size(), pattern.as_ptr().cast(), pattern.len()) };
            if !found.is_null() {
                self.found.fetch_add(1, Ordering::Relaxed);
            }
        }
        // SAFETY: the caller fulfills the contract of GlobalAlloc, which is also that of System.
        unsafe { System.dealloc(block, layout) }
    }
}
