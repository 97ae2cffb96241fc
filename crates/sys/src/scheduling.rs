//! CPU affinity and real-time priority of the calling thread, for measurements.

use std::io;
use std::mem;

/// Restricts the calling thread to `core`. Cores are numbered from 0; threads started later inherit
/// the restriction.
///
/// # Errors
/// `InvalidInput` if the core does not exist or this process may not use it.
pub fn pin_to_core(core: usize) -> io::Result<()> {
    if core >= libc::CPU_SETSIZE as usize {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: cpu_set_t is a bit mask; all zeros is the empty set.
    let mut set: libc::cpu_set_t = unsafe { mem::zeroed() };
    // SAFETY: `core` is below CPU_SETSIZE, so the bit lies within the mask.
    unsafe { libc::CPU_SET(core, &mut set) };
    // SAFETY: pid 0 is the calling thread; the mask and its size are passed.
    check(unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &raw const set) })
}

/// Sets the scheduling policy of the calling thread to SCHED_FIFO with `priority` (1 to 99).
///
/// # Errors
/// `PermissionDenied` without CAP_SYS_NICE; `InvalidInput` for a priority out of range.
pub fn set_realtime_priority(priority: i32) -> io::Result<()> {
    let parameter = libc::sched_param { sched_priority: priority };
    // SAFETY: pid 0 is the calling thread; the parameter outlives the call.
    check(unsafe { libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const parameter) })
}

/// Sets the scheduling policy of the calling thread to SCHED_OTHER, the normal one.
///
/// # Errors
/// The error of sched_setscheduler(2); the policy is then unchanged.
pub fn clear_realtime_priority() -> io::Result<()> {
    let parameter = libc::sched_param { sched_priority: 0 };
    // SAFETY: pid 0 is the calling thread; the parameter outlives the call.
    check(unsafe { libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const parameter) })
}

fn check(result: libc::c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::{clear_realtime_priority, pin_to_core, set_realtime_priority};

    #[test]
    fn thread_can_be_pinned_only_to_existing_processor_core() {
        std::thread::spawn(|| {
            // In a container, core 0 may not be available; the kernel then returns InvalidInput.
            if let Err(error) = pin_to_core(0) {
                assert_eq!(error.kind(), ErrorKind::InvalidInput);
            }
            assert_eq!(pin_to_core(usize::MAX).unwrap_err().kind(), ErrorKind::InvalidInput);
        })
        .join()
        .unwrap();
    }

    #[test]
    fn realtime_priority_can_be_cleared_in_any_state() {
        std::thread::spawn(|| {
            clear_realtime_priority().unwrap();
            // Without the right to set a priority, the policy stays the same.
            let _ = set_realtime_priority(1);
            clear_realtime_priority().unwrap();
        })
        .join()
        .unwrap();
    }

    #[test]
    fn out_of_range_realtime_priority_is_rejected() {
        assert!(set_realtime_priority(1000).is_err());
    }
}
