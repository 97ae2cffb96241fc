//! The hand-written parts of the manual pages: descriptions and examples.

/// The text about one verb.
pub(super) struct Prose {
    /// The paragraphs of the description.
    pub(super) description: &'static [&'static str],
    /// The purpose of each example, and its command lines.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// The verbs that the page refers to.
    pub(super) see_also: &'static [&'static str],
}

/// Returns the text about the verb of this name; empty if there is none.
pub(super) fn for_verb(name: &str) -> &'static Prose {
    VERBS.iter().find(|(verb, _)| *verb == name).map_or(&EMPTY, |(_, prose)| prose)
}

/// The description of `portreeve` as a whole.
pub(super) const COMMAND: &[&str] = &[
    "`portreeve` queries and manages SNMP agents. Its verbs accept the options of the Net-SNMP commands and print the \
     same output. When called by the name of such a command, for example `snmpget` or `snmpwalk`, the program behaves \
     as that command. Options that Net-SNMP does not have are long options.",
    AGENT,
    "An OID is a name, such as sysUpTime.0 or IF-MIB::ifDescr.2, or a number. If a name is not built in, its module is \
     read from the MIB files when the name is used, and so are the modules that Net-SNMP loads by default if an agent \
     returns their objects. `-m`, MIBS or `mibs` in snmp.conf replace these default modules, and `-M`, MIBDIRS or \
     `mibdirs` the directories.",
    "Over SSH, users log in with a key, a certificate or a password, and have the access rights that the agent grants \
     them. Host, user, keys and known hosts are taken from ~/.ssh and the ssh-agent, as `ssh` does. Over TLS and DTLS, \
     a certificate authenticates the user. None of these transports requires an SNMPv3 user or a pass phrase. `--persist` \
     keeps the session open for later commands.",
    "Over UDP and TCP, the SNMP version is 3 unless set by `-v` or snmp.conf. Versions 1 and 2c send everything in \
     cleartext.",
    "Pass phrases on the command line are visible to other users of the same machine. Instead, set them in snmp.conf, in \
     a file (`--auth-pass-file`), or in the environment.",
];

/// The form of the operand AGENT.
pub(super) const AGENT: &str = "AGENT is `[transport:]address[:port]`. The transport is ssh, tls, dtls, tcp, or \
     udp, which is the default. For SSH, AGENT may also be `ssh://[user@]address[:port]`. `unix:PATH`, or a path that \
     starts with a slash, is the Unix socket of an agent on this machine. `alias:NAME` is the address that the line \
     `alias NAME ADDRESS` of snmp.conf defines.";

/// The form of the operand RECEIVER.
pub(super) const RECEIVER: &str = "RECEIVER is `[transport:]address[:port]`. The transport is ssh, tls, dtls, tcp, or \
     udp, which is the default. For SSH, RECEIVER may also be `ssh://[user@]address[:port]`. `alias:NAME` is the address \
     that the line `alias NAME ADDRESS` of snmp.conf defines.";

pub(super) const COMMAND_EXAMPLES: &[(&str, &str)] = &[
    ("With an SSH key:", "portreeve table ssh://ops@192.0.2.1 ifTable"),
    (
        "With a certificate:",
        "portreeve get --certificate ops.pem --key ops.key --ca ca.pem \\\n    tls:agent.example sysUpTime.0",
    ),
    (
        "As an SNMPv3 user, with the pass phrases in files:",
        "portreeve get -u ops -l authPriv -a SHA-256 --auth-pass-file ops.auth \\\n    \
         -x AES --priv-pass-file ops.priv 192.0.2.1 sysUpTime.0",
    ),
    ("With a community:", "portreeve walk -v2c -c public 192.0.2.1 ifTable"),
    ("As JSON:", "portreeve table -v2c -c public --json 192.0.2.1 ifTable"),
];

