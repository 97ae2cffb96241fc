//! The list of manual pages.

use portreeve_usage::{Block, Page};

use crate::config_page;

/// Returns every manual page of the project.
pub fn all() -> Vec<Page> {
    let mut pages = vec![portreeve_cli::manual::page()];
    pages.extend(portreeve_cli::manual::verbs());
    pages.extend([
        portreeve_keys::manual::page(),
        portreeve_poll::manual::page(),
        portreeve_simulate::manual::page(),
        portreeve_trapd::manual::page(),
        portreeve_yang_compiler::manual::page(),
        portreeve_lab::manual::page(),
        portreeve_agent::manual::page(),
        portreeve_sshd_subsystem::manual::page(),
        agent_file(),
        poll_file(),
        receiver_file(),
    ]);
    pages
}

fn agent_file() -> Page {
    Page {
        description: vec![
            Block::text(
                "portreeved(8) is configured by a TOML file. `portreeved init` writes a file that explains every key. \
                 `portreeved check` lists all errors in a file, each with its line and a hint. `portreeved reload` \
                 makes a running agent reload the file.",
            ),
            Block::text(
                "Secrets may be in this file, whose mode should then be 600, or in separate files, each with the secret \
                 in its first line.",
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
            "The targets, objects and credentials of portreeve-poll(1) are in a TOML file. Credentials are separate \
             from targets, so that the list of targets can be shared. `portreeve poll --check` lists all errors in a \
             file, and SIGHUP makes a running poller reload it.",
        )],
        see_also: vec!["portreeve-poll(1)".into()],
        ..config_page::page(
            "portreeve-poll.toml",
            "configuration of the SNMP poller portreeve-poll",
            portreeve_poll::manual::EXAMPLE_FILE,
            portreeve_poll::manual::SECTIONS,
        )
    }
}

fn receiver_file() -> Page {
    Page {
        description: vec![Block::text(
            "The receiver of notifications, portreeve-trapd(1), is configured by a TOML file. Its listeners, users and \
             certificates are written as in portreeved.toml(5), but the default ports are 162, 5162 and 10162, and \
             options that concern requests have no effect. Nothing is accepted without an [[accept]]. \
             `portreeve trapd --check` lists all errors in the file, each with its line and a hint.",
        )],
        see_also: vec!["portreeve-trapd(1)".into(), "portreeved.toml(5)".into()],
        ..config_page::page(
            "portreeve-trapd.toml",
            "configuration of the notification receiver portreeve-trapd",
            portreeve_trapd::manual::EXAMPLE_FILE,
            portreeve_config::RECEIVER_SECTIONS,
        )
    }
}

/// The example configuration: an agent with a user over SSH and a user of USM, who may read.
const AGENT: &str = "\
[system]
contact = \"noc@example.org\"

# SNMP over SSH: users log in with the keys that they use for sshd.
[[listen]]
transport = \"ssh\"

[ssh]
host-keys = [\"/etc/ssh/ssh_host_ed25519_key\"]
authorized-keys = [\"%h/.ssh/authorized_keys\"]

[[session-user]]
name = \"ops\"
access = \"read\"

# SNMPv3 with USM over UDP.
[[listen]]
transport = \"udp\"

[[user]]
name = \"poller\"
auth = \"SHA-256\"
auth-pass-file = \"poller.auth\"
priv = \"AES\"
priv-pass-file = \"poller.priv\"
access = \"read\"
";
