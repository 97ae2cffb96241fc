//! Flags of secure transports beyond Net-SNMP's `-T`: identity, trust, and persistent sessions.

use std::{ffi::OsStr, path::Path, time::Duration};

use super::{AGENT_VERBS, Apply, Extensions, Flag, Long, REQUEST_VERBS};
use crate::flags::{FlagError, pass_phrase};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Long("certificate"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "present the certificate in FILE (PEM) over tls and dtls",
        action: Apply(|settings, value| {
            settings.secure.certificate = Some(absolute_path(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("key"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "use the private key in FILE (PEM, mode 0600; default: the certificate file)",
        action: Apply(|settings, value| {
            settings.secure.key = Some(absolute_path(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("ca"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "trust server certificates issued by an authority in FILE (PEM); may be repeated",
        action: Apply(|settings, value| {
            settings.secure.authorities.push(absolute_path(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("pin"),
        value: Some("FINGERPRINT"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "trust the server whose certificate has this fingerprint (sha256:AB:CD:...); may be repeated",
        action: Apply(|settings, value| {
            settings.secure.pins.push(super::text(value).into_owned());
            Ok(())
        }),
    },
    Flag {
        name: Long("server-name"),
        value: Some("NAME"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "expect NAME in the server's certificate instead of the host in AGENT",
        action: Apply(|settings, value| {
            settings.secure.server_name = Some(super::text(value).into_owned());
            Ok(())
        }),
    },
    Flag {
        name: Long("identity"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "log in over ssh with the key in FILE before trying other keys; may be repeated",
        action: Apply(|settings, value| {
            settings.secure.identities.push(absolute_path(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("password-file"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "use the first line of FILE as the ssh password and do not prompt",
        action: Apply(|settings, value| {
            settings.ssh_password = Some(pass_phrase::from_file(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("password-fd"),
        value: Some("NUM"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "read the ssh password from file descriptor NUM and do not prompt",
        action: Apply(|settings, value| {
            settings.ssh_password = Some(pass_phrase::from_descriptor(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("persist"),
        value: Some("SECONDS"),
        group: Extensions,
        verbs: REQUEST_VERBS,
        help: "keep a secure session open for later commands until it is unused for SECONDS (60, 60s or 5m)",
        action: Apply(|settings, value| {
            let Some(persist) = parse_time(&super::text(value)) else {
                return super::usage_error(
                    "--persist expects a time such as 60, 60s or 5m, at most one day",
                    value,
                );
            };
            settings.secure.persist = persist;
            Ok(())
        }),
    },
];

/// Parses whole seconds, minutes or hours, at most a day.
pub(crate) fn parse_time(text: &str) -> Option<Duration> {
    let unit = match text.as_bytes().last()? {
        b'm' => 60,
        b'h' => 60 * 60,
        _ => 1,
    };
    let seconds = text.trim_end_matches(['s', 'm', 'h']).parse::<u64>().ok()?.checked_mul(unit)?;
    (seconds <= MAX_PERSIST_SECONDS).then_some(Duration::from_secs(seconds))
}

/// Returns the absolute path, because the broker, which opens the session, runs in another
/// directory.
fn absolute_path(value: &OsStr) -> Result<String, FlagError> {
    let unusable = || FlagError::Message(format!("{}: invalid file name", super::text(value)));
    let absolute = std::path::absolute(Path::new(value)).map_err(|_| unusable())?;
    absolute.into_os_string().into_string().map_err(|_| unusable())
}

const MAX_PERSIST_SECONDS: u64 = 24 * 60 * 60;
