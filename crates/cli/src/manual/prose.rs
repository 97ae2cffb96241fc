//! What only people can say about each verb: what it is for, and examples that work.

/// What is said about a verb.
pub(super) struct Prose {
    /// Paragraphs.
    pub(super) description: &'static [&'static str],
    /// What is wanted, and the lines that do it.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Other verbs.
    pub(super) see_also: &'static [&'static str],
}

/// What is said about the verb of this name; nothing where nothing is known.
pub(super) fn for_verb(name: &str) -> &'static Prose {
    VERBS.iter().find(|(verb, _)| *verb == name).map_or(&EMPTY, |(_, prose)| prose)
}

/// What is said about the command as a whole.
pub(super) const COMMAND: &[&str] = &[
    "`portreeve` asks SNMP agents. Its verbs take the options of Net-SNMP's commands and print what those print; \
     called by the name of such a command, `snmpget` or `snmpwalk`, it is that command. What is new is a long option.",
    "AGENT is `[transport:]address[:port]`, where the transport is ssh, tls, dtls, tcp, or udp, which is meant where none is \
     written; over SSH it may be `ssh://user@address[:port]`. An OID is a name, such as sysUpTime.0 or IF-MIB::ifDescr.2, \
     or a number.",
    "Over SSH whoever can log in with a key, a certificate or a password may ask, as the agent's rights have it: host, \
     user, keys and known hosts come from ~/.ssh and the ssh-agent, as `ssh` has them. Over TLS and DTLS a certificate \
     says who asks. Neither needs a user of SNMPv3 nor a pass phrase. `--persist` keeps such a session for the next \
     command.",
    "Over UDP and TCP the SNMP version is 3 unless `-v` or snmp.conf says otherwise; versions 1 and 2c send everything in \
     clear.",
    "Pass phrases on a command line can be read by others on the same machine. They may also stand in snmp.conf, in a \
     file (`--auth-pass-file`), or in the environment.",
];

pub(super) const COMMAND_EXAMPLES: &[(&str, &str)] = &[
    ("With an SSH key:", "portreeve table ssh://ops@192.0.2.1 ifTable"),
    (
        "With a certificate:",
        "portreeve get --certificate ops.pem --key ops.key --ca ca.pem \\\n    tls:agent.example sysUpTime.0",
    ),
    (
        "As a user of SNMPv3, whose pass phrases are in files:",
        "portreeve get -u ops -l authPriv -a SHA-256 --auth-pass-file ops.auth \\\n    \
         -x AES --priv-pass-file ops.priv 192.0.2.1 sysUpTime.0",
    ),
    ("With a community:", "portreeve walk -v2c -c public 192.0.2.1 ifTable"),
    ("For a program:", "portreeve table -v2c -c public --json 192.0.2.1 ifTable"),
];

