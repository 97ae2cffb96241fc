//! The variants: the method, the protocol stack, and the number of objects.

use portreeve_lab_report::papers::paper_003::{OBJECTS, OBJECTS_PER_SET};
use portreeve_lab_report::sample::Variant;

use super::OURS;
use crate::client::{
    Carrier, ClientCommand, EditJob, EditKind, Job, Message, Operation, ProtocolStack, Retransmission,
};
use crate::harness::{Effort, Skipped};
use crate::peers::Site;

/// One variant.
pub(super) struct Work {
    pub(super) variant: Variant,
    pub(super) objects: usize,
    method: Method,
}

enum Method {
    /// SETs of this number of objects.
    Set(ProtocolStack, usize),
    /// One `edit-config`.
    Edit,
}

impl Work {
    fn new(agent: &str, method: Method, objects: usize) -> Self {
        let (name, stack) = match &method {
            Method::Set(stack, per_request) => (set_name(*per_request), stack.id()),
            Method::Edit => (EDIT.to_owned(), NETCONF_STACK.to_owned()),
        };
        let variant = Variant::of([("agent", agent)]).and("method", name).and("stack", stack);
        Self { variant: variant.and("objects", objects.to_string()), objects, method }
    }

    /// Returns the command that changes the objects to values of `serial`.
    pub(super) fn command(&self, serial: usize) -> ClientCommand {
        let objects = self.objects;
        match self.method {
            Method::Set(stack, per_request) => {
                let job = Job::new(stack, Operation::SetStair { objects, per_request, serial });
                // SETs wait for the disk, whose pauses a measured timeout takes for losses.
                Job { retransmission: Retransmission::Fixed, ..job }.into()
            }
            Method::Edit => EditJob { kind: EditKind::Change, objects, serial }.into(),
        }
    }
}

/// Adds the SETs of our agent.
pub(super) fn add_snmp(
    site: &Site,
    effort: Effort,
    works: &mut Vec<Work>,
    unavailable: &mut Vec<(Variant, Skipped)>,
) {
    for stack in STACKS {
        if let Err(reason) = site.check(stack) {
            unavailable.push((Variant::of([("agent", OURS)]).and("stack", stack.id()), reason));
            continue;
        }
        let (many, one): (&[usize], &[usize]) = match (stack == UDP, effort) {
            (true, Effort::Full) => (&OBJECTS, &SINGLE_OBJECTS),
            (true, Effort::Quick) => (&QUICK_OBJECTS, &QUICK_SINGLE_OBJECTS),
            (false, Effort::Full) => (&OBJECTS, &[]),
            (false, Effort::Quick) => (&QUICK_OTHER_OBJECTS, &[]),
        };
        let set = |per_request| move |objects| Work::new(OURS, Method::Set(stack, per_request), objects);
        works.extend(many.iter().copied().map(set(OBJECTS_PER_SET)));
        works.extend(one.iter().copied().map(set(1)));
    }
}

/// Adds the edits of a NETCONF server.
pub(super) fn add_netconf(agent: &str, effort: Effort, works: &mut Vec<Work>) {
    let objects: &[usize] = effort.choose(&QUICK_OBJECTS, &OBJECTS);
    works.extend(objects.iter().map(|objects| Work::new(agent, Method::Edit, *objects)));
}

/// Returns the name of SETs of this number of objects.
pub(super) fn set_name(per_request: usize) -> String {
    format!("set-{per_request}")
}

/// The name of one `edit-config`.
pub(super) const EDIT: &str = "edit-config";
/// The protocol stack of NETCONF.
pub(super) const NETCONF_STACK: &str = "netconf/ssh";
/// The protocol stack of the paper.
pub(super) const UDP: ProtocolStack = ProtocolStack::v2c(Carrier::Udp);

/// The protocol stacks of SETs.
pub(super) const STACKS: [ProtocolStack; 9] = [
    UDP,
    ProtocolStack::v2c(Carrier::Tcp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp),
    ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Tcp),
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

/// The numbers of objects with one in each SET: more would take minutes.
const SINGLE_OBJECTS: [usize; 5] = [1, 10, 100, 1000, 10_000];
const QUICK_OBJECTS: [usize; 4] = [1, 10, 100, 1000];
const QUICK_SINGLE_OBJECTS: [usize; 3] = [1, 10, 100];
const QUICK_OTHER_OBJECTS: [usize; 2] = [1, 100];
