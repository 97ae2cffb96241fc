//! The flags.

mod doctor;
mod net_snmp;
mod secure;
mod translate;

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, str::FromStr, time::Duration};

use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

use super::{Action, Flag, Group, Name, Refused, Version, pass_phrase};
use crate::{output::record::Data, verb::Verb};

use Action::Apply;
use Group::{Communication, Community, Debugging, Extensions, General, User};
use Name::{Both, Long, Short};

pub(crate) use secure::read_time;

/// Every flag, in the order in which the help shows those of one group.
pub(super) fn all() -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().chain(net_snmp::FLAGS).chain(secure::FLAGS).chain(doctor::FLAGS).chain(translate::FLAGS)
}

static FLAGS: &[Flag] = &[
    Flag {
        name: Both('h', "help"),
        value: None,
        group: General,
        verbs: &Verb::ALL,
        help: "display this help message",
        action: Apply(|_, _| Err(Refused::HelpAsked)),
    },
    Flag {
        name: Both('V', "version"),
        value: None,
        group: General,
        verbs: &Verb::ALL,
        help: "display package version number",
        action: Apply(|_, _| Err(Refused::VersionAsked)),
    },
    Flag {
        name: Short('v'),
        value: Some("1|2c|3"),
        group: General,
        verbs: ASKING,
        help: "specifies SNMP version to use (default: 3)",
        action: Apply(|settings, value| {
            match Version::read(&text(value)) {
                Some(version) => settings.version = version,
                None => return refuse("Invalid version specified after -v flag", value),
            }
            Ok(())
        }),
    },
    Flag {
        name: Short('m'),
        value: Some("MIB[:...]"),
        group: General,
        verbs: &Verb::ALL,
        help: "load given list of MIBs (ALL loads everything)",
        action: Apply(|settings, value| {
            settings.mib_modules = Some(text(value).into_owned());
            Ok(())
        }),
    },
    Flag {
        name: Short('M'),
        value: Some("DIR[:...]"),
        group: General,
        verbs: &Verb::ALL,
        help: "look in given list of directories for MIBs",
        action: Apply(|settings, value| {
            settings.mib_directories = Some(text(value).into_owned());
            Ok(())
        }),
    },
    Flag {
        name: Short('O'),
        value: Some("OUTOPTS"),
        group: General,
        verbs: &Verb::ALL,
        help: "toggle various defaults controlling output display:",
        action: Apply(|settings, value| {
            settings.format.apply(&text(value)).map_err(|unknown| Refused::usage(unknown.to_string()))
        }),
    },
    Flag {
        name: Short('c'),
        value: Some("COMMUNITY"),
        group: Community,
        verbs: ASKING,
        help: "set the community string",
        action: Apply(|settings, value| {
            settings.community = Some(secret(value));
            Ok(())
        }),
    },
    Flag {
        name: Short('a'),
        value: Some("PROTOCOL"),
        group: User,
        verbs: ASKING,
        help: "set authentication protocol (MD5|SHA|SHA-224|SHA-256|SHA-384|SHA-512)",
        action: Apply(|settings, value| {
            settings.auth_protocol =
                known("Invalid authentication protocol specified after -3a flag", value)?;
            Ok(())
        }),
    },
    Flag {
        name: Short('A'),
        value: Some("PASSPHRASE"),
        group: User,
        verbs: ASKING,
        help: "set authentication protocol pass phrase",
        action: Apply(|settings, value| {
            settings.auth_pass = Some(secret(value));
            Ok(())
        }),
    },
    Flag {
        name: Short('e'),
        value: Some("ENGINE-ID"),
        group: User,
        verbs: ASKING,
        help: "set security engine ID (e.g. 800000020109840301)",
        action: Apply(|settings, value| {
            settings.security_engine_id = Some(engine_id('e', value)?);
            Ok(())
        }),
    },
    Flag {
        name: Short('E'),
        value: Some("ENGINE-ID"),
        group: User,
        verbs: ASKING,
        help: "set context engine ID (e.g. 800000020109840301)",
        action: Apply(|settings, value| {
            settings.context_engine_id = Some(engine_id('E', value)?);
            Ok(())
        }),
    },
    Flag {
        name: Short('l'),
        value: Some("LEVEL"),
        group: User,
        verbs: ASKING,
        help: "set security level (noAuthNoPriv|authNoPriv|authPriv)",
        action: Apply(|settings, value| {
            let written = text(value);
            let numbered = written.parse().ok().and_then(SecurityLevel::from_number);
            settings.level = match numbered.or_else(|| written.parse().ok()) {
                Some(level) => level,
                None => return refuse("Invalid security level specified after -3l flag", value),
            };
            Ok(())
        }),
    },
    Flag {
        name: Short('n'),
        value: Some("CONTEXT"),
        group: User,
        verbs: ASKING,
        help: "set context name (e.g. bridge1)",
        action: Apply(|settings, value| {
            settings.context_name = value.as_bytes().to_vec();
            Ok(())
        }),
    },
    Flag {
        name: Short('u'),
        value: Some("USER-NAME"),
        group: User,
        verbs: ASKING,
        help: "set security name (e.g. bert)",
        action: Apply(|settings, value| {
            settings.user = Some(value.as_bytes().to_vec());
            Ok(())
        }),
    },
    Flag {
        name: Short('x'),
        value: Some("PROTOCOL"),
        group: User,
        verbs: ASKING,
        help: "set privacy protocol (DES|3DES|AES|AES-192|AES-256|AES-192-C|AES-256-C)",
        action: Apply(|settings, value| {
            settings.priv_protocol = known("Invalid privacy protocol specified after -3x flag", value)?;
            Ok(())
        }),
    },
    Flag {
        name: Short('X'),
        value: Some("PASSPHRASE"),
        group: User,
        verbs: ASKING,
        help: "set privacy protocol pass phrase",
        action: Apply(|settings, value| {
            settings.priv_pass = Some(secret(value));
            Ok(())
        }),
    },
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
    Flag {
        name: Long("auth-pass-file"),
        value: Some("FILE"),
        group: Extensions,
        verbs: ASKING,
        help: "read the authentication pass phrase from the first line of FILE",
        action: Apply(|settings, value| {
            settings.auth_pass = Some(pass_phrase::from_file(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("auth-pass-fd"),
        value: Some("NUM"),
        group: Extensions,
        verbs: ASKING,
        help: "read the authentication pass phrase from descriptor NUM",
        action: Apply(|settings, value| {
            settings.auth_pass = Some(pass_phrase::from_descriptor(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("priv-pass-file"),
        value: Some("FILE"),
        group: Extensions,
        verbs: ASKING,
        help: "read the privacy pass phrase from the first line of FILE",
        action: Apply(|settings, value| {
            settings.priv_pass = Some(pass_phrase::from_file(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("priv-pass-fd"),
        value: Some("NUM"),
        group: Extensions,
        verbs: ASKING,
        help: "read the privacy pass phrase from descriptor NUM",
        action: Apply(|settings, value| {
            settings.priv_pass = Some(pass_phrase::from_descriptor(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("json"),
        value: None,
        group: Extensions,
        verbs: READING,
        help: "print one JSON array of variables or rows",
        action: Apply(|settings, _| {
            settings.data = Data::Json;
            Ok(())
        }),
    },
    Flag {
        name: Long("jsonl"),
        value: None,
        group: Extensions,
        verbs: READING,
        help: "print one JSON object in each line",
        action: Apply(|settings, _| {
            settings.data = Data::JsonLines;
            Ok(())
        }),
    },
    Flag {
        name: Long("csv"),
        value: None,
        group: Extensions,
        verbs: READING,
        help: "print comma-separated values under a head line",
        action: Apply(|settings, _| {
            settings.data = Data::Csv;
            Ok(())
        }),
    },
    Flag {
        name: Long("stats"),
        value: None,
        group: Extensions,
        verbs: CHOOSING,
        help: "print one line about the traffic on standard error at the end",
        action: Apply(|settings, _| {
            settings.stats = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("explain"),
        value: None,
        group: Extensions,
        verbs: CHOOSING,
        help: "say what a failure or an empty answer likely comes from, and what helps; may ask the agent more, for a second",
        action: Apply(|settings, _| {
            settings.explain = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("no-cache"),
        value: None,
        group: Extensions,
        verbs: CHOOSING,
        help: "neither use nor keep users' keys of earlier commands, which are in $XDG_CACHE_HOME/portreeve/keys",
        action: Apply(|settings, _| {
            settings.no_cache = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("one-by-one"),
        value: None,
        group: Extensions,
        verbs: &[Verb::Walk],
        help: "ask for one variable at a time, as snmpwalk does; slower, the output is the same",
        action: Apply(|settings, _| {
            settings.one_by_one = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("max-variables"),
        value: Some("NUM"),
        group: Extensions,
        verbs: WALKING,
        help: "hold the agent to be endless after NUM variables (default: 500000; 0: never)",
        action: Apply(|settings, value| {
            let number = text(value).parse();
            settings.max_variables =
                Some(number.map_err(|_| Refused::usage("Invalid number after --max-variables."))?);
            Ok(())
        }),
    },
];

fn text(value: &OsStr) -> std::borrow::Cow<'_, str> {
    value.to_string_lossy()
}

fn secret(value: &OsStr) -> Secret {
    Secret::from(value.as_bytes())
}

fn refuse(message: &str, value: &OsStr) -> Result<(), Refused> {
    Err(Refused::usage(format!("{message}: {}", text(value))))
}

fn known<T: FromStr>(message: &str, value: &OsStr) -> Result<T, Refused> {
    text(value).parse().map_err(|_| Refused::usage(format!("{message}: {}", text(value))))
}

/// Hexadecimal digits, with or without `0x`, of 5 to 32 octets.
fn engine_id(flag: char, value: &OsStr) -> Result<EngineId, Refused> {
    let written = text(value);
    let digits = written.strip_prefix("0x").unwrap_or(&written);
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(Refused::Usage(format!("Bad engine ID value after -3{flag} flag.")));
    }
    written.parse().map_err(|_| Refused::Usage(format!("Invalid engine ID value after -{flag} flag.")))
}

/// Verbs that speak with an agent.
const ASKING: &[Verb] = &[
    Verb::Get,
    Verb::GetNext,
    Verb::BulkGet,
    Verb::Walk,
    Verb::BulkWalk,
    Verb::Set,
    Verb::Table,
    Verb::Status,
    Verb::Test,
    Verb::Delta,
    Verb::Df,
    Verb::Netstat,
    Verb::Usm,
    Verb::Vacm,
    Verb::Doctor,
];
/// Those of them that ask for something of the user's choice.
const CHOOSING: &[Verb] = ASKING.split_at(ASKING.len() - 1).0;
/// Verbs whose answer is data.
const READING: &[Verb] = &[Verb::Get, Verb::GetNext, Verb::BulkGet, Verb::Walk, Verb::BulkWalk, Verb::Table];
const WALKING: &[Verb] = &[Verb::Walk, Verb::BulkWalk];
const SHORTEST_TIMEOUT: Duration = Duration::from_micros(1);
