//! The manual page of the receiver.

use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::program::arguments::{DESCRIPTION, OPTIONS, SYNOPSIS};

/// Returns the manual page.
pub fn page() -> Page {
    let entries = OPTIONS.iter().map(|option| option.flag.into()).collect();
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(DESCRIPTION.replace('\n', " ")),
            Block::text(
                "Called as snmptrapd, or with -c, the program reads snmptrapd.conf: authCommunity, authUser, \
                 disableAuthorization, createUser, traphandle, format1, format2, snmpTrapdAddr, outputOption and \
                 doNotLogTraps. A directive with an error is reported and omitted.",
            ),
            Block::text(
                "Notifications that arrive at the same time are written together, and then with one sync, so that a storm \
                 needs few writes. Informs are answered after the sync. If the disk is full, informs are answered with \
                 genErr, and traps are counted as lost. Notifications for which there is no memory are discarded and counted; \
                 once a minute, the log contains the counts with the source of most of them.",
            ),
            Block::text(
                "SNMPv3 traps are accepted only within the time window of their sender, whose clock is stored at most once a \
                 minute. After a restart, a trap can be accepted again if it was sent in the minutes before it.",
            ),
            Block::text(
                "SIGHUP opens the files again, for logrotate(8). SIGTERM and SIGINT end the program.",
            ),
        ],
        options: vec![OptionGroup { heading: "", entries }],
        operands: Completion::Nothing,
        classic_name: Some("snmptrapd"),
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("A file that accepts a user from one network:"),
                    Block::code(EXAMPLE_FILE),
                    Block::text("Check the file, and show what a sender needs:"),
                    Block::code("portreeve trapd --check\nportreeve trapd --show-sender-config"),
                    Block::text("Print what Net-SNMP's configuration accepts:"),
                    Block::code("portreeve trapd -c /etc/snmp/snmptrapd.conf udp:0.0.0.0:162"),
                ],
            ),
            Section::exit_status(&[
                (0, "success"),
                (1, "the configuration is invalid, or a socket or file cannot be opened"),
                (2, "invalid command line"),
            ]),
        ],
        see_also: vec![
            "portreeve-trapd.toml(5)".into(),
            "portreeve-trap(1)".into(),
            "portreeved.toml(5)".into(),
        ],
        ..Page::new("portreeve trapd", 1, "receive SNMP traps and informs")
    }
}

/// An example file.
pub const EXAMPLE_FILE: &str = "\
[receive]
log = \"/var/log/portreeve/traps.log\"

[[user]]
name = \"traps\"
auth-pass-file = \"traps.auth\"
priv-pass-file = \"traps.priv\"

# The user exists on all senders in this network.
[[sender]]
user = \"traps\"
sources = [\"10.0.0.0/8\"]

[[accept]]
name = \"traps\"
";
