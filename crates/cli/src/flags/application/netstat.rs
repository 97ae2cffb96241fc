//! The letters of `-C` for `netstat`.

use super::{ApplicationLetter, LetterValue};
use crate::{flags::FlagError, verb::Verb};

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'a',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show listening sockets too",
        apply: |settings, _| {
            settings.application.netstat.listeners = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'i',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show interfaces",
        apply: |settings, _| {
            settings.application.netstat.interfaces = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'I',
        value: LetterValue::Word("INTERFACE"),
        verbs: NETSTAT,
        help: "show only this interface",
        apply: |settings, name| {
            settings.application.netstat.interfaces = true;
            settings.application.netstat.interface = Some(name.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'b',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "with -Ci, show octets in addition to packets",
        apply: |settings, _| {
            settings.application.netstat.with_octets = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'o',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "with -Ci, show octets instead of packets",
        apply: |settings, _| {
            settings.application.netstat.octets_only = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'd',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "with -Ci, show dropped packets",
        apply: |settings, _| {
            settings.application.netstat.drops = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'r',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show routes",
        apply: |settings, _| {
            settings.application.netstat.routes = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 's',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show protocol counters; if given twice, omit counters that are zero",
        apply: |settings, _| {
            let statistics = &mut settings.application.netstat.statistics;
            *statistics = statistics.saturating_add(1);
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'p',
        value: LetterValue::Word("PROTOCOL"),
        verbs: NETSTAT,
        help: "show only this protocol: tcp, udp, ip, icmp, ip6, icmp6",
        apply: |settings, name| {
            settings.application.netstat.protocol = Some(name.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'f',
        value: LetterValue::Word("FAMILY"),
        verbs: NETSTAT,
        help: "show only addresses of this family: inet, inet6",
        apply: |settings, name| {
            settings.application.netstat.family = Some(name.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'n',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show addresses and ports as numbers",
        apply: |settings, _| {
            settings.application.netstat.numeric = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'v',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "do not truncate long names",
        apply: |settings, _| {
            settings.application.netstat.verbose = true;
            Ok(())
        },
    },
];

/// Returns the error for a letter that only Net-SNMP supports, or that is unknown.
pub(super) fn unknown(letter: char) -> FlagError {
    let reason = match letter {
        'L' => "portreeve reads only the current tables",
        'R' => "this letter applies only to the tables that -CL selects",
        'w' => "use `delta` to follow counters",
        'g' | 'm' | 'S' => "this letter has no effect in snmpnetstat either",
        _ => return FlagError::usage(""),
    };
    FlagError::Message(format!("-C{letter} is not supported: {reason}"))
}

const NETSTAT: &[Verb] = &[Verb::Netstat];
