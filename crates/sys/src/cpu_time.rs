//! The CPU time of processes. std has no clocks of other processes.

use std::{io, mem::MaybeUninit, time::Duration};

/// Returns the CPU time of all threads of a process, with those that have ended. The kernel counts
/// nanoseconds; the time of a thread that runs at this moment may be a few milliseconds too small.
///
/// # Errors
/// If there is no such process.
pub fn process_cpu_time(process: u32) -> io::Result<Duration> {
    let id = libc::pid_t::try_from(process).ok().filter(|id| *id < PROCESS_ID_LIMIT);
    let id = id.ok_or_else(|| io::Error::from_raw_os_error(libc::ESRCH))?;
    let mut clock: libc::clockid_t = 0;
    // SAFETY: `clock` is valid for writes during the call.
    match unsafe { libc::clock_getcpuclockid(id, &raw mut clock) } {
        0 => {}
        code => return Err(io::Error::from_raw_os_error(code)),
    }
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: `time` is valid for writes during the call.
    if unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a zeroed `timespec` is valid, and so is one that the kernel has filled.
    let time = unsafe { time.assume_init() };
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Ok(Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default()))
}

/// The kernel's limit of process IDs. Clocks have fewer bits for the ID: those of much larger IDs
/// would be clocks of other processes.
const PROCESS_ID_LIMIT: libc::pid_t = 1 << 22;

#[cfg(test)]
mod tests {
    use std::{process, thread, time::Duration, time::Instant};

    use super::process_cpu_time;

    #[test]
    fn cpu_time_contains_that_of_ended_threads() {
        let before = process_cpu_time(process::id()).unwrap();
        let worker = thread::spawn(|| {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(100) {
                std::hint::spin_loop();
            }
        });
        worker.join().unwrap();
        let spent = process_cpu_time(process::id()).unwrap() - before;
        // Other processes may have used the core for most of this time.
        assert!(spent > Duration::from_millis(10), "{spent:?}");
    }

    #[test]
    fn unknown_process_is_an_error() {
        for process in [(1 << 22) - 1, 1 << 22, i32::MAX.unsigned_abs(), u32::MAX] {
            assert!(process_cpu_time(process).is_err(), "{process}");
        }
    }
}
