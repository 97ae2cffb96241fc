//! The priority of threads that work for peers that are not logged in.

use std::cell::Cell;

use rustix::process::{getpid, getpriority_process, setpriority_process};

/// Lowers the priority of this thread, so that the workers do not wait for the processor while the
/// thread computes. It still gets a tenth of a processor that is otherwise fully used.
pub(super) fn lower_thread_priority() {
    if !IS_LOWERED.replace(true) {
        // The value is relative to that of the main thread: threads inherit the value of the thread
        // that starts them, which may have been lowered already. On Linux, `None` means the calling
        // thread. Lowering needs no privileges; if it fails all the same, the thread only computes
        // with more priority.
        let _ = getpriority_process(Some(getpid()))
            .and_then(|main| setpriority_process(None, (main + LOGIN_NICE_VALUE).min(19)));
    }
}

/// The nice value, relative to that of the main thread.
const LOGIN_NICE_VALUE: i32 = 10;

thread_local! {
    static IS_LOWERED: Cell<bool> = const { Cell::new(false) };
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn review_h1_thread_started_by_a_lowered_thread_has_the_same_priority() {
        let lowered = || {
            lower_thread_priority();
            lower_thread_priority();
            getpriority_process(None).unwrap()
        };
        let in_thread = thread::spawn(move || {
            lowered();
            thread::spawn(lowered).join().unwrap()
        });
        let main = getpriority_process(Some(getpid())).unwrap();
        assert_eq!(in_thread.join().unwrap(), (main + LOGIN_NICE_VALUE).min(19));
    }
}
