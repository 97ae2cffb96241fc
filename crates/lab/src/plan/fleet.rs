//! The description of a fleet: what is polled, how often, and over which network.

use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use crate::error::{Context, LabError, Result};
use crate::options::Options;

/// A fleet of devices that one manager polls.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fleet {
    pub(super) devices: u64,
    /// The variables that are read from a device in each poll.
    pub(super) objects: u64,
    /// The variables in one message.
    pub(super) batch: u64,
    /// The time from one poll of a device to the next.
    pub(super) interval: Duration,
    pub(super) round_trip: Duration,
    /// The probability that a frame is lost, in each direction.
    pub(super) loss: f64,
    pub(super) session: SessionPolicy,
}

/// The time at which a session is opened and closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SessionPolicy {
    /// A session for each message.
    Message,
    /// A session for each poll.
    Poll,
    /// A session that stays open, and is replaced once a day.
    Kept,
}

impl SessionPolicy {
    /// Returns the number of sessions that a poll opens.
    pub(super) fn sessions_per_poll(self, fleet: &Fleet) -> f64 {
        match self {
            Self::Message => fleet.exchanges(),
            Self::Poll => 1.0,
            Self::Kept => fleet.interval.as_secs_f64() / DAY,
        }
    }

    /// Returns the phrase for texts.
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Self::Message => "a session for each message",
            Self::Poll => "a session for each poll",
            Self::Kept => "sessions that stay open and are replaced once a day",
        }
    }
}

impl FromStr for SessionPolicy {
    type Err = ();

    fn from_str(text: &str) -> std::result::Result<Self, ()> {
        match text {
            "message" => Ok(Self::Message),
            "poll" => Ok(Self::Poll),
            "kept" => Ok(Self::Kept),
            _ => Err(()),
        }
    }
}

impl Default for Fleet {
    fn default() -> Self {
        Self {
            devices: 100,
            objects: 100,
            batch: 10,
            interval: Duration::from_secs(300),
            round_trip: Duration::from_millis(1),
            loss: 0.0,
            session: SessionPolicy::Kept,
        }
    }
}

impl Fleet {
    /// Returns the exchanges of one poll of a device.
    pub(super) fn exchanges(&self) -> f64 {
        self.objects.div_ceil(self.batch) as f64
    }

    /// Returns the polls of all devices in an hour.
    pub(super) fn polls_per_hour(&self) -> f64 {
        self.devices as f64 * HOUR / self.interval.as_secs_f64()
    }

    /// Reads the file of `--fleet`, if there is one, and then the other options, which take
    /// precedence.
    pub(super) fn parse(options: &Options) -> Result<Self> {
        let mut fleet = Self::default();
        if let Some(file) = options.all("fleet").last() {
            fleet.read(Path::new(file))?;
        }
        for key in KEYS {
            if let Some(value) = options.all(key).last() {
                fleet
                    .set(key, value)
                    .map_err(|reason| LabError::from(format!("--{key} {value}: {reason}")))?;
            }
        }
        Ok(fleet)
    }

    /// Reads a file with a line `key = value` for each key. Comments begin with `#`.
    fn read(&mut self, file: &Path) -> Result<()> {
        let text = fs::read_to_string(file).context(file.display())?;
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let failed = |reason: &str| format!("{}:{}: {reason}", file.display(), number + 1);
            let (key, value) = line.split_once('=').ok_or_else(|| failed("expected `key = value`"))?;
            let (key, value) = (key.trim(), value.trim().trim_matches('"'));
            if !KEYS.contains(&key) {
                return Err(
                    failed(&format!("unknown key `{key}`: expected one of {}", KEYS.join(", "))).into()
                );
            }
            self.set(key, value).map_err(|reason| failed(&format!("{key} = {value}: {reason}")))?;
        }
        Ok(())
    }

    /// Sets one value. The error says what is expected.
    fn set(&mut self, key: &str, value: &str) -> std::result::Result<(), &'static str> {
        let positive = || value.parse().ok().filter(|number| *number > 0).ok_or("expected a number from 1");
        match key {
            "devices" => self.devices = positive()?,
            "objects" => self.objects = positive()?,
            "batch" => self.batch = positive()?,
            "interval" => self.interval = time(value).filter(|time| !time.is_zero()).ok_or(TIME)?,
            "round-trip" => self.round_trip = time(value).ok_or(TIME)?,
            "loss" => {
                let percent = value.trim_end_matches('%').trim_end().parse::<f64>().ok();
                let percent = percent.filter(|percent| (0.0..50.0).contains(percent));
                self.loss = percent.ok_or("expected per cent from 0 to below 50")? / 100.0;
            }
            _ => {
                self.session = value.parse().map_err(|()| "expected message, poll or kept")?;
            }
        }
        Ok(())
    }
}

