//! What the manual says about the poller.

use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{DESCRIPTION, OPTIONS, SIGNALS, SYNOPSIS};

pub use crate::configuration::sections::SECTIONS;

/// The page of the program.
pub fn page() -> Page {
    let entries = OPTIONS.iter().map(|option| option.flag.into()).collect();
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(DESCRIPTION),
            Block::text(
                "One process asks thousands of agents. A slow or silent agent costs the others nothing: each has its \
                 own window of requests and its own pace, and requests are sent again as measured round trips \
                 suggest. Every line names its target, also where the agent did not answer. Counters that wrapped \
                 and agents that restarted are told apart.",
            ),
            Block::text(
                "With a section [prometheus] in FILE, results are shown over HTTP too: /metrics has the last ones of \
                 all targets, and /snmp?target=&auth=&module= asks an agent at once, as snmp_exporter does. Credentials \
                 are sent to configured targets only, unless FILE lists other networks and which credentials they may \
                 see.",
            ),
            Block::text(SIGNALS),
        ],
        options: vec![OptionGroup { heading: "", entries }],
        operands: Completion::Files,
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("The shortest useful file:"),
                    Block::code(EXAMPLE_FILE),
                    Block::text("See that the file is right, then ask once:"),
                    Block::code("portreeve poll --check poll.toml\nportreeve poll --once --csv poll.toml"),
                ],
            ),
            Section::exit_status(&[
                (0, "all is well, also where agents did not answer"),
                (1, "FILE is wrong, or the machine refuses sockets"),
                (2, "the command line means nothing"),
            ]),
        ],
        see_also: vec!["portreeve-poll.toml(5)".into(), "portreeve-simulate(1)".into()],
        ..Page::new("portreeve poll", 1, "ask thousands of SNMP agents again and again")
    }
}

/// A file that polls one agent.
pub const EXAMPLE_FILE: &str = crate::arguments::EXAMPLE;
