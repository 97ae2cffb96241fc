//! The flags of Net-SNMP's commands that are about how they work: what is logged, how files and names are read, and
//! keys and clocks that are known beforehand.

use std::rc::Rc;

use super::{AGENT_VERBS, Apply, Communication, Debugging, Extensions, Flag, General, Long, Short, User};
use crate::{
    debug::Token,
    flags::{Action, FlagError, input_names, keys},
    log::Sink,
    snmp_conf,
    verb::Verb,
};

use Action::ApplyWithNext;

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Short('H'),
        value: None,
        group: General,
        verbs: &Verb::ALL,
        help: "display the words of snmp.conf that are understood",
        action: Apply(|_, _| {
            eprint!("{}", snmp_conf::listing());
            Err(FlagError::Done)
        }),
    },
    Flag {
        name: Short('P'),
        value: Some("MIBOPTS"),
        group: General,
        verbs: &Verb::ALL,
        help: "toggle MIB parsing: e: say nothing of faults in MIB files; c, d, R, u, w, W: no effect",
        action: Apply(|settings, value| {
            for letter in super::text(value).chars() {
                match letter {
                    'e' => settings.suppress_mib_warnings = !settings.suppress_mib_warnings,
                    // Files are read leniently in all of this, whatever is asked for.
                    'c' | 'd' | 'R' | 'u' | 'w' | 'W' => {}
                    other => {
                        return Err(FlagError::Usage(format!(
                            "Unknown parsing option passed to -P: {other}."
                        )));
                    }
                }
            }
            Ok(())
        }),
    },
    Flag {
        name: Short('I'),
        value: Some("INOPTS"),
        group: General,
        verbs: &Verb::ALL,
        help: "toggle input parsing: b: take the best match of a regular expression for a name; h: apply no \
               DISPLAY-HINT to strings; r: do not check values; R: take any object's name; u: numbers without a dot \
               are below mib-2; s SUFFIX, S PREFIX: complete every name",
        action: ApplyWithNext(|settings, value, more| input_names::parse_flag(settings, value, more)),
    },
    Flag {
        name: Short('Y'),
        value: Some("NAME=VALUE"),
        group: General,
        verbs: &Verb::ALL,
        help: "set a word of snmp.conf",
        action: Apply(|settings, value| {
            let written = super::text(value);
            let (word, value) = written.split_once('=').unwrap_or((&written, ""));
            snmp_conf::set_directive(settings, word, value)
                .map_err(|why| FlagError::Usage(format!("-Y {word}: {why}")))
        }),
    },
    Flag {
        name: Short('3'),
        value: Some("m|M|k|K 0xHEX"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set a master (m: authentication, M: privacy) or localized (k, K) key instead of a pass phrase",
        action: ApplyWithNext(|settings, value, more| keys::parse_keys(settings, value, more)),
    },
    Flag {
        name: Short('Z'),
        value: Some("BOOTS,TIME"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set destination engine boots/time",
        action: ApplyWithNext(|settings, value, more| keys::parse_clock(settings, value, more)),
    },
    Flag {
        name: Short('T'),
        value: Some("KEY=VALUE"),
        group: Communication,
        verbs: AGENT_VERBS,
        help: "set an option of a secure transport (our_identity or localCert, their_identity or peerCert, \
               trust_cert, their_hostname)",
        action: Apply(|settings, value| {
            let written = super::text(value);
            let Some((key, value)) = written.split_once('=') else {
                return Err(FlagError::usage("-T expects a NAME=VALUE pair."));
            };
            let Some(known) = TRANSPORT_OPTIONS.iter().find(|known| known.eq_ignore_ascii_case(key)) else {
                let known = TRANSPORT_OPTIONS.join(", ");
                return Err(FlagError::Message(format!("-T: no transport has an option {key:?} ({known})")));
            };
            settings.transport_options.push((known, value.to_owned()));
            Ok(())
        }),
    },
    Flag {
        name: Short('d'),
        value: None,
        group: Debugging,
        verbs: AGENT_VERBS,
        help: "dump input/output packets in hexadecimal",
        action: Apply(|settings, _| {
            settings.dump_packets = true;
            Ok(())
        }),
    },
    Flag {
        name: Short('D'),
        value: Some("TOKEN[,...]"),
        group: Debugging,
        verbs: AGENT_VERBS,
        help: "turn on debugging output for the TOKENs: parse, send, recv, usm, walk; all for all of them",
        action: Apply(|settings, value| {
            for written in super::text(value).split(',').filter(|written| !written.is_empty()) {
                if !Token::add(&mut settings.debug, written) {
                    settings.log.warning(&format!("no debug token is called {written} ({})", Token::NAMES));
                }
            }
            Ok(())
        }),
    },
    Flag {
        name: Short('L'),
        value: Some("LOGOPTS"),
        group: Debugging,
        verbs: &Verb::ALL,
        help: "log to e: standard error, o: standard output, n: nowhere, f FILE, s FACILITY of syslog; as E, O, N, F \
               and S with a PRIORITY, or two with a dash between, before the rest",
        action: ApplyWithNext(|settings, value, more| {
            let sink = Sink::parse_flag(value, more)?;
            Rc::make_mut(&mut settings.log).add(sink);
            Ok(())
        }),
    },
    Flag {
        name: Long("compat"),
        value: Some("net-snmp"),
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "work as Net-SNMP does: requests one after the other, sent again every second up to 5 times; octets \
               as they are, also to a terminal; no prompt",
        action: Apply(|settings, value| {
            if value != "net-snmp" {
                return super::usage_error("Only net-snmp can follow --compat", value);
            }
            settings.like_net_snmp = true;
            Ok(())
        }),
    },
];

/// Of Net-SNMP's secure transports; the last two are spelled so in old scripts.
const TRANSPORT_OPTIONS: [&str; 8] = [
    "localCert",
    "peerCert",
    "trust_cert",
    "their_hostname",
    "our_identity",
    "their_identity",
    "ourIdentity",
    "theirIdentity",
];
