//! The walks to measure at each agent.

use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::samples::Selection;

use super::{COLUMNS, IF_TABLE, OURS, PAPER_ROWS, QUICK_ROWS, SYSTEM, SizedSite};
use crate::client::{Carrier, Job, Message, Operation, ProtocolStack, WalkMethod};
use crate::experiments::security_levels;
use crate::harness::{Peer, Skipped};
use crate::peers::{LESS_PROTECTED, Setting};

/// One variant and its work.
pub(super) struct Work {
    pub(super) variant: Variant,
    /// The index of its site.
    pub(super) site: usize,
    /// The number of variables that the walk must find, if it is known.
    pub(super) variables: Option<u64>,
    pub(super) kind: WorkKind,
}

pub(super) enum WorkKind {
    /// A walk inside the client.
    Session(Job),
    /// A walk by Net-SNMP's library.
    NetSnmp(Job),
    /// A whole command, and the number of lines that it prints.
    Command { words: Vec<String>, lines: usize },
}

/// Adds the walks of one agent.
pub(super) fn add(
    index: usize,
    site: &SizedSite,
    works: &mut Vec<Work>,
    unavailable: &mut Vec<(Variant, Skipped)>,
) {
    let mut add = |object: &str, stack: ProtocolStack, method, root: &[u32], variables| {
        let variant =
            base(site).and("object", object).and("method", method_name(method)).and("stack", stack.id());
        if let Err(reason) = site.site.check(stack) {
            // The reason holds for every client and method.
            unavailable.push((Variant::of([("agent", site.agent)]).and("stack", stack.id()), reason));
            return;
        }
        let job = Job::new(stack, Operation::Walk { root: root.into(), method });
        if site.agent == Peer::NetSnmp.name() && method != WalkMethod::Ours {
            let variant = variant.clone().and("client", NET_SNMP);
            match site.site.check_library(&job) {
                Ok(()) => {
                    works.push(Work {
                        variant,
                        site: index,
                        variables,
                        kind: WorkKind::NetSnmp(job.clone()),
                    });
                }
                Err(reason) => unavailable.push((variant, reason)),
            }
        }
        let variant = variant.and("client", LIBRARY);
        works.push(Work { variant, site: index, variables, kind: WorkKind::Session(job) });
    };
    // Interfaces can appear and disappear on the user's device.
    let variables = (site.site.agent_id().is_some() && site.site.topology.is_isolated())
        .then_some(site.rows as u64 * COLUMNS);
    if LESS_PROTECTED.iter().any(|(name, _)| *name == site.agent) {
        for stack in security_levels::TLS_STACKS {
            add(SYSTEM_OBJECT, stack, WalkMethod::GetNext, &SYSTEM, None);
        }
        return;
    }
    for (stack, methods) in walks(site.setting) {
        for method in methods {
            add(IF_TABLE_OBJECT, *stack, *method, &IF_TABLE, variables);
        }
    }
    // One agent is enough for the system group, whose size does not depend on the rows.
    if site.setting == Setting::Pinned && (site.rows == QUICK_ROWS[0] || !site.site.topology.is_isolated()) {
        for stack in SYSTEM_STACKS {
            add(SYSTEM_OBJECT, *stack, WalkMethod::GetNext, &SYSTEM, None);
        }
    }
}

/// Returns the axes that all variants of an agent have.
pub(super) fn base(site: &SizedSite) -> Variant {
    Variant::of([("agent", site.agent), ("setting", site.setting.name())]).and("rows", site.rows.to_string())
}

fn walks(setting: Setting) -> Vec<(&'static ProtocolStack, &'static [WalkMethod])> {
    let (stacks, methods): (&[ProtocolStack], _) = match setting {
        Setting::Pinned => (&STACKS, &METHODS[..]),
        Setting::Unpinned => (&STACKS, &[WalkMethod::GetNext, WalkMethod::Ours][..]),
        Setting::Slow => (&STACKS, &METHODS[..1]),
    };
    stacks.iter().map(|stack| (stack, methods)).collect()
}

/// Selects the walks of ifTable by our client at our agent with a stack: GETNEXT and GETBULK, each
/// end on a core of its own.
pub(crate) fn ours<'s>(all: &Selection<'s>, stack: ProtocolStack) -> Selection<'s> {
    let base = [("agent", OURS), ("client", LIBRARY), ("object", IF_TABLE_OBJECT)];
    let pinned = Variant::of(base).and("setting", Setting::Pinned.name()).and("stack", stack.id());
    let mut walks = all.with_all(&pinned);
    // Our own walk has several requests under way, so that its exchanges take no time of their own.
    walks.retain(|variant| variant.get("method") != Some(&*method_name(WalkMethod::Ours)));
    walks
}

/// Returns the stacks of the walks of ifTable.
pub(crate) fn stacks() -> Vec<ProtocolStack> {
    STACKS.into()
}

/// Returns the name of a method in variants.
pub(super) fn method_name(method: WalkMethod) -> String {
    match method {
        WalkMethod::GetNext => "getnext".into(),
        WalkMethod::GetBulk(repetitions) => format!("getbulk-{repetitions}"),
        WalkMethod::Ours => "ours".into(),
    }
}

/// The methods of walks.
pub(super) const METHODS: [WalkMethod; 4] =
    [WalkMethod::GetNext, WalkMethod::GetBulk(10), WalkMethod::GetBulk(50), WalkMethod::Ours];

const STACKS: [ProtocolStack; 12] = [
    ProtocolStack::v2c(Carrier::Udp),
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Tcp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Tcp),
    ProtocolStack::v2c(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// The stacks of Table 6 b of paper 002.
const SYSTEM_STACKS: &[ProtocolStack] = &[
    ProtocolStack::new(Message::V1, Carrier::Udp),
    ProtocolStack::new(Message::V1, Carrier::Tcp),
    ProtocolStack::new(Message::V1, Carrier::Tls),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::new(Message::USM, Carrier::Udp),
    ProtocolStack::new(Message::USM, Carrier::Tcp),
    ProtocolStack::new(Message::USM_MD5, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5, Carrier::Tcp),
    ProtocolStack::new(Message::USM_MD5_DES, Carrier::Udp),
    ProtocolStack::new(Message::USM_MD5_DES, Carrier::Tcp),
];

/// Net-SNMP's library in a process of its own.
pub(super) const NET_SNMP: &str = "net-snmp";
/// Our client in one process.
pub(super) const LIBRARY: &str = "library";
pub(super) const IF_TABLE_OBJECT: &str = "ifTable";
pub(super) const SYSTEM_OBJECT: &str = "system";

/// Returns true for the agents whose commands are measured: those with the rows of the paper, or
/// with most rows in a quick run.
pub(super) fn has_commands(site: &SizedSite) -> bool {
    let is_compared = [OURS, Peer::NetSnmp.name()].contains(&site.agent);
    let rows = [PAPER_ROWS, QUICK_ROWS[1]].contains(&site.rows) || !site.site.topology.is_isolated();
    rows && is_compared
        && match site.setting {
            Setting::Pinned => true,
            Setting::Unpinned => site.agent == OURS,
            Setting::Slow => false,
        }
}
