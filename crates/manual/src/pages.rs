//! Which pages there are.

use portreeve_usage::{Block, Page};

use crate::config_page;

/// Every page.
pub fn all() -> Vec<Page> {
    let mut pages = vec![portreeve_cli::manual::page()];
    pages.extend(portreeve_cli::manual::verbs());
    pages.extend([
        portreeve_keys::manual::page(),
        portreeve_poll::manual::page(),
        portreeve_simulate::manual::page(),
        portreeve_lab::manual::page(),
        portreeve_agent::manual::page(),
        portreeve_sshd_subsystem::manual::page(),
        agent_file(),
        poll_file(),
    ]);
    pages
}

fn agent_file() -> Page {
    Page {
        description: vec![
            Block::text(
                "The configuration of portreeved(8) is a TOML file. `portreeved init` writes one in which every key \
                 stands with its explanation, `portreeved check` says everything that is wrong with one, with line and \
                 cure, and `portreeved reload` has a running agent read it again.",
            ),
            Block::text(
                "Secrets may stand in the file, whose mode should then be 600, or in files of their own, whose first \
                 line is read.",
            ),
        ],
        see_also: vec!["portreeved(8)".into()],
        ..config_page::page(
            "portreeved.toml",
            "configuration of the SNMP agent portreeved",
            AGENT,
            portreeve_config::options::SECTIONS,
        )
    }
}

fn poll_file() -> Page {
    Page {
        description: vec![Block::text(
            "What portreeve-poll(1) asks, and whom, is a TOML file. Credentials stand apart from targets, so that what \
             is asked can be shown to anybody. `portreeve poll --check` says everything that is wrong with a file, and \
             SIGHUP has a running poller read it again.",
        )],
        see_also: vec!["portreeve-poll(1)".into()],
        ..config_page::page(
            "portreeve-poll.toml",
            "what the poller asks, and whom",
            portreeve_poll::manual::EXAMPLE_FILE,
            portreeve_poll::manual::SECTIONS,
        )
    }
}

/// An agent with one user, who may read everything.
const AGENT: &str = "\
[system]
contact = \"noc@example.org\"

[[listen]]
address = \"[::]:161\"

[[user]]
name = \"ops\"
auth = \"SHA-256\"
auth-pass-file = \"ops.auth\"
priv = \"AES\"
priv-pass-file = \"ops.priv\"
access = \"read\"
";
