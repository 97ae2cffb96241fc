//! The allocation count, where the build has one.

/// Prints how often memory was asked for so far; without the feature `count-allocations`, that nobody counts.
pub(crate) fn print() {
    match count() {
        Some(count) => eprintln!("allocations: {count}"),
        None => tracing::info!("this build does not count allocations"),
    }
}

#[cfg(feature = "count-allocations")]
fn count() -> Option<u64> {
    Some(ALLOCATOR.count())
}

#[cfg(not(feature = "count-allocations"))]
fn count() -> Option<u64> {
    None
}

#[cfg(feature = "count-allocations")]
#[global_allocator]
static ALLOCATOR: portreeve_sys::CountingAllocator = portreeve_sys::CountingAllocator::new();
