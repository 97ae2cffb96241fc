//! The progress line of a long walk on a terminal.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use rustix::termios::tcgetwinsize;

/// The progress line. It is erased on drop.
pub(crate) struct ProgressLine {
    started: Instant,
    /// The time of the next update; `None` if the line is never shown.
    due: Option<Instant>,
    is_shown: bool,
}

impl ProgressLine {
    /// Creates a hidden line. It is never shown if standard error is not a terminal or `wanted` is
    /// false.
    pub(crate) fn new(wanted: bool) -> Self {
        let started = Instant::now();
        let due = (wanted && io::stderr().is_terminal()).then(|| started + FIRST_UPDATE_DELAY);
        Self { started, due, is_shown: false }
    }

    /// Reports the number of objects found so far. `name` is called only if the line is updated.
    pub(crate) fn update(&mut self, found: u64, name: impl FnOnce() -> String) {
        let Some(due) = self.due else { return };
        let now = Instant::now();
        if now < due {
            return;
        }
        self.due = Some(now + UPDATE_INTERVAL);
        let seconds = now.duration_since(self.started).as_secs_f64();
        let line = format!("{found} objects, {:.0} per second, at {}", found as f64 / seconds, name());
        let width = tcgetwinsize(io::stderr()).map_or(0, |size| usize::from(size.ws_col));
        // A character in the last column would wrap the line. Some terminals report 0 columns.
        let width = if width > 1 { width } else { DEFAULT_WIDTH };
        let line: String = line.chars().take(width - 1).collect();
        self.is_shown = true;
        let _ = write!(io::stderr().lock(), "\r{line}{ERASE_TO_END}");
    }

    /// Erases the line, so that other output can be printed.
    pub(crate) fn erase(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(io::stderr().lock(), "\r{ERASE_TO_END}");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.erase();
    }
}

/// The time until the progress line is first shown. A shorter walk shows none.
const FIRST_UPDATE_DELAY: Duration = Duration::from_secs(2);
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);
const DEFAULT_WIDTH: usize = 80;
const ERASE_TO_END: &str = "\x1b[K";
