//! Flags of every verb: help, version, MIB modules, and output format.

use super::{AGENT_VERBS, Apply, Both, Flag, General, Short, text, usage_error};
use crate::flags::{FlagError, Version};
use crate::verb::Verb;

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Both('h', "help"),
        value: None,
        group: General,
        verbs: &Verb::ALL,
        help: "display this help message",
        action: Apply(|_, _| Err(FlagError::HelpRequested)),
    },
    Flag {
        name: Both('V', "version"),
        value: None,
        group: General,
        verbs: &Verb::ALL,
        help: "display package version number",
        action: Apply(|_, _| Err(FlagError::VersionRequested)),
    },
    Flag {
        name: Short('v'),
        value: Some("1|2c|3"),
        group: General,
        verbs: AGENT_VERBS,
        help: "set the SNMP version (default: 3)",
        action: Apply(|settings, value| {
            match Version::parse(&text(value)) {
                Some(version) => settings.version = version,
                None => return usage_error("Invalid version specified after -v flag", value),
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
            settings.format.apply(&text(value)).map_err(|unknown| FlagError::usage(unknown.to_string()))
        }),
    },
];
