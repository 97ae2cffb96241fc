//! Flags for credentials: the community, or an SNMPv3 user.

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, str::FromStr};

use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

use super::{AGENT_VERBS, Apply, Community, Extensions, Flag, Long, Short, User, text, usage_error};
use crate::flags::{FlagError, pass_phrase};

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Short('c'),
        value: Some("COMMUNITY"),
        group: Community,
        verbs: AGENT_VERBS,
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
        verbs: AGENT_VERBS,
        help: "set authentication protocol (MD5|SHA|SHA-224|SHA-256|SHA-384|SHA-512); default: MD5",
        action: Apply(|settings, value| {
            let protocol = parse_protocol("Invalid authentication protocol specified after -3a flag", value)?;
            settings.auth_protocol = Some(protocol);
            Ok(())
        }),
    },
    Flag {
        name: Short('A'),
        value: Some("PASSPHRASE"),
        group: User,
        verbs: AGENT_VERBS,
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
        verbs: AGENT_VERBS,
        help: "set security engine ID (e.g. 800000020109840301)",
        action: Apply(|settings, value| {
            settings.security_engine_id = Some(parse_engine_id('e', value)?);
            Ok(())
        }),
    },
    Flag {
        name: Short('E'),
        value: Some("ENGINE-ID"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set context engine ID (e.g. 800000020109840301)",
        action: Apply(|settings, value| {
            settings.context_engine_id = Some(parse_engine_id('E', value)?);
            Ok(())
        }),
    },
    Flag {
        name: Short('l'),
        value: Some("LEVEL"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set security level (noAuthNoPriv|authNoPriv|authPriv); default: noAuthNoPriv",
        action: Apply(|settings, value| {
            let input = text(value);
            let numbered = input.parse().ok().and_then(SecurityLevel::from_number);
            settings.level = match numbered.or_else(|| input.parse().ok()) {
                Some(level) => level,
                None => return usage_error("Invalid security level specified after -3l flag", value),
            };
            Ok(())
        }),
    },
    Flag {
        name: Short('n'),
        value: Some("CONTEXT"),
        group: User,
        verbs: AGENT_VERBS,
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
        verbs: AGENT_VERBS,
        help: "set security name (e.g. bert); required for SNMPv3 over UDP and TCP",
        action: Apply(|settings, value| {
            settings.user = Some(value.as_bytes().to_vec());
            Ok(())
        }),
    },
    Flag {
        name: Short('x'),
        value: Some("PROTOCOL"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set privacy protocol (DES|3DES|AES|AES-192|AES-256|AES-192-C|AES-256-C); default: DES",
        action: Apply(|settings, value| {
            let protocol = parse_protocol("Invalid privacy protocol specified after -3x flag", value)?;
            settings.priv_protocol = Some(protocol);
            Ok(())
        }),
    },
    Flag {
        name: Short('X'),
        value: Some("PASSPHRASE"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set privacy protocol pass phrase",
        action: Apply(|settings, value| {
            settings.priv_pass = Some(secret(value));
            Ok(())
        }),
    },
    Flag {
        name: Long("auth-pass-file"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
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
        verbs: AGENT_VERBS,
        help: "read the authentication pass phrase from file descriptor NUM",
        action: Apply(|settings, value| {
            settings.auth_pass = Some(pass_phrase::from_descriptor(value)?);
            Ok(())
        }),
    },
    Flag {
        name: Long("priv-pass-file"),
        value: Some("FILE"),
        group: Extensions,
        verbs: AGENT_VERBS,
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
        verbs: AGENT_VERBS,
        help: "read the privacy pass phrase from file descriptor NUM",
        action: Apply(|settings, value| {
            settings.priv_pass = Some(pass_phrase::from_descriptor(value)?);
            Ok(())
        }),
    },
];

fn secret(value: &OsStr) -> Secret {
    Secret::from(value.as_bytes())
}

fn parse_protocol<T: FromStr>(message: &str, value: &OsStr) -> Result<T, FlagError> {
    text(value).parse().map_err(|_| FlagError::usage(format!("{message}: {}", text(value))))
}

/// Parses an engine ID: 5 to 32 octets in hexadecimal, with or without `0x`.
fn parse_engine_id(flag: char, value: &OsStr) -> Result<EngineId, FlagError> {
    let input = text(value);
    let digits = input.strip_prefix("0x").unwrap_or(&input);
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(FlagError::Usage(format!("Bad engine ID value after -3{flag} flag.")));
    }
    input.parse().map_err(|_| FlagError::Usage(format!("Invalid engine ID value after -{flag} flag.")))
}
