//! The protocol stacks to measure, and the form of keys in each.

use portreeve_lab_report::sample::Variant;

use crate::client::{Carrier, Job, Keys, Message, Opener, Operation, ProtocolStack};
use crate::harness::{Peer, Skipped};
use crate::peers::Site;
use crate::requests::SYS_DESCR;

/// One variant and its work.
pub(super) enum Work {
    /// Sessions inside the client.
    Session { variant: Variant, job: Job },
    /// Sessions of Net-SNMP's library.
    NetSnmp { variant: Variant, job: Job },
    /// A whole command.
    Command { variant: Variant, words: Vec<String>, environment: Vec<(String, String)> },
}

impl Work {
    pub(super) fn variant(&self) -> &Variant {
        let (Self::Session { variant, .. } | Self::NetSnmp { variant, .. } | Self::Command { variant, .. }) =
            self;
        variant
    }

    pub(super) fn agent(&self) -> &str {
        self.variant().get("agent").unwrap_or_default()
    }
}

/// Adds a variant for every stack that the site supports.
pub(super) fn add(
    site: &Site,
    agent: &str,
    works: &mut Vec<Work>,
    unavailable: &mut Vec<(Variant, Skipped)>,
) {
    let get = Operation::Get { names: vec![[SYS_DESCR, &[0]].concat()], count: 1 };
    for stack in stacks() {
        let variant = Variant::of([("agent", agent), ("client", LIBRARY)]).and("stack", stack.id());
        if let Err(reason) = site.check(stack) {
            // The reason holds for every client of this agent.
            unavailable.push((Variant::of([("agent", agent)]).and("stack", stack.id()), reason));
            continue;
        }
        let job = Job::new(stack, get.clone());
        if agent == Peer::NetSnmp.name() {
            let variant = variant.clone().and("client", NET_SNMP);
            match site.check_library(&job) {
                Ok(()) => works.push(Work::NetSnmp { variant, job: job.clone() }),
                Err(reason) => unavailable.push((variant, reason)),
            }
        }
        if stack.message.has_keys() {
            for (keys, name) in [(Keys::Localized, "localized"), (Keys::PassPhrase, "pass-phrase")] {
                let job = Job { keys, ..job.clone() };
                works.push(Work::Session { variant: variant.clone().and("keys", name), job });
            }
            continue;
        }
        works.push(Work::Session { variant: variant.clone(), job: job.clone() });
        if BROKER_CARRIERS.contains(&stack.carrier) && stack.message == Message::Tsm {
            let job = Job { opener: Opener::Broker, ..job };
            works.push(Work::Session { variant: variant.and("client", BROKER), job });
        }
    }
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
    ["tsm/dtls12-mlkem", "tsm/dtls13-mlkem"]
        .map(|stack| (Variant::of([("client", LIBRARY), ("stack", stack)]), Skipped(reason.into())))
        .into()
}

const SECURE: [ProtocolStack; 13] = [
    ProtocolStack::v2c(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::v2c(Carrier::SshMlKem),
    ProtocolStack::tsm(Carrier::SshMlKem),
    ProtocolStack::new(Message::V1, Carrier::Tls),
    ProtocolStack::v2c(Carrier::Tls),
    ProtocolStack::v2c(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls12),
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
