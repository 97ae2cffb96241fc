//! The flags of secure transports beyond Net-SNMP's `-T`: whom to be, whom to trust, and how long sessions are kept.

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
        help: "with the private key in FILE (PEM, mode 0600); the certificate's own file unless told",
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
        help: "trust servers for which an authority in FILE (PEM) vouches; may be given again",
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
        help: "trust the server whose certificate has this fingerprint (sha256:AB:CD:...); may be given again",
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
        help: "expect NAME in the server's certificate instead of the name in AGENT",
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
        help: "log in over ssh with the key in FILE before any other; may be given again",
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
        help: "where ssh takes a password, give the first line of FILE, and ask nobody",
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
        help: "where ssh takes a password, read it from descriptor NUM, and ask nobody",
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
        help: "keep a secure session for the next command, until nobody has used it for SECONDS (60, 60s or 5m)",
        action: Apply(|settings, value| {
            let Some(persist) = parse_time(&super::text(value)) else {
                return super::usage_error(
                    "--persist expects seconds, such as 60, 60s or 5m, up to a day",
                    value,
                );
            };
            settings.secure.persist = persist;
            Ok(())
        }),
    },
];

/// Whole seconds, minutes or hours; a day at most.
pub(crate) fn parse_time(written: &str) -> Option<Duration> {
    let unit = match written.as_bytes().last()? {
        b'm' => 60,
        b'h' => 60 * 60,
        _ => 1,
    };
    let seconds = written.trim_end_matches(['s', 'm', 'h']).parse::<u64>().ok()?.checked_mul(unit)?;
    (seconds <= MAX_PERSIST_SECONDS).then_some(Duration::from_secs(seconds))
}

/// The session may be opened by a process that works elsewhere.
fn absolute_path(value: &OsStr) -> Result<String, FlagError> {
    let unusable = || FlagError::Message(format!("{}: no name of a file", super::text(value)));
    let absolute = std::path::absolute(Path::new(value)).map_err(|_| unusable())?;
    absolute.into_os_string().into_string().map_err(|_| unusable())
}

const MAX_PERSIST_SECONDS: u64 = 24 * 60 * 60;
