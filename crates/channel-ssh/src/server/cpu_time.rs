//! The processor time that threads use for logins.

use std::{cell::Cell, time::Duration};

use rustix::time::{ClockId, clock_gettime};

/// Returns the processor time of this thread, and of the threads that have worked for it. Unlike
/// elapsed time, it does not grow while other threads run.
pub(super) fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default() + CPU_TIME_OF_OTHERS.get()
}

/// Adds the processor time of a thread that has worked for this thread.
pub(super) fn add_cpu_time(cpu_time: Duration) {
    CPU_TIME_OF_OTHERS.set(CPU_TIME_OF_OTHERS.get() + cpu_time);
}

thread_local! {
    static CPU_TIME_OF_OTHERS: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}
