//! Flags of Net-SNMP for logging, for parsing files and names, and for known keys and clocks.

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
        help: "list the supported snmp.conf directives",
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
        help: "toggle MIB parsing options: e: do not report errors in MIB files; c, d, R, u, w, W: no effect",
        action: Apply(|settings, value| {
            for letter in super::text(value).chars() {
                match letter {
                    'e' => settings.suppress_mib_warnings = !settings.suppress_mib_warnings,
                    // The parser always tolerates what these letters permit.
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
        help: "toggle input options: b: use each name as a regular expression that selects the best match; h: do not \
               apply DISPLAY-HINT to string values; r: do not check values against the MIB; R: accept names \
               without their module; u: numeric OIDs without a leading dot are relative to mib-2; s SUFFIX: append \
               SUFFIX to every name; S PREFIX: prepend PREFIX to every name",
        action: ApplyWithNext(|settings, value, more| input_names::parse_flag(settings, value, more)),
    },
    Flag {
        name: Short('Y'),
        value: Some("NAME=VALUE"),
        group: General,
        verbs: &Verb::ALL,
        help: "set a directive of snmp.conf",
        action: Apply(|settings, value| {
            let text = super::text(value);
            let (word, value) = text.split_once('=').unwrap_or((&text, ""));
            snmp_conf::set_directive(settings, word, value)
                .map_err(|why| FlagError::Usage(format!("-Y {word}: {why}")))
        }),
    },
    Flag {
        name: Short('3'),
        value: Some("m|M|k|K 0xHEX"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set a key instead of a pass phrase: m: master authentication key, M: master privacy key, k: localized \
               authentication key, K: localized privacy key",
        action: ApplyWithNext(|settings, value, more| keys::parse_keys(settings, value, more)),
    },
    Flag {
        name: Short('Z'),
        value: Some("BOOTS,TIME"),
        group: User,
        verbs: AGENT_VERBS,
        help: "set the engineBoots and engineTime of the agent",
        action: ApplyWithNext(|settings, value, more| keys::parse_clock(settings, value, more)),
    },
    Flag {
        name: Short('T'),
        value: Some("KEY=VALUE"),
        group: Communication,
        verbs: AGENT_VERBS,
        help: "set an option of a secure transport: our_identity (or localCert), their_identity (or peerCert), \
               trust_cert, or their_hostname",
        action: Apply(|settings, value| {
            let text = super::text(value);
            let Some((key, value)) = text.split_once('=') else {
                return Err(FlagError::usage("-T expects a NAME=VALUE pair."));
            };
            let Some(known) = TRANSPORT_OPTIONS.iter().find(|known| known.eq_ignore_ascii_case(key)) else {
                let known = TRANSPORT_OPTIONS.join(", ");
                let message = format!("-T: unknown transport option {key:?}: expected one of {known}");
                return Err(FlagError::Message(message));
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
        help: "turn on debugging output for the TOKENs: parse, send, recv, usm, walk, or all",
        action: Apply(|settings, value| {
            for text in super::text(value).split(',').filter(|text| !text.is_empty()) {
                if !Token::add(&mut settings.debug, text) {
                    let message = format!("unknown debug token {text:?}: expected {}", Token::NAMES);
                    settings.log.warning(&message);
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
        help: "send log messages to e: standard error; o: standard output; f FILE: a file; s FACILITY: syslog; n: \
               nowhere; the capital letters E, O, F, S and N take a PRIORITY first: 3 selects the priorities 0 to 3, \
               and 3-5 selects 3 to 5",
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
        help: "behave like Net-SNMP: send one request at a time, retry it every second up to 5 times, print control \
               characters unchanged even on a terminal, and never prompt",
        action: Apply(|settings, value| {
            if value != "net-snmp" {
                return super::usage_error("--compat accepts only net-snmp", value);
            }
            settings.like_net_snmp = true;
            Ok(())
        }),
    },
];

/// The options of Net-SNMP's secure transports. Old scripts use the last two spellings.
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
