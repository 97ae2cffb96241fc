//! The engine of a program that sends traps: its engine ID, and a clock that never steps back.
//!
//! The sender of a trap is authoritative, so its receivers accept a message only if its clock,
//! boots and time together, is not behind those of earlier messages (RFC 3414 §3.2 step 7b). A
//! program that runs for a moment has no clock: a file contains the engine ID, the boots, the wall
//! time at which the engine's time was zero, and the last reading. If the wall clock has been set
//! back, the boots increase. Traps that are sent at the same time by several processes therefore
//! have almost equal clocks, in whatever order they arrive.

use std::{
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
};

use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineBoots, EngineId};
use rustix::{
    fs::{FlockOperation, flock},
    rand::{GetRandomFlags, getrandom},
};

use crate::private_file;

/// The engine ID and the clock of this user's trap sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SenderEngine {
    /// The engine ID.
    pub engine_id: EngineId,
    /// The reading of the clock.
    pub clock: ClockReading,
}

impl SenderEngine {
    /// Returns the engine that the file at `path` describes, with the current reading of its clock.
    /// `wall_time` returns the seconds since 1970. If there is no file, it is created with a random
    /// engine ID. When this returns, the reading is durable: no later reading is less.
    ///
    /// # Errors
    /// The file is not a private file of this user, is damaged, or cannot be written.
    pub fn read(path: &Path, wall_time: impl FnOnce() -> u64) -> Result<Self, SenderEngineError> {
        let error = |cause| SenderEngineError { path: path.to_owned(), cause };
        let folder = path.parent().unwrap_or(path);
        private_file::create_directory(folder).map_err(|cause| error(Cause::Io(cause)))?;
        let lock = File::open(folder).map_err(|cause| error(Cause::Io(cause)))?;
        // Released when the directory is closed.
        flock(&lock, FlockOperation::LockExclusive).map_err(|cause| error(Cause::Io(cause.into())))?;
        let old = match std::fs::symlink_metadata(path) {
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => None,
            _ => Some(private_file::read(path).ok_or_else(|| error(Cause::NotPrivate))?),
        };
        // Read while the lock is held, so that the readings of several processes have an order.
        let wall_time = wall_time();
        let mut state = match &old {
            Some(text) => State::parse(text.expose()).ok_or_else(|| error(Cause::Damaged))?,
            None => State::new(wall_time).map_err(|cause| error(Cause::Io(cause)))?,
        };
        state.advance(wall_time);
        let text = state.write();
        if old.as_ref() != Some(&text) {
            private_file::replace(path, &text, true).map_err(|cause| error(Cause::Io(cause)))?;
        }
        Ok(Self { engine_id: state.engine_id, clock: state.clock() })
    }

    /// Returns the engine ID alone, for messages without a clock. Only if there is no file yet,
    /// something is written.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn read_engine_id(
        path: &Path,
        wall_time: impl FnOnce() -> u64,
    ) -> Result<EngineId, SenderEngineError> {
        let state = private_file::read(path).and_then(|text| State::parse(text.expose()));
        match state {
            Some(state) => Ok(state.engine_id),
            None => Ok(Self::read(path, wall_time)?.engine_id),
        }
    }
}

/// The content of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    engine_id: EngineId,
    boots: EngineBoots,
    /// The wall time at which the engine's time was zero.
    zero: u64,
    /// The wall time of the last reading.
    last: u64,
}

impl State {
    fn new(wall_time: u64) -> io::Result<Self> {
        let mut random = [0; 8];
        getrandom(&mut random, GetRandomFlags::empty())?;
        // Enterprise 0, format 5: octets (RFC 3411 §5).
        let octets = [&[0x80, 0, 0, 0, 5][..], &random].concat();
        let engine_id = EngineId::new(&octets).map_err(|_| io::ErrorKind::InvalidData)?;
        Ok(Self { engine_id, boots: EngineBoots::default().next(), zero: wall_time, last: wall_time })
    }

    /// Takes a reading at `wall_time`.
    fn advance(&mut self, wall_time: u64) {
        let step_back = self.last.saturating_sub(wall_time);
        let wall_time = if step_back <= MAX_CORRECTION { wall_time.max(self.last) } else { wall_time };
        if wall_time < self.last || wall_time.saturating_sub(self.zero) > MAX_TIME {
            self.boots = self.boots.next();
            self.zero = wall_time;
        }
        self.last = wall_time;
    }

    fn clock(&self) -> ClockReading {
        let time = self.last.saturating_sub(self.zero).min(MAX_TIME);
        ClockReading { boots: self.boots, time: u32::try_from(time).unwrap_or_default() }
    }

    fn write(&self) -> Secret {
        let Self { engine_id, boots, zero, last } = self;
        let text = format!("engine-id {engine_id}\nboots {}\nzero {zero}\nlast {last}\n", boots.get());
        Secret::new(text.into_bytes())
    }

    /// Parses the file; `None` for anything that [`Self::write`] has not written.
    fn parse(text: &[u8]) -> Option<Self> {
        let mut lines = str::from_utf8(text).ok()?.strip_suffix('\n')?.split('\n');
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let state = Self {
            engine_id: value("engine-id")?.parse().ok()?,
            boots: EngineBoots::new(value("boots")?.parse().ok()?)?,
            zero: value("zero")?.parse().ok()?,
            last: value("last")?.parse().ok()?,
        };
        (lines.next().is_none() && state.zero <= state.last).then_some(state)
    }
}

/// The file of the sender's engine cannot be used.
#[derive(Debug)]
pub struct SenderEngineError {
    path: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    NotPrivate,
    Damaged,
    Io(io::Error),
}

impl fmt::Display for SenderEngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.cause {
            Cause::NotPrivate => {
                write!(f, "{path}: not a file of yours that other users cannot access: set its mode to 600")
            }
            Cause::Damaged => write!(
                f,
                "{path}: damaged: expected the lines engine-id, boots, zero and last; remove it to send \
                 with a new engine ID, which receivers must then know"
            ),
            Cause::Io(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl std::error::Error for SenderEngineError {}

/// The maximum number of seconds by which a correction of the wall clock sets it back. Until it has
/// caught up, the reading stays the same; receivers accept readings that are up to 150 s old.
const MAX_CORRECTION: u64 = 60;
/// The maximum of snmpEngineTime.
const MAX_TIME: u64 = 0x7fff_ffff;

#[cfg(test)]
mod tests;
