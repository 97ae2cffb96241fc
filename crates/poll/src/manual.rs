//! The manual page of the poller.

use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{DESCRIPTION, OPTIONS, SIGNALS, SYNOPSIS};

pub use crate::configuration::sections::SECTIONS;

/// Returns the manual page.
pub fn page() -> Page {
    let entries = OPTIONS.iter().map(|option| option.flag.into()).collect();
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(DESCRIPTION),
            Block::text(
                "One process polls thousands of agents. A slow or silent agent does not delay the others: each has its \
                 own window of requests and its own pace, and requests are retransmitted at intervals that \
                 depend on the measured round-trip time. Each line contains the target, even if the agent did not respond. The \
                 results distinguish a counter that passed its maximum from a restart of the agent.",
            ),
            Block::text(
                "With a section [prometheus] in FILE, results are also served over HTTP: /metrics contains the last results \
                 of all targets, and /snmp?target=&auth=&module= queries an agent immediately, as snmp_exporter does. \
                 Credentials are sent to configured targets only, unless FILE lists other networks and the credentials \
                 that may be sent there.",
            ),
            Block::text(SIGNALS.replace('\n', " ")),
        ],
        options: vec![OptionGroup { heading: "", entries }],
        operands: Completion::Files,
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("A minimal file:"),
                    Block::code(EXAMPLE_FILE),
                    Block::text("Check the file, then poll once:"),
                    Block::code("portreeve poll --check poll.toml\nportreeve poll --once --csv poll.toml"),
                ],
            ),
            Section::exit_status(&[
                (0, "success, even if agents did not respond"),
                (1, "FILE is invalid, or a socket cannot be opened"),
                (2, "invalid command line"),
            ]),
        ],
        see_also: vec!["portreeve-poll.toml(5)".into(), "portreeve-simulate(1)".into()],
        ..Page::new("portreeve poll", 1, "poll thousands of SNMP agents periodically")
    }
}

/// An example file that polls one agent.
pub const EXAMPLE_FILE: &str = crate::arguments::EXAMPLE;