static VERBS: &[(&str, Prose)] = &[
    (
        "get",
        Prose {
            description: &[
                "Reads all OIDs in one request and prints one line per OID. If the agent rejects one of them, the error \
                 is printed and the request is sent again without that OID, unless `-Cf` is given.",
            ],
            examples: &[
                ("Two variables, over SSH:", "portreeve get ssh://ops@192.0.2.1 sysUpTime.0 sysName.0"),
                (
                    "With a certificate, over TLS:",
                    "portreeve get --certificate ops.pem --key ops.key --ca ca.pem \\\n    \
                     tls:agent.example sysUpTime.0",
                ),
                ("Only the value, for a script:", "portreeve get -v2c -c public -Oqv 192.0.2.1 sysName.0"),
                (
                    "A row whose index contains an address:",
                    "portreeve get -v2c -c public 192.0.2.1 \\\n    \
                     'tcpListenerProcess.ipv6.\"::1\".22'",
                ),
            ],
            see_also: &["getnext", "walk"],
        },
    ),
    (
        "getnext",
        Prose {
            description: &[
                "Reads, for each OID, the next variable in the agent's order of object identifiers.",
            ],
            examples: &[(
                "The first instance of a column:",
                "portreeve getnext -v2c -c public 192.0.2.1 ifDescr",
            )],
            see_also: &["get", "walk", "bulkget"],
        },
    ),
    (
        "bulkget",
        Prose {
            description: &[
                "Reads several variables after each OID with one GETBULK request. `-Cn` sets the number of OIDs at the \
                 start that are read only once (non-repeaters); `-Cr` sets how many variables are read after each of \
                 the remaining OIDs (max-repetitions).",
                "SNMPv1 does not support GETBULK.",
            ],
            examples: &[(
                "The uptime, and five rows of two columns:",
                "portreeve bulkget -v2c -c public -Cn1 -Cr5 192.0.2.1 \\\n    sysUpTime ifDescr ifOperStatus",
            )],
            see_also: &["bulkwalk", "getnext"],
        },
    ),
    (
        "walk",
        Prose {
            description: &[
                "Reads all variables below OID, or below mib-2 if no OID is given, in the order of object identifiers. \
                 If there are no variables below OID, reads OID itself, unless `-CI` is given.",
                "Requests several variables at a time if the SNMP version allows it; the output is the same as with \
                 one variable per request. The walk stops with an error if the agent returns OIDs that do not increase, \
                 or, with `-Cc`, if they loop.",
            ],
            examples: &[
                ("The interfaces:", "portreeve walk -v2c -c public 192.0.2.1 ifTable"),
                (
                    "All variables with numeric OIDs, as a recording for portreeve-simulate(1):",
                    "portreeve walk -v2c -c public -On 192.0.2.1 .1 > router.walk",
                ),
                ("As JSON, one object per line:", "portreeve walk -v2c -c public --jsonl 192.0.2.1 ifXTable"),
            ],
            see_also: &["bulkwalk", "table", "simulate"],
        },
    ),
    (
        "bulkwalk",
        Prose {
            description: &[
                "Reads all variables below OID with GETBULK requests. `-Cr` sets the number of variables per request. \
                 SNMPv1 does not support GETBULK.",
            ],
            examples: &[(
                "50 variables per request:",
                "portreeve bulkwalk -v2c -c public -Cr50 192.0.2.1 ifTable",
            )],
            see_also: &["walk", "bulkget"],
        },
    ),
    (
        "set",
        Prose {
            description: &[
                "Writes variables with one request: all of them, or none if one cannot be written. The values are \
                 checked against the MIB before the request is sent, unless `-Ir` is given.",
            ],
            examples: &[
                (
                    "One variable, with the type from its MIB definition:",
                    "portreeve set -v2c -c private 192.0.2.1 sysContact.0 = noc@example.org",
                ),
                ("Disable an interface:", "portreeve set -v2c -c private 192.0.2.1 ifAdminStatus.2 i 2"),
            ],
            see_also: &["get", "usm", "vacm"],
        },
    ),
    (
        "trap",
        Prose {
            description: &[
                "Sends one notification. No receiver confirms a trap: exit status 0 means that the message was sent. Use \
                 `portreeve inform` to know that it has arrived. The default ports are 162 for UDP and TCP, 5162 for SSH, \
                 and 10162 for TLS and DTLS.",
                "The sender of an SNMPv3 trap is authoritative: a receiver needs the sender's engine ID, and accepts only \
                 messages whose clock does not step back. The engine ID is created when it is first needed and is in \
                 portreeve/trap-sender below XDG_STATE_HOME, with the clock. `-e` and `-Z` replace both. Over SSH, TLS and DTLS, \
                 the session authenticates the sender, and receivers need no engine ID.",
                "With `--via-daemon`, the notification is passed to portreeved(8) on this machine. It sends the notification to \
                 each target in its configuration, as a trap or an inform: the `kind` of the target decides. Exit status 0 \
                 means that at least one target gets it. Only root and the account of portreeved can use this option.",
            ],
            examples: &[
                (
                    "An interface is down:",
                    "portreeve trap -v2c -c public 192.0.2.9 '' linkDown \\\n    ifIndex.2 i 2 ifAdminStatus.2 i 1 \\\n    ifOperStatus.2 i 2",
                ),
                ("With an SSH key:", "portreeve trap ssh://ops@nms.example '' coldStart"),
                (
                    "A trap of SNMPv1, from 192.0.2.1:",
                    "portreeve trap -v1 -c public 192.0.2.9 \\\n    NET-SNMP-MIB::netSnmp 192.0.2.1 6 17 ''",
                ),
                ("To the targets of portreeved:", "portreeve trap --via-daemon '' coldStart"),
            ],
            see_also: &["inform"],
        },
    ),
    (
        "inform",
        Prose {
            description: &[
                "Sends one notification and waits until its receiver confirms that it has received it. Without a \
                 confirmation, the notification is sent again as often as `-r` allows. The default ports are 162 for UDP and \
                 TCP, 5162 for SSH, and 10162 for TLS and DTLS. SNMPv1 has no informs.",
                "With `--via-daemon`, the notification is passed to portreeved(8) on this machine, which sends it to the targets \
                 in its configuration. Exit status 0 means that the notification is on the disk of portreeved for at least one \
                 target that receives informs: portreeved sends it until the target confirms it, even after a crash or a \
                 restart, or until the limits of the target's queue are reached. The command waits neither for the network nor \
                 for the targets. If other targets get no inform because their queues are full, it prints a warning. Only root \
                 and the account of portreeved can use this option.",
            ],
            examples: &[
                ("With an SSH key:", "portreeve inform ssh://ops@nms.example '' coldStart"),
                (
                    "As an SNMPv3 user, with the pass phrases in files:",
                    "portreeve inform -u ops -l authPriv -a SHA-256 \\\n    --auth-pass-file ops.auth -x AES \\\n    \
                     --priv-pass-file ops.priv 192.0.2.9 '' coldStart",
                ),
                (
                    "Through portreeved, which repeats it until its targets confirm it:",
                    "portreeve inform --via-daemon '' \\\n    SNMPv2-MIB::coldStart sysName.0 s web1 ||\n    \
                     logger 'notification not submitted'",
                ),
            ],
            see_also: &["trap"],
        },
    ),
    (
        "table",
        Prose {
            description: &[
                "Reads a table and prints one line per row, under a header of column names. `?` stands for a \
                 missing value.",
                "If the table is wider than the terminal, it is printed in parts, one below the other; each \
                 part begins with the index of its rows. `-Cw` sets the width of the parts in characters. Output \
                 to a pipe or a file and the output of `snmptable` are never split.",
            ],
            examples: &[
                ("With index and short names:", "portreeve table -v2c -c public -Cib 192.0.2.1 ifTable"),
                (
                    "For a spreadsheet:",
                    "portreeve table -v2c -c public --csv 192.0.2.1 ifTable > interfaces.csv",
                ),
            ],
            see_also: &["walk"],
        },
    ),
    (
        "status",
        Prose {
            description: &[
                "Prints the description of a system, its uptime, the packets that its interfaces have received and \
                 sent, and the number of interfaces that are down.",
            ],
            examples: &[("A summary:", "portreeve status -v2c -c public 192.0.2.1")],
            see_also: &["get", "df"],
        },
    ),
    (
        "test",
        Prose {
            description: &[
                "Reads names of variables from standard input, one per line, and sends a request after an empty line.",
                "Lines that start with `$` are commands: `$G`, `$N`, `$S` and `$B` switch to GET, GETNEXT, SET and \
                 GETBULK requests, `$QP` toggles quick printing, and `$Q` quits.",
            ],
            examples: &[(
                "One request from a script:",
                "printf 'sysUpTime.0\\n\\n$Q\\n' | portreeve test -v2c -c public 192.0.2.1",
            )],
            see_also: &["get", "set"],
        },
    ),
    (
        "delta",
        Prose {
            description: &[
                "Reads variables periodically and prints how much each one has increased, until interrupted. `-CT` \
                 prints a table, `-CF` reads the names from a file.",
            ],
            examples: &[(
                "Traffic of an interface every ten seconds, with timestamps:",
                "portreeve delta -v2c -c public -Cs -Cp 10 192.0.2.1 \\\n    ifInOctets.2 ifOutOctets.2",
            )],
            see_also: &["get", "poll"],
        },
    ),
    (
        "df",
        Prose {
            description: &[
                "Prints the storage areas of a system and how much of them is in use, from hrStorageTable, or from \
                 dskTable if that is empty.",
            ],
            examples: &[("With human-readable sizes:", "portreeve df -v2c -c public -Ch 192.0.2.1")],
            see_also: &["status", "table"],
        },
    ),
    (
        "netstat",
        Prose {
            description: &[
                "Prints the connections, interfaces (`-Ci`), routes (`-Cr`) or protocol counters (`-Cs`) of a remote \
                 system, as netstat(8) does for the local one.",
                "Addresses and ports are printed as names if this machine can resolve them; `-Cn` prints numbers without \
                 name lookups. Net-SNMP's letters `-CL` and `-CR`, which read older tables, and `-Cw`, which repeats \
                 the output, are not supported. If the agent does not respond, the command fails instead of printing an \
                 empty table.",
            ],
            examples: &[
                ("The interfaces:", "portreeve netstat -v2c -c public -Ci 192.0.2.1"),
                (
                    "Connections and listening sockets, without name lookups:",
                    "portreeve netstat -v2c -c public -Can 192.0.2.1",
                ),
                ("The UDP counters:", "portreeve netstat -v2c -c public -Cs -Cp udp 192.0.2.1"),
            ],
            see_also: &["status", "table"],
        },
    ),
    (
        "usm",
        Prose {
            description: &[
                "Creates, changes and deletes SNMPv3 users on an agent. A new user is a clone of an existing one: create \
                 it inactive (`-Cw`), change its keys, then activate it.",
                "Without `-Ca` and `-Cx`, `passwd` changes both keys.",
            ],
            examples: &[
                (
                    "Create a user. Your own credentials are taken from snmp.conf here:",
                    "portreeve usm -Cw 192.0.2.1 create night ops\n\
                     portreeve usm -Ca 192.0.2.1 passwd \\\n    \
                     \"old phrase of ops\" \"new phrase of night\" night\n\
                     portreeve usm -Cx 192.0.2.1 passwd \\\n    \
                     \"old phrase of ops\" \"another new phrase\" night\n\
                     portreeve usm 192.0.2.1 activate night",
                ),
                ("Delete the user:", "portreeve usm 192.0.2.1 delete night"),
            ],
            see_also: &["vacm", "set"],
        },
    ),
    (
        "vacm",
        Prose {
            description: &[
                "Creates and deletes rows in the access control tables of an agent: the group of each user, the views \
                 that a group may read and write, and the subtrees of each view.",
            ],
            examples: &[
                (
                    "Add a user to a group (3 is the USM security model):",
                    "portreeve vacm 192.0.2.1 createSec2Group 3 night operators",
                ),
                (
                    "Create a view of the system group:",
                    "portreeve vacm 192.0.2.1 createView small 1.3.6.1.2.1.1",
                ),
            ],
            see_also: &["usm", "set"],
        },
    ),
    (
        "doctor",
        Prose {
            description: &[
                "Tests the connection to an agent step by step, from resolving its name to reading its system group. For \
                 each step, prints the result, the duration and the details: addresses, versions, algorithms, host keys \
                 and certificates, the keys offered and whether they were accepted, and the agent's response. If a step \
                 fails, the last lines explain the cause and suggest a fix.",
                "The options below have the same meaning as for `portreeve get`, except `--json`. Over ssh, tls and dtls, it \
                 opens a new session. If the agent does not respond, it also probes the other ports and transports of SNMP on that host; if another \
                 service responds, it reports which one. It only reads the agent's system group and changes nothing.",
                "By default, opening the session times out after six seconds, and so does each request. With `-t` or \
                 `-r`, this limit is the timeout of one attempt multiplied by the number of attempts. Probing other \
                 ports takes up to two more seconds.",
            ],
            examples: &[
                ("Over SSH:", "portreeve doctor ssh://ops@192.0.2.1"),
                (
                    "As an SNMPv3 user:",
                    "portreeve doctor -u ops -l authPriv -a SHA-256 \\\n    --auth-pass-file ops.auth 192.0.2.1",
                ),
                ("As JSON:", "portreeve doctor --json tls:192.0.2.1"),
            ],
            see_also: &["get", "test"],
        },
    ),
    (
        "translate",
        Prose {
            description: &[
                "Converts between names and object identifiers, and prints the built-in MIB modules as text. Sends no \
                 requests.",
            ],
            examples: &[
                (
                    "From a name to a number, and back:",
                    "portreeve translate -On IF-MIB::ifDescr.2\nportreeve translate .1.3.6.1.2.1.1.3.0",
                ),
                ("A module as SMIv2:", "portreeve translate --export-smi IF-MIB > IF-MIB.txt"),
            ],
            see_also: &["get"],
        },
    ),
];

static EMPTY: Prose = Prose { description: &[], examples: &[], see_also: &[] };
