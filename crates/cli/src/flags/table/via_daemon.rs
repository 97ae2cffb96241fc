//! Flags for the submission of notifications to the agent of this machine.

use super::{Apply, Both, Extensions, Flag, FlagName, Long, Short, communication};
use crate::{flags::FlagError, output::record::DataFormat, verb::Verb};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: DAEMON_FLAG,
        value: None,
        group: Extensions,
        verbs: VERBS,
        help: "submit the notification to portreeved on this machine, which sends it to the targets in its configuration; \
               there is no RECEIVER, and the options for versions, credentials and timeouts are not accepted",
        action: Apply(|settings, _| {
            settings.daemon.is_used = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("control"),
        value: Some("SOCKET"),
        group: Extensions,
        verbs: VERBS,
        help: "with --via-daemon: the control socket of portreeved, which is in its state directory (default: \
               /var/lib/portreeve/control.sock)",
        action: Apply(|settings, value| {
            settings.daemon.socket = Some(value.into());
            Ok(())
        }),
    },
    Flag {
        name: Long("deadline"),
        value: Some("SECONDS"),
        group: Extensions,
        verbs: VERBS,
        help: "with --via-daemon: give up after SECONDS without a response of portreeved (default: 10)",
        action: Apply(communication::apply_deadline),
    },
    Flag {
        name: Long("json"),
        value: None,
        group: Extensions,
        verbs: VERBS,
        help: "with --via-daemon: print the numbers of targets as one JSON object",
        action: Apply(|settings, _| {
            settings.data_format = DataFormat::Json;
            Ok(())
        }),
    },
];

/// Checks that the flags of a notification can be used together.
///
/// # Errors
/// If a flag needs `--via-daemon`, or cannot be used with it.
pub(crate) fn check_combination(given: &[FlagName]) -> Result<(), FlagError> {
    let is_used = given.contains(&DAEMON_FLAG);
    let is_own = |name: &FlagName| FLAGS.iter().any(|flag| flag.name == *name);
    let wrong = given
        .iter()
        .find(|name| if is_used { !is_own(name) && !OTHERS.contains(name) } else { is_own(name) });
    let Some(wrong) = wrong else { return Ok(()) };
    let wrong = match (wrong.short(), wrong.long()) {
        (Some(letter), _) => format!("-{letter}"),
        (None, word) => format!("--{}", word.unwrap_or_default()),
    };
    Err(FlagError::usage(match is_used {
        true => format!(
            "{wrong} cannot be used with --via-daemon: the configuration of portreeved decides how notifications are sent"
        ),
        false => format!("{wrong} can be used only with --via-daemon"),
    }))
}

pub(crate) const DAEMON_FLAG: FlagName = Long("via-daemon");
/// The other flags that can be used with `--via-daemon`.
const OTHERS: [FlagName; 15] = [
    Both('h', "help"),
    Both('V', "version"),
    Short('m'),
    Short('M'),
    Short('O'),
    Short('H'),
    Short('P'),
    Short('I'),
    Short('Y'),
    Short('n'),
    Short('C'),
    Short('d'),
    Short('D'),
    Short('L'),
    Long("raw"),
];
const VERBS: &[Verb] = &[Verb::Trap, Verb::Inform];