/// Parses a time such as `20ms`, `5m` or `1h`.
fn time(text: &str) -> Option<Duration> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at_checked(digits)?;
    let factor = match unit.trim_start() {
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => HOUR,
        _ => return None,
    };
    let seconds = number.parse::<f64>().ok()? * factor;
    (seconds.is_finite() && seconds < 100.0 * DAY).then(|| Duration::from_secs_f64(seconds))
}

/// The keys of a fleet, as options and in a file.
const KEYS: [&str; 7] = ["devices", "objects", "batch", "interval", "round-trip", "loss", "session"];
const TIME: &str = "expected a time with its unit, for example 20ms, 30s, 5m or 1h";

const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Fleet> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Fleet::parse(&Options::parse_flags(&words, &super::super::OPTIONS)?)
    }

    fn error(words: &[&str]) -> String {
        parse(words).err().unwrap().message().to_owned()
    }

    #[test]
    fn options_take_precedence_over_the_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "# Branch offices\ndevices = 40\nloss = \"0.5 %\"\nround-trip = 20ms # DSL\n")
            .unwrap();
        let fleet =
            parse(&["--fleet", file.path().to_str().unwrap(), "--devices", "50", "--session", "poll"]);
        let expected = Fleet {
            devices: 50,
            loss: 0.005,
            round_trip: Duration::from_millis(20),
            session: SessionPolicy::Poll,
            ..Fleet::default()
        };
        assert_eq!(fleet.ok(), Some(expected));
    }

    #[test]
    fn invalid_value_is_rejected_with_its_place_and_what_is_expected() {
        for (words, expected) in [
            (["--devices", "0"], "--devices 0: expected a number from 1"),
            (
                ["--interval", "5"],
                "--interval 5: expected a time with its unit, for example 20ms, 30s, 5m or 1h",
            ),
            (
                ["--interval", "0s"],
                "--interval 0s: expected a time with its unit, for example 20ms, 30s, 5m or 1h",
            ),
            (["--loss", "50"], "--loss 50: expected per cent from 0 to below 50"),
            (["--session", "hour"], "--session hour: expected message, poll or kept"),
        ] {
            assert_eq!(error(&words), expected);
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        let name = file.path().to_str().unwrap();
        for (text, expected) in [
            ("\ndevices 7\n", ":2: expected `key = value`"),
            ("device = 7", ":1: unknown key `device`: expected one of devices, objects, batch"),
            ("batch = x", ":1: batch = x: expected a number from 1"),
        ] {
            fs::write(file.path(), text).unwrap();
            let error = error(&["--fleet", name]);
            assert!(error.starts_with(&format!("{name}{expected}")), "{error}");
        }
    }

    #[test]
    fn polls_and_sessions_follow_from_the_fleet() {
        let fleet = Fleet { objects: 101, ..Fleet::default() };
        assert_eq!((fleet.exchanges(), fleet.polls_per_hour()), (11.0, 1200.0));
        assert_eq!(SessionPolicy::Message.sessions_per_poll(&fleet), 11.0);
        assert_eq!(SessionPolicy::Poll.sessions_per_poll(&fleet), 1.0);
        assert_eq!(SessionPolicy::Kept.sessions_per_poll(&fleet), 300.0 / 86_400.0);
    }
}
