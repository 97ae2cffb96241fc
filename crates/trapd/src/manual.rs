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
                "A notification can be appended to a file as a line in a format of the user, appended to another file as a \
                 JSON object, written to the systemd journal, passed to programs, and forwarded to other receivers. The \
                 actions that [[accept]] permits for its sender are done.",
            ),
            Block::text(
                "SIGHUP opens the files again, for logrotate(8). SIGTERM and SIGINT end the program after it has written and \
                 acknowledged what it has received. If its output accepts nothing for 20 seconds, it ends with status 1, and \
                 what waits is lost, as the log says. A change of the configuration needs a restart.",
            ),
        ],
        options: vec![OptionGroup { heading: "", entries }],
        operands: Completion::Nothing,
        classic_name: Some("snmptrapd"),
        sections: vec![
            Section::new("ACKNOWLEDGEMENT AND LOSS", ACKNOWLEDGEMENT.iter().copied().map(Block::text)),
            Section::new("SENDERS", SENDERS.iter().copied().map(Block::text)),
            Section::new("HANDLERS", HANDLERS.iter().copied().map(Block::text)),
            Section::new("FORWARDING", FORWARDING.iter().copied().map(Block::text)),
            Section::new("SNMPTRAPD.CONF", SNMPTRAPD_CONF.iter().copied().map(Block::text)),
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
                (
                    1,
                    "the configuration is invalid, a socket or file cannot be opened, or not everything was written at the \
                     end; with --check, also if a directive of snmptrapd.conf is invalid",
                ),
                (2, "invalid command line"),
            ]),
        ],
        see_also: vec![
            "portreeve-trapd.toml(5)".into(),
            "portreeve-trap(1)".into(),
            "portreeve-inform(1)".into(),
            "portreeved.toml(5)".into(),
            "snmptrapd.conf(5)".into(),
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

/// The section about acknowledgement and loss.
const ACKNOWLEDGEMENT: &[&str] = &[
    "An inform is acknowledged when its lines are on the disk, or when they are written if the output is not a regular file. \
     Standard output that is a regular file is synced as well. \
     Notifications that arrive at the same time are written with one sync. An inform for which only handlers and \
     forwarding are permitted is acknowledged without a sync.",
    "If the disk does not accept the lines, no file contains them, informs are answered with genErr, so that their senders \
     send them again, and traps are lost. Lines of earlier notifications stay. Only if another program has written to a file \
     after the lines, they stay there. A sender that sends an inform again because the acknowledgement was lost \
     causes a second line.",
    "A file that has been removed is created again before the next lines; while that fails, no inform is acknowledged. If a file \
     cannot be opened again after SIGHUP, this is logged, and tried before each write; until then, lines are written to \
     the old file. The program locks its files: one that another receiver uses, or that is both log and json, is an error.",
    "At most queue-size octets of notifications wait until they are written. Others are discarded; informs among them are not \
     acknowledged. Besides this queue, the memory of the program grows by at most 64 MB, by 16 MB more if it has \
     handlers, and by the queue-size of each [[forward]].",
    "The log on standard error contains the number of refused, discarded and lost notifications for each source: one second \
     after the first one, once a minute, and at the end. The 20 sources with most of them have lines of their own. The \
     content of refused notifications is never printed. Datagrams that the kernel has dropped, because its receive \
     buffer was full, are counted together; a higher net.core.rmem_max, see socket(7), prevents this.",
    "A value can contain line feeds, which are printed as by snmptrapd. Programs that read the notifications should read the \
     file of JSON lines, in which each notification is one line.",
];

/// The section about the senders.
const SENDERS: &[&str] = &[
    "A sender of SNMPv3 informs uses the engine of this program: its clock decides which informs are too old. A sender of SNMPv3 \
     traps has its own engine, whose clock is learned from its authentic traps and stored in the state directory. A \
     trap is refused if it is more than 150 seconds older than the latest one, also after a restart. After the receiver was killed, this \
     time can be up to 60 seconds shorter, until the clock of the sender has advanced as much. Within the 150 seconds, \
     a recorded trap can be sent again by anyone (RFC 3414 section 1.5.1).",
    "A [[sender]] is a user on any number of engines. A forged trap costs the localization of one authentication key, which \
     is a hash of a few octets, and one digest. The privacy key is derived, and keys are stored, only after the digest \
     has been verified. The keys of 4096 engines are in memory; others are localized again. Two senders with the same engine \
     ID are reported.",
    "The clocks of at most 65536 engines are stored; this does not change at a restart, and traps of further engines are \
     refused. A line in the log says when four fifths of them are used, for example because senders have a new engine ID at each \
     start. Then stop the receiver and run --forget-senders: it removes the clocks, and keeps the engine of the receiver, \
     so that nothing changes for senders of informs. A recorded trap of a forgotten sender is accepted until \
     a newer one has arrived.",
    "If the clocks cannot be stored, the log says so, and they are stored with the next notification for which that is \
     possible. After a restart in the meantime, older recorded traps are accepted again.",
];

/// The section about handlers.
const HANDLERS: &[&str] = &[
    "A handler gets on its standard input the addresses of the sender on two lines, of which the first is the host name for \
     snmptrapd, and then each variable on a line with its name and value. With input = \"json\" in its [[handler]], it gets a line \
     with the JSON object of the notification instead. It runs without a shell in its own process group. If it does not end within its timeout, 30 seconds by default, the whole group is killed; so are processes that it \
     leaves behind. Failures are logged once a minute for each handler, with the first 4096 octets of its output.",
    "The sender determines the values, which can contain line feeds and any other text. In the lines of a [[handler]], a line \
     feed is written as \\n, so that a value cannot look like a further variable; a backslash is unchanged. Programs of \
     traphandle in snmptrapd.conf get the layout of snmptrapd, in which a value that contains line feeds looks like \
     further lines: they must not trust the lines after the first value that the sender determines. Both kinds of lines \
     contain the community of an SNMPv1 trap; the JSON object does not.",
    "8 handlers run at once, and 1000 runs with 16 MB of input wait for them. The handlers take turns. One of several handlers \
     cannot occupy everything: when 6 runs are in progress, only a handler that is not running starts, and the runs of a \
     handler that wait occupy at most as much as is then free, so half of the queue. Further runs are counted and logged \
     for each handler. When the program ends, runs that wait are discarded, and those that run are killed after 5 \
     seconds; both are logged.",
    "A handler inherits the environment of the program, except the variables of the service manager and the pass phrases in \
     PORTREEVE_AUTH_PASS and other variables PORTREEVE_*_PASS.",
];

/// The section about forwarding.
const FORWARDING: &[&str] = &[
    "Each [[forward]] has a queue in memory and a thread, so that a target that does not answer delays nothing else. An inform is \
     sent until the target acknowledges it; while the target does not, or answers with an error other than tooBig, the \
     program waits for 1 to 60 seconds between the attempts. A target that can be reached gets a trap once; over UDP it \
     can be lost.",
    "Notifications are sent in the order in which they arrived. If the version and the community are those of the received \
     message, notifications with another community, version or kind do not wait for those that the target does not accept; \
     those with the same ones stay in order, and occupy at most half of the queue.",
    "An inform that the target has not acknowledged in 3 attempts, each with all its retransmissions, does not stop those after it: \
     after each further attempt, another one is sent. If the target acknowledges that one, the first one goes to the end \
     of the queue, and is discarded when this has happened 3 times.",
    "Notifications are discarded, counted and logged if the queue is full, if they have waited for queue-age, if the target \
     acknowledges others instead of them, if they cannot be represented in the version of the target (RFC 3584 section 3), \
     and if they wait when the program has been ended for 2 seconds.",
    "A target that is a listener of this program is refused, because each notification would be forwarded to itself without end. \
     Loops through other receivers are not detected: do not let two receivers forward the same notifications to each \
     other. A target with a host name is compared only if the name is localhost.",
    "The target of an SNMPv2 notification does not learn the address of its sender. An SNMPv1 trap contains an address, also \
     after its translation.",
];

/// The section about `snmptrapd.conf`.
const SNMPTRAPD_CONF: &[&str] = &[
    "Called as snmptrapd, or with -c, the program reads snmptrapd.conf. Without -c, it searches the directories of SNMPCONFPATH, \
     by default /etc/snmp, /usr/share/snmp, /usr/lib/snmp and ~/.snmp. A directive with an error is reported with its \
     file, line and cure, and omitted; an omitted directive never permits anything. So a view with an invalid line permits \
     nothing, and if the line of a revocation list is invalid, no certificate is accepted. With an invalid snmpTrapdAddr, \
     the program starts only if the command line has addresses.",
    "It understands authCommunity, authUser, disableAuthorization, createUser, view, traphandle, forward, format1, format2, \
     format with print, print1 and print2, snmpTrapdAddr, outputOption, doNotLogTraps and ignoreAuthFailure, and for \
     listeners over TLS and DTLS certSecName, localCert, trustCert and x509CRLFile, with the certificates in the \
     directory tls of Net-SNMP. Without localCert, the certificate snmptrapd is used.",
    "Some differ from those of Net-SNMP. A user of createUser without -e also exists on every sender of traps. \
     disableAuthorization accepts all users and communities of the file, but no unknown ones. traphandle runs without a \
     shell and with a timeout. ignoreAuthFailure applies to authenticationFailure in every version, as documented by Net-SNMP, \
     whose snmptrapd ignores only that of SNMPv1. forward sends an inform until it is acknowledged; it cannot use SSH, TLS or DTLS, or forward \
     SNMPv3 notifications: use [[forward]] in portreeve-trapd.toml(5). The output is standard output unless -L is given.",
    "Not supported, and reported: authGroup, authAccess, setAccess, group, access, com2sec and com2sec6 (use authCommunity and \
     authUser), sources with an exclamation mark, views with excluded subtrees or masks in authCommunity and authUser, \
     usmUser and engineID of snmptrapd's persistent file, tlsMinVersion, tlsMaxVersion and tlsAlgorithms, SQL, embedded \
     Perl, and NOTIFICATION-LOG-MIB with AgentX. There are no directives for SSH. Other options of snmptrapd than those \
     above are invalid.",
];
