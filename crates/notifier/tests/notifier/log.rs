//! The log lines of all notifiers in this process.

use std::{
    io::{self, Write},
    sync::{Mutex, Once},
};

/// Starts to record log lines.
pub(crate) fn record() {
    static START: Once = Once::new();
    START.call_once(|| {
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(|| Recorder);
        subscriber.init();
    });
}

/// Returns the number of lines that contain both texts.
pub(crate) fn count(one: &str, other: &str) -> usize {
    let lines = LINES.lock().unwrap();
    let text = String::from_utf8_lossy(&lines);
    text.lines().filter(|line| line.contains(one) && line.contains(other)).count()
}

struct Recorder;

impl Write for Recorder {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        LINES.lock().unwrap().extend(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
