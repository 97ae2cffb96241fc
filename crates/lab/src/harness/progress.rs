//! The progress of a run: a bar with the time left on a terminal, else a line now and then.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shows the progress of one experiment.
pub(super) struct Progress {
    name: &'static str,
    is_terminal: bool,
    started: Instant,
    /// When the last line was printed, if the output is not a terminal.
    printed: Instant,
    /// Measurements that were done before this process started.
    resumed: usize,
}

impl Progress {
    /// Starts to show the progress of an experiment, of which `resumed` measurements are done.
    pub(super) fn new(name: &'static str, resumed: usize) -> Self {
        let now = Instant::now();
        Self { name, is_terminal: io::stderr().is_terminal(), started: now, printed: now, resumed }
    }

    /// Shows that `done` of `total` measurements are done. The total is not known in the first
    /// round.
    pub(super) fn update(&mut self, done: usize, total: Option<usize>) {
        if !self.is_terminal {
            if self.printed.elapsed() < LINE_INTERVAL {
                return;
            }
            self.printed = Instant::now();
        }
        let text = line(self.name, done, total, self.resumed, self.started.elapsed());
        let mut stderr = io::stderr().lock();
        // A failure to print the progress must not end the run.
        let _ = if self.is_terminal { write!(stderr, "\r\x1b[K{text}") } else { writeln!(stderr, "{text}") };
        let _ = stderr.flush();
    }

    /// Removes the bar.
    pub(super) fn finish(self) {
        if self.is_terminal {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// Prints a line to standard output. A reader of the output that ends early, such as `head`, must
/// not end the run.
pub(super) fn print_line(text: impl Display) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

fn line(name: &str, done: usize, total: Option<usize>, resumed: usize, elapsed: Duration) -> String {
    let Some(total) = total.filter(|total| *total > 0) else {
        return format!("{name}: first round, {done} measured");
    };
    let filled = (BAR_WIDTH * done / total).min(BAR_WIDTH);
    let bar = format!("{}{}", "#".repeat(filled), ".".repeat(BAR_WIDTH - filled));
    let new = done.saturating_sub(resumed);
    let left = if new == 0 {
        String::new()
    } else {
        let seconds = elapsed.as_secs_f64() / new as f64 * total.saturating_sub(done) as f64;
        format!(", {} left", in_words(Duration::from_secs_f64(seconds)))
    };
    format!("{name} [{bar}] {done} of {total}{left}")
}

/// Returns a time as for example `3 min` or `40 s`.
pub(super) fn in_words(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 10.0 => format!("{seconds:.1} s"),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

const BAR_WIDTH: usize = 30;

/// The interval between lines if the output is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(15);

#[cfg(test)]
mod tests;
