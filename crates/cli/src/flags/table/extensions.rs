//! Flags that Net-SNMP does not have: data formats, statistics, explanations, and walk options.

use super::{AGENT_VERBS, Apply, DATA_VERBS, Extensions, Flag, Long, REQUEST_VERBS, text};
use crate::flags::FlagError;
use crate::output::record::DataFormat;
use crate::verb::Verb;

pub(super) static FLAGS: &[Flag] = &[
    Flag {
        name: Long("json"),
        value: None,
        group: Extensions,
        verbs: DATA_VERBS,
        help: "print one JSON array of variables or rows",
        action: Apply(|settings, _| {
            settings.data_format = DataFormat::Json;
            Ok(())
        }),
    },
    Flag {
        name: Long("jsonl"),
        value: None,
        group: Extensions,
        verbs: DATA_VERBS,
        help: "print one JSON object per line",
        action: Apply(|settings, _| {
            settings.data_format = DataFormat::JsonLines;
            Ok(())
        }),
    },
    Flag {
        name: Long("csv"),
        value: None,
        group: Extensions,
        verbs: DATA_VERBS,
        help: "print comma-separated values with a header line; a text that a spreadsheet would evaluate as a formula \
               gets a leading apostrophe",
        action: Apply(|settings, _| {
            settings.data_format = DataFormat::Csv;
            Ok(())
        }),
    },
    Flag {
        name: Long("raw"),
        value: None,
        group: Extensions,
        verbs: AGENT_VERBS,
        help: "print the octets of strings unchanged, even control characters; without --raw, a dot replaces each \
               control character and each octet that is not UTF-8 (in a pipe or file, a program with a Net-SNMP \
               name, such as snmpget, preserves octets that are not UTF-8)",
        action: Apply(|settings, _| {
            settings.raw_octets = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("stats"),
        value: None,
        group: Extensions,
        verbs: REQUEST_VERBS,
        help: "print one line of traffic statistics on standard error at the end",
        action: Apply(|settings, _| {
            settings.stats = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("explain"),
        value: None,
        group: Extensions,
        verbs: REQUEST_VERBS,
        help: "explain a failure or an empty result and suggest a fix; this may send additional requests for about a \
               second",
        action: Apply(|settings, _| {
            settings.explain = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("no-cache"),
        value: None,
        group: Extensions,
        verbs: REQUEST_VERBS,
        help: "do not use the cache of derived user keys in $XDG_CACHE_HOME/portreeve/keys",
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
        help: "request one variable at a time, as snmpwalk does; slower, with the same output",
        action: Apply(|settings, _| {
            settings.one_by_one = true;
            Ok(())
        }),
    },
    Flag {
        name: Long("max-variables"),
        value: Some("NUM"),
        group: Extensions,
        verbs: &[Verb::Walk, Verb::BulkWalk, Verb::Table],
        help: "stop with an error after NUM variables (0: no limit; default: 0, for table 500000)",
        action: Apply(|settings, value| {
            let number = text(value).parse();
            settings.max_variables =
                Some(number.map_err(|_| FlagError::usage("Invalid number after --max-variables."))?);
            Ok(())
        }),
    },
];
