//! The priority of threads that work for peers that are not logged in.

use std::cell::Cell;

/// Lowers the priority of this thread, so that the workers do not wait for the processor while the
/// thread computes. It still gets a tenth of a processor that is otherwise fully used.
pub(super) fn lower_thread_priority() {
    if !IS_LOWERED.replace(true) {
        // On Linux, the value applies to the calling thread. Lowering needs no privileges; if it
        // fails all the same, the thread only computes with more priority.
        let _ = rustix::process::nice(LOGIN_NICE_VALUE);
    }
}

/// The nice value, relative to that of the process.
const LOGIN_NICE_VALUE: i32 = 10;

thread_local! {
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}
