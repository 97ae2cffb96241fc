//! The protocol stacks to measure, and the form of keys in each.

use portreeve_lab_report::sample::Variant;

use super::commands::CommandSession;
use crate::client::{Carrier, ClientSetup, Job, Keys, Message, Opener, Operation, ProtocolStack};
use crate::harness::{Peer, Skipped};
use crate::peers::{OURS, Site};
use crate::requests::SYS_DESCR;

/// The work of one variant.
pub(super) enum Work {
    /// Sessions inside the client.
    Session(Job),
    /// Sessions of Net-SNMP's library.
    NetSnmp(Job),
    /// A whole command.
    Command { words: Vec<String>, environment: Vec<(String, String)>, session: CommandSession },
}

/// A variant with its work, or the reason why it cannot be measured.
type Added = (Variant, Result<Work, Skipped>);

/// Returns the variants of one stack that the site's agent supports.
pub(super) fn of_stack(site: &Site, variant: Variant, stack: ProtocolStack) -> Vec<Added> {
    let job = get_sys_descr(stack);
    let mut added = Vec::new();
    if variant.get("agent") == Some(Peer::NetSnmp.name()) {
        let work = site.check_library(&job).map(|()| Work::NetSnmp(job.clone()));
        added.push((variant.clone().and("client", NET_SNMP), work));
    }
    // Both libraries do the same work in a session with the agent.
    let is_peer = variant.get("agent") == Some(Peer::NetSnmp.name());
    let setup = if is_peer { ClientSetup::InSession } else { ClientSetup::Before };
    let job = Job { setup, ..job };
    let variant = variant.and("client", LIBRARY);
    if stack.message.has_keys() {
        added.extend([(Keys::Localized, "localized"), (Keys::PassPhrase, "pass-phrase")].map(
            |(keys, name)| {
                let job = Job { keys, ..job.clone() };
                (variant.clone().and("keys", name), Ok(Work::Session(job)))
            },
        ));
        return added;
    }
    added.push((variant.clone(), Ok(Work::Session(job.clone()))));
    if BROKER_CARRIERS.contains(&stack.carrier) && stack.message == Message::Tsm {
        let job = Job { opener: Opener::Broker, ..job };
        added.push((variant.and("client", BROKER), Ok(Work::Session(job))));
    }
    added
}

/// Returns the one variant of a stack at our agent with less protection of TLS, or less CPU time.
pub(super) fn in_library(_: &Site, variant: Variant, stack: ProtocolStack) -> Vec<Added> {
    vec![(variant.and("client", LIBRARY), Ok(Work::Session(get_sys_descr(stack))))]
}

fn get_sys_descr(stack: ProtocolStack) -> Job {
    Job::new(stack, Operation::Get { names: vec![[SYS_DESCR, &[0]].concat()], count: 1 })
}

/// Every combination of messages and carriers that is measured.
pub(super) fn stacks() -> Vec<ProtocolStack> {
    let clear = [Carrier::Udp, Carrier::Tcp];
    let messages = [
        Message::V1,
        Message::V2c,
        Message::USM,
        Message::USM_MD5,
        Message::USM_SHA256,
        Message::USM_MD5_DES,
        Message::USM_MD5_AES128,
        Message::USM_SHA256_AES128,
        Message::USM_SHA256_AES256,
    ];
    let clear =
        messages.into_iter().flat_map(|message| clear.map(|carrier| ProtocolStack::new(message, carrier)));
    clear.chain(SECURE).collect()
}

/// Variants that no version of our programs supports, with the reasons.
pub(super) fn never_available() -> Vec<(Variant, Skipped)> {
    let reason = "neither DTLS library has a post-quantum key exchange";
    let resumed = "portreeved and its clients do not resume sessions over DTLS";
    let of = |stack| Variant::of([("client", LIBRARY), ("stack", stack)]);
    vec![
        (of("tsm/dtls12-mlkem"), reason.into()),
        (of("tsm/dtls13-mlkem"), reason.into()),
        (of("tsm/dtls12-resumed").and("agent", OURS), resumed.into()),
        (of("tsm/dtls13-resumed").and("agent", OURS), resumed.into()),
    ]
}

const SECURE: [ProtocolStack; 14] = [
    ProtocolStack::v2c(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::v2c(Carrier::SshMlKem),
    ProtocolStack::tsm(Carrier::SshMlKem),
    ProtocolStack::new(Message::V1, Carrier::Tls),
    ProtocolStack::v2c(Carrier::Tls),
    ProtocolStack::v2c(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls12Resumed),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::TlsMlKem),
    ProtocolStack::tsm(Carrier::TlsResumed),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// The carriers of sessions that the broker opens with its own settings.
const BROKER_CARRIERS: [Carrier; 3] = [Carrier::Ssh, Carrier::Tls, Carrier::Dtls13];

/// Our client in one process, which opens its sessions itself.
pub(super) const LIBRARY: &str = "library";
/// Net-SNMP's library in a process of its own.
pub(super) const NET_SNMP: &str = "net-snmp";
/// Our client in a session that the broker keeps open.
pub(super) const BROKER: &str = "broker";
