//! What the manual says about the simulator.

use portreeve_usage::{Block, Completion, OptionGroup, Page, Section};

use crate::arguments::{DESCRIPTION, FILE_FORMATS, READY_AND_SIGNALS, SYNOPSIS, flags};

/// The page of the program.
pub fn page() -> Page {
    Page {
        synopsis: vec![SYNOPSIS.to_owned()],
        description: vec![
            Block::text(DESCRIPTION),
            Block::text(FILE_FORMATS),
            Block::text(
                "Agents take the files in turn. Each has its own address, or port, and its own engine ID; with \
                 `--by context` all are contexts of one engine, named after the files. An agent answers what its \
                 recording has, for ever the same unless that says how it varies, and nothing can be SET.",
            ),
            Block::text(
                "Over `ssh`, `tls` and `dtls` agents answer whoever has a key or certificate that is let in: with \
                 `--keys`, those that were made in its folder. All agents have the same host key and the same certificate, \
                 whose name is `simulated`. Whoever gets in reads everything.",
            ),
            Block::text(READY_AND_SIGNALS),
        ],
        options: vec![OptionGroup { heading: "", entries: flags().map(Into::into).collect() }],
        operands: Completion::Files,
        sections: vec![
            Section::new(
                "EXAMPLES",
                [
                    Block::text("Record an agent, play it, and ask what was recorded:"),
                    Block::code(
                        "portreeve walk -v2c -c public -On 192.0.2.1 .1 > router.walk\n\
                         portreeve simulate router.walk &\n\
                         portreeve get -v2c -c public 127.0.0.1:1161 sysDescr.0",
                    ),
                    Block::text("A thousand agents on a network that has a bad day:"),
                    Block::code(
                        "portreeve simulate --by address --listen udp:127.1.0.1:16161 \\\n    \
                         --agents 1000 --loss 2 --delay 30 --jitter 200 \\\n    \
                         router.walk switch.walk",
                    ),
                    Block::text(
                        "An agent to be asked in sessions, and the commands that it tells to ask with:",
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
                        "Lines OID|TAG|VALUE. Behind the tag may stand how the value varies, with settings for the value: \
                         `OID|65:numeric|rate=1000,initial=42`. `numeric` has min, max, initial, rate, scale, offset, \
                         deviation, function=sin, function=cos, cumulative and wrap; `delay` has value or hexvalue, wait \
                         and deviation, in milliseconds; `error` has status=genErr.",
                    ),
                    Block::item(
                        "the DIR of --keys",
                        "`ca.pem`, `agent.pem`, `agent.key`, `manager.pem` and `manager.key` for tls and dtls; \
                         `ssh_host_ed25519_key`, `known_hosts`, `id_ed25519` and `authorized_keys` for ssh; \
                         `credentials.env`, to be sourced. Files that are there are used and stay as they are.",
                    ),
                    Block::item(
                        "the FILE of --users",
                        "SNMPv3's users, one in each line, such as `ops SHA-256 authentic1 AES private12`. They read \
                     everything.",
                    ),
                ],
            ),
            Section::exit_status(&[
                (0, "ended by SIGTERM"),
                (1, "no agent can be served, for a reason that is told"),
                (2, "the command line means nothing"),
            ]),
        ],
        see_also: vec!["portreeve-poll(1)".into(), "portreeve-walk(1)".into()],
        ..Page::new("portreeve simulate", 1, "serve recorded SNMP agents by the thousand")
    }
}
