//! The manual page of the simulator.

use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{DESCRIPTION, FILE_FORMATS, READY_AND_SIGNALS, SYNOPSIS, flags};

/// Returns the manual page.
pub fn page() -> Page {
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(DESCRIPTION),
            Block::text(FILE_FORMATS.replace('\n', " ")),
            Block::text(
                "Agents are assigned to the files in rotation. Each has its own address or port, and its own engine ID; with \
                 `--by context` all are contexts of one engine, named after the files. An agent's values come from \
                 its recording and are constant unless the recording varies them. SET requests are rejected.",
            ),
            Block::text(
                "Over `ssh`, `tls` and `dtls`, agents accept clients with an authorized key or certificate. \
                 `--keys` creates such a key and certificate. All agents have the same host key and the same certificate, \
                 for the name `simulated`. Every authenticated client can read everything.",
            ),
            Block::text(READY_AND_SIGNALS),
        ],
        options: vec![OptionGroup { heading: "", entries: flags().map(Into::into).collect() }],
        operands: Completion::Files,
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Record an agent, simulate it, and query the simulation:"),
                    Block::code(
                        "portreeve walk -v2c -c public -On 192.0.2.1 .1 > router.walk\n\
                         portreeve simulate router.walk &\n\
                         portreeve get -v2c -c public 127.0.0.1:1161 sysDescr.0",
                    ),
                    Block::text("A thousand agents on an unreliable network:"),
                    Block::code(
                        "portreeve simulate --by address --listen udp:127.1.0.1:16161 \\\n    \
                         --agents 1000 --loss 2 --delay 30 --jitter 200 \\\n    \
                         router.walk switch.walk",
                    ),
                    Block::text(
                        "An agent with secure sessions, and the commands that it prints for queries:",
                    ),
                    Block::code(
                        "portreeve simulate --listen ssh:127.0.0.1:5161 \\\n    \
                         --listen tls:127.0.0.1:10161 --keys keys router.walk &\n\
                         set -a; . keys/credentials.env; set +a\n\
                         portreeve get ssh://manager@127.0.0.1:5161 sysDescr.0\n\
                         portreeve get tls:127.0.0.1:10161 sysDescr.0",
                    ),
                ],
            ),
            Section::new(
                "FILES",
                [
                    Block::item(
                        "NAME.snmprec",
                        "Lines OID|TAG|VALUE. The tag may be followed by a variation, with its settings in place of the value: \
                         `OID|65:numeric|rate=1000,initial=42`. `numeric` has min, max, initial, rate, scale, offset, \
                         deviation, function=sin, function=cos, cumulative and wrap; `delay` has value or hexvalue, wait \
                         and deviation, in milliseconds; `error` has status=genErr.",
                    ),
                    Block::item(
                        "the DIR of --keys",
                        "`ca.pem`, `agent.pem`, `agent.key`, `manager.pem` and `manager.key` for tls and dtls; \
                         `ssh_host_ed25519_key`, `known_hosts`, `id_ed25519` and `authorized_keys` for ssh; \
                         `credentials.env`, to be sourced. Existing files are used and not changed.",
                    ),
                    Block::item(
                        "the FILE of --users",
                        "SNMPv3 users, one per line, such as `ops SHA-256 authentic1 AES private12`. They can read \
                     everything.",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "ended by SIGTERM"),
                (1, "agents cannot be served; the reason is printed"),
                (2, "invalid command line"),
            ]),
        ],
        see_also: vec!["portreeve-poll(1)".into(), "portreeve-walk(1)".into()],
        ..Page::new("portreeve simulate", 1, "serve thousands of recorded SNMP agents")
    }
}
