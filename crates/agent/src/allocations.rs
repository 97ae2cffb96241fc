//! Prints the number of heap allocations, if the build counts them.

/// Prints the number of heap allocations so far. Logs a note if the build lacks the feature
/// `count-allocations`.
pub(crate) fn print() {
    match count() {
        Some(count) => eprintln!("allocations: {count}"),
        None => tracing::info!(
            "cannot print the number of allocations: built without the feature `count-allocations`"
        ),
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
