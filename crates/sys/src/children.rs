//! Child processes that end with their parent.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Makes the kernel kill the process that `command` starts as soon as the thread that started it
/// ends. So the process cannot survive its parent, even if the parent is killed.
///
/// The setting does not apply to processes that the child starts in turn, nor to set-user-ID
/// programs.
pub fn kill_with_parent(command: &mut Command) -> &mut Command {
    let parent = std::process::id();
    let request_signal = move || {
        // SAFETY: both calls access no memory of this process.
        let (result, actual_parent) =
            unsafe { (libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL), libc::getppid()) };
        if result != 0 {
            return Err(io::Error::last_os_error());
        }
        // If the parent ended before the first call, no signal will come.
        if u32::try_from(actual_parent).ok() == Some(parent) {
            Ok(())
        } else {
            Err(io::Error::from_raw_os_error(libc::ESRCH))
        }
    };
    // SAFETY: the closure runs between fork and exec. It calls only prctl(2) and getppid(2), which
    // are safe there; it does not allocate and takes no lock, because its errors are plain numbers.
    unsafe { command.pre_exec(request_signal) }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::thread;

    use super::kill_with_parent;

    #[test]
    fn child_is_killed_when_thread_that_started_it_ends() {
        let start = || {
            let mut command = Command::new("cat");
            // The pipe stays open, so that `cat` does not exit on its own.
            kill_with_parent(command.stdin(Stdio::piped())).spawn()
        };
        let mut child = thread::spawn(start).join().unwrap().unwrap();
        use std::os::unix::process::ExitStatusExt;
        let stdin = child.stdin.take();
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
        drop(stdin);
    }

    #[test]
    fn child_of_running_thread_is_not_killed() {
        let mut command = Command::new("true");
        assert!(kill_with_parent(&mut command).status().unwrap().success());
    }
}
