//! `-C` of `netstat`.

use super::{ApplicationLetter, LetterValue};
use crate::{flags::FlagError, verb::Verb};

pub(super) static LETTERS: &[ApplicationLetter] = &[
    ApplicationLetter {
        letter: 'a',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "show sockets that listen, too",
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
        help: "show this interface only",
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
        help: "with interfaces, show octets beside packets",
        apply: |settings, _| {
            settings.application.netstat.with_octets = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'o',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "with interfaces, show octets in place of packets",
        apply: |settings, _| {
            settings.application.netstat.octets_only = true;
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'd',
        value: LetterValue::None,
        verbs: NETSTAT,
        help: "with interfaces, show dropped packets",
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
        help: "show counters of protocols; twice: without those that are zero",
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
        help: "show one protocol only: tcp, udp, ip, icmp, ip6, icmp6",
        apply: |settings, name| {
            settings.application.netstat.protocol = Some(name.to_owned());
            Ok(())
        },
    },
    ApplicationLetter {
        letter: 'f',
        value: LetterValue::Word("FAMILY"),
        verbs: NETSTAT,
        help: "show addresses of one family only: inet, inet6",
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
        help: "do not cut long names",
        apply: |settings, _| {
            settings.application.netstat.verbose = true;
            Ok(())
        },
    },
];

/// A letter that only Net-SNMP's command knows, or nobody.
pub(super) fn unknown(written: char) -> FlagError {
    let without = match written {
        'L' => "only the tables of today's MIB modules are asked for",
        'R' => "it is about tables that -CL asks for",
        'w' => "use `delta` to follow counters",
        'g' | 'm' | 'S' => "it has no effect in Net-SNMP's command either",
        _ => return FlagError::usage(""),
    };
    FlagError::Message(format!("-C{written} is not supported: {without}"))
}

const NETSTAT: &[Verb] = &[Verb::Netstat];
