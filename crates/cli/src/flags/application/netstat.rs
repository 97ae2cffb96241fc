//! `-C` of `netstat`.

use super::{Letter, Value};
use crate::{flags::Refused, verb::Verb};

pub(super) static LETTERS: &[Letter] = &[
    Letter {
        letter: 'a',
        value: Value::None,
        verbs: NETSTAT,
        help: "show sockets that listen, too",
        apply: |settings, _| {
            settings.application.netstat.listeners = true;
            Ok(())
        },
    },
    Letter {
        letter: 'i',
        value: Value::None,
        verbs: NETSTAT,
        help: "show interfaces",
        apply: |settings, _| {
            settings.application.netstat.interfaces = true;
            Ok(())
        },
    },
    Letter {
        letter: 'I',
        value: Value::Word("INTERFACE"),
        verbs: NETSTAT,
        help: "show this interface only",
        apply: |settings, name| {
            settings.application.netstat.interfaces = true;
            settings.application.netstat.interface = Some(name.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'b',
        value: Value::None,
        verbs: NETSTAT,
        help: "with interfaces, show octets beside packets",
        apply: |settings, _| {
            settings.application.netstat.octets_too = true;
            Ok(())
        },
    },
    Letter {
        letter: 'o',
        value: Value::None,
        verbs: NETSTAT,
        help: "with interfaces, show octets in place of packets",
        apply: |settings, _| {
            settings.application.netstat.octets_only = true;
            Ok(())
        },
    },
    Letter {
        letter: 'd',
        value: Value::None,
        verbs: NETSTAT,
        help: "with interfaces, show dropped packets",
        apply: |settings, _| {
            settings.application.netstat.drops = true;
            Ok(())
        },
    },
    Letter {
        letter: 'r',
        value: Value::None,
        verbs: NETSTAT,
        help: "show routes",
        apply: |settings, _| {
            settings.application.netstat.routes = true;
            Ok(())
        },
    },
    Letter {
        letter: 's',
        value: Value::None,
        verbs: NETSTAT,
        help: "show counters of protocols; twice: without those that are zero",
        apply: |settings, _| {
            let statistics = &mut settings.application.netstat.statistics;
            *statistics = statistics.saturating_add(1);
            Ok(())
        },
    },
    Letter {
        letter: 'p',
        value: Value::Word("PROTOCOL"),
        verbs: NETSTAT,
        help: "show one protocol only: tcp, udp, ip, icmp, ip6, icmp6",
        apply: |settings, name| {
            settings.application.netstat.protocol = Some(name.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'f',
        value: Value::Word("FAMILY"),
        verbs: NETSTAT,
        help: "show addresses of one family only: inet, inet6",
        apply: |settings, name| {
            settings.application.netstat.family = Some(name.to_owned());
            Ok(())
        },
    },
    Letter {
        letter: 'n',
        value: Value::None,
        verbs: NETSTAT,
        help: "show addresses and ports as numbers",
        apply: |settings, _| {
            settings.application.netstat.numeric = true;
            Ok(())
        },
    },
    Letter {
        letter: 'v',
        value: Value::None,
        verbs: NETSTAT,
        help: "do not cut long names",
        apply: |settings, _| {
            settings.application.netstat.verbose = true;
            Ok(())
        },
    },
];

/// A letter that only Net-SNMP's command knows, or nobody.
pub(super) fn unknown(written: char) -> Refused {
    let without = match written {
        'L' => "only the tables of today's MIB modules are asked for",
        'R' => "it is about tables that -CL asks for",
        'w' => "use `delta` to follow counters",
        'g' | 'm' | 'S' => "it has no effect in Net-SNMP's command either",
        _ => return Refused::usage(""),
    };
    Refused::Message(format!("-C{written} is not supported: {without}"))
}

const NETSTAT: &[Verb] = &[Verb::Netstat];