static VERBS: &[(&str, Prose)] = &[
    (
        "get",
        Prose {
            description: &[
                "Reads each OID with one request and prints a line for each. Where the agent refuses one of \
                 them, it is told, left out, and the others are asked for again, unless `-Cf` is given.",
            ],
            examples: &[
                ("Two variables:", "portreeve get -v2c -c public 192.0.2.1 sysUpTime.0 sysName.0"),
                ("The value alone, for a script:", "portreeve get -v2c -c public -Oqv 192.0.2.1 sysName.0"),
            ],
            see_also: &["getnext", "walk"],
        },
    ),
    (
        "getnext",
        Prose {
            description: &["Reads, for each OID, the variable that comes after it, whatever that is."],
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
                "Reads, with one GETBULK request, several variables after each OID. The first of them, as many as \
                 `-Cn` says, are read once, the others as often as `-Cr` says.",
                "SNMPv1 has no such request.",
            ],
            examples: &[(
                "The up time, and five rows of two columns:",
                "portreeve bulkget -v2c -c public -Cn1 -Cr5 192.0.2.1 \\\n    sysUpTime ifDescr ifOperStatus",
            )],
            see_also: &["bulkwalk", "getnext"],
        },
    ),
    (
        "walk",
        Prose {
            description: &[
                "Reads everything below OID, or below mib-2 where none is given, in the order of object identifiers. \
                 Where there is nothing below it, OID itself is asked for, unless `-CI` is given.",
                "Several variables are asked for at a time, where the version allows it; the output is that of \
                 requests for one variable each. A walk ends with a message where an agent goes back, or does not end.",
            ],
            examples: &[
                ("The interfaces:", "portreeve walk -v2c -c public 192.0.2.1 ifTable"),
                (
                    "Everything, in numbers, to be played again by portreeve-simulate(1):",
                    "portreeve walk -v2c -c public -On 192.0.2.1 .1 > router.walk",
                ),
                (
                    "For a program, one object in each line:",
                    "portreeve walk -v2c -c public --jsonl 192.0.2.1 ifXTable",
                ),
            ],
            see_also: &["bulkwalk", "table", "simulate"],
        },
    ),
    (
        "bulkwalk",
        Prose {
            description: &[
                "Reads everything below OID with GETBULK requests; how many variables each asks for is told \
                 by `-Cr`. SNMPv1 has no such request.",
            ],
            examples: &[("With long answers:", "portreeve bulkwalk -v2c -c public -Cr50 192.0.2.1 ifTable")],
            see_also: &["walk", "bulkget"],
        },
    ),
    (
        "set",
        Prose {
            description: &[
                "Writes variables with one request: all of them, or none where one cannot be written. The \
                 values are checked before anything is sent, unless `-Ir` is given.",
            ],
            examples: &[
                (
                    "One variable, its type taken from its definition:",
                    "portreeve set -v2c -c private 192.0.2.1 sysContact.0 = noc@example.org",
                ),
                ("An interface, down:", "portreeve set -v2c -c private 192.0.2.1 ifAdminStatus.2 i 2"),
            ],
            see_also: &["get", "usm", "vacm"],
        },
    ),
    (
        "table",
        Prose {
            description: &[
                "Reads a table and prints a line for each row, with a heading of column names. Rows in which \
                 a column is missing show `?` there.",
                "On a terminal that is too narrow the table comes in parts, as by `-Ci` and `-Cw`; `-Cw` with a large number \
                 prints it whole. What goes into a pipe or a file is whole, as everything is that `snmptable` prints.",
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
                "Tells in a few lines what a system is, how long it has been up, how much its interfaces \
                 have carried, and how many of them are down.",
            ],
            examples: &[("At a glance:", "portreeve status -v2c -c public 192.0.2.1")],
            see_also: &["get", "df"],
        },
    ),
    (
        "test",
        Prose {
            description: &[
                "Reads names of variables from standard input, one in each line, and sends them when a line is empty.",
                "A line that begins with `$` is a command: `$G`, `$N`, `$S` and `$B` ask by GET, GETNEXT, SET and \
                 GETBULK from now on, `$QP` toggles quick printing, and `$Q` ends.",
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
                "Asks for variables again and again, and prints by how much each has risen, until it is \
                 interrupted. `-CT` prints a table, `-CF` reads the names from a file.",
            ],
            examples: &[(
                "Traffic of an interface, every ten seconds, with the time:",
                "portreeve delta -v2c -c public -Cs -Cp 10 192.0.2.1 \\\n    ifInOctets.2 ifOutOctets.2",
            )],
            see_also: &["get", "poll"],
        },
    ),
    (
        "df",
        Prose {
            description: &[
                "Prints what storage a system has and how much of it is in use, from hrStorageTable, or \
                 from dskTable where that is empty.",
            ],
            examples: &[("In units that people read:", "portreeve df -v2c -c public -Ch 192.0.2.1")],
            see_also: &["status", "table"],
        },
    ),
    (
        "netstat",
        Prose {
            description: &[
                "Prints connections, interfaces, routes or counters of protocols of a remote system, as netstat(8) does of \
                 the machine it runs on: without other letters the connections, with `-Ci` the interfaces, with `-Cr` the \
                 routes, with `-Cs` the counters.",
                "Hosts and services are told by their names as this machine knows them; `-Cn` asks nobody for names. Of \
                 Net-SNMP's letters, `-CL` and `-CR`, which ask for older tables, and `-Cw`, which repeats, are refused. \
                 An agent that does not answer is a failure, not an empty table.",
            ],
            examples: &[
                ("The interfaces:", "portreeve netstat -v2c -c public -Ci 192.0.2.1"),
                (
                    "Connections and sockets that listen, without names:",
                    "portreeve netstat -v2c -c public -Can 192.0.2.1",
                ),
                ("What UDP has counted:", "portreeve netstat -v2c -c public -Cs -Cp udp 192.0.2.1"),
            ],
            see_also: &["status", "table"],
        },
    ),
    (
        "usm",
        Prose {
            description: &[
                "Creates, changes and deletes users of SNMPv3 on an agent. A new user is a clone of one that exists: \
                 it is created waiting (`-Cw`), its keys are changed, and then it is activated.",
                "Without `-Ca` and `-Cx`, `passwd` changes both keys.",
            ],
            examples: &[
                (
                    "A new user; every line needs the options that tell who asks, here taken from snmp.conf:",
                    "portreeve usm -Cw 192.0.2.1 create night ops\n\
                     portreeve usm -Ca 192.0.2.1 passwd \\\n    \
                     \"old phrase of ops\" \"new phrase of night\" night\n\
                     portreeve usm -Cx 192.0.2.1 passwd \\\n    \
                     \"old phrase of ops\" \"another new phrase\" night\n\
                     portreeve usm 192.0.2.1 activate night",
                ),
                ("Gone again:", "portreeve usm 192.0.2.1 delete night"),
            ],
            see_also: &["vacm", "set"],
        },
    ),
    (
        "vacm",
        Prose {
            description: &[
                "Creates and deletes rows of an agent's access control: who is in which group, what a group \
                 may read and write, and what a view holds.",
            ],
            examples: &[
                (
                    "A user into a group, 3 being USM:",
                    "portreeve vacm 192.0.2.1 createSec2Group 3 night operators",
                ),
                ("A view of the system group:", "portreeve vacm 192.0.2.1 createView small 1.3.6.1.2.1.1"),
            ],
            see_also: &["usm", "set"],
        },
    ),
    (
        "doctor",
        Prose {
            description: &[
                "Walks a connection step by step, from the agent's name to its answer, and says of each step how it went, how \
                 long it took and what was found: addresses, versions, algorithms, host keys and certificates, which keys \
                 were offered and what became of them, and what the agent's answer says. Where a step fails, the last \
                 sentences say why, and what to do about it.",
                "It takes the options of `portreeve get` and means the same by them. Over ssh, tls and dtls it opens a session \
                 of its own. Where nothing answers, it also looks at the other ports and transports of SNMP on that host, and \
                 where something else answers, at what that is. It changes nothing: what it asks for is the agent's system group.",
                "A session may take as long to open, and an answer to come, as `-t` times one more than `-r` allows, six seconds \
                 unless they say otherwise; looking around takes two more.",
            ],
            examples: &[
                ("Over SSH:", "portreeve doctor ssh://ops@192.0.2.1"),
                (
                    "As a user of SNMPv3:",
                    "portreeve doctor -u ops -l authPriv -a SHA-256 \\\n    --auth-pass-file ops.auth 192.0.2.1",
                ),
                ("For a program:", "portreeve doctor --json tls:192.0.2.1"),
            ],
            see_also: &["get", "test"],
        },
    ),
    (
        "translate",
        Prose {
            description: &[
                "Turns names into object identifiers and back, without asking anybody, and prints our MIB \
                 modules as text.",
            ],
            examples: &[
                (
                    "A number for a name, and the other way:",
                    "portreeve translate -On IF-MIB::ifDescr.2\nportreeve translate .1.3.6.1.2.1.1.3.0",
                ),
                ("A module as SMIv2:", "portreeve translate --export-smi IF-MIB > IF-MIB.txt"),
            ],
            see_also: &["get"],
        },
    ),
];

static EMPTY: Prose = Prose { description: &[], examples: &[], see_also: &[] };
