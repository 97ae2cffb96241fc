//! How long and how often an agent is asked.

use std::time::Duration;

use super::{ASKING, Apply, CHOOSING, Communication, Extensions, Flag, Long, READING, Short, text};
use crate::flags::{Action, Refused};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Short('r'),
        value: Some("RETRIES"),
        group: Communication,
        verbs: ASKING,
        help: "set the number of retries (default: 5; waits are then those of -t)",
        action: Apply(|settings, value| {
            let number = text(value).parse();
            settings.retries =
                Some(number.map_err(|_| Refused::usage("Invalid number of retries after -r flag."))?);
            Ok(())
        }),
    },
    Flag {
        name: Short('t'),
        value: Some("TIMEOUT"),
        group: Communication,
        verbs: ASKING,
        help: "set the request timeout (in seconds, default: as measured round trips tell, 6 in all)",
        action: Apply(|settings, value| {
            let seconds: Option<f64> = text(value).parse().ok();
            let timeout = seconds
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                .filter(|timeout| *timeout >= SHORTEST_TIMEOUT);
            settings.timeout =
                Some(timeout.ok_or_else(|| Refused::usage("Invalid timeout in seconds after -t flag."))?);
            Ok(())
        }),
    },
    Flag {
        name: Short('C'),
        value: Some("APPOPTS"),
        group: Communication,
        verbs: CHOOSING,
        help: "set various application specific behaviours:",
        action: Action::Letters,
    },
    Flag {
        name: Long("deadline"),
        value: Some("SECONDS"),
        group: Extensions,
        verbs: READING,
        help: "give a request up after SECONDS; send it again by measured round trips",
        action: Apply(|settings, value| {
            let seconds: Option<f64> = text(value).parse().ok();
            let deadline = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            let deadline = deadline.filter(|deadline| *deadline >= SHORTEST_TIMEOUT);
            settings.deadline =
                Some(deadline.ok_or_else(|| Refused::usage("Invalid number of seconds after --deadline."))?);
            Ok(())
        }),
    },
];

const SHORTEST_TIMEOUT: Duration = Duration::from_micros(1);
