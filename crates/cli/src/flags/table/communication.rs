//! Flags for timeouts and retries.

use std::{ffi::OsStr, time::Duration};

use super::{
    AGENT_VERBS, Apply, Communication, DATA_VERBS, Extensions, Flag, Long, REQUEST_VERBS, Short, text,
};
use crate::flags::{Action, FlagError, Settings};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Short('r'),
        value: Some("RETRIES"),
        group: Communication,
        verbs: AGENT_VERBS,
        help: "retry a request at most RETRIES times (default: 5)",
        action: Apply(|settings, value| {
            let number = text(value).parse();
            settings.retries =
                Some(number.map_err(|_| FlagError::usage("Invalid number of retries after -r flag."))?);
            Ok(())
        }),
    },
    Flag {
        name: Short('t'),
        value: Some("TIMEOUT"),
        group: Communication,
        verbs: AGENT_VERBS,
        help: "retry a request that has no response after TIMEOUT seconds (default: 1); without -t and -r, all verbs \
               except set, table, status, test, usm and vacm derive the timeout from the measured round-trip time, and give \
               up after 6 s",
        action: Apply(|settings, value| {
            let seconds: Option<f64> = text(value).parse().ok();
            let timeout = seconds
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                .filter(|timeout| *timeout >= MIN_TIMEOUT);
            settings.timeout =
                Some(timeout.ok_or_else(|| FlagError::usage("Invalid timeout in seconds after -t flag."))?);
            Ok(())
        }),
    },
    Flag {
        name: Short('C'),
        value: Some("APPOPTS"),
        group: Communication,
        verbs: REQUEST_VERBS,
        help: "set verb-specific options:",
        action: Action::ApplicationLetters,
    },
    Flag {
        name: Long("deadline"),
        value: Some("SECONDS"),
        group: Extensions,
        verbs: DATA_VERBS,
        help: "give up on a request after SECONDS; until then, retry at intervals that depend on the measured \
               round-trip time; -t and -r have no effect",
        action: Apply(apply_deadline),
    },
];

/// Applies `--deadline`.
pub(super) fn apply_deadline(settings: &mut Settings, value: &OsStr) -> Result<(), FlagError> {
    let seconds: Option<f64> = text(value).parse().ok();
    let deadline = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = deadline.filter(|deadline| *deadline >= MIN_TIMEOUT);
    settings.deadline =
        Some(deadline.ok_or_else(|| FlagError::usage("Invalid number of seconds after --deadline."))?);
    Ok(())
}

const MIN_TIMEOUT: Duration = Duration::from_micros(1);
