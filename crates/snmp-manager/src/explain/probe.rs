//! Probes sent after a timeout. They find out whether the agent supports another version or replies
//! from another address.
//!
//! Each probe is a session of its own with one request. The caller provides the socket.

use portreeve_mib::modules::snmpv2_mib::SYS_UP_TIME;
use portreeve_smi::{MessageProcessingModel, Timestamp};

use super::Cause;
use crate::{Credentials, Operation, Request, Session, SessionOptions, UsmUser};

/// A session that sends one probe.
pub(crate) struct Probe {
    version: MessageProcessingModel,
    session: Session,
}

/// The version of a probe that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProbeReply(MessageProcessingModel);

impl Probe {
    /// Returns the probes for a session that received no reply. The first probe is an SNMPv3
    /// discovery, which needs no secret. If the session has a community, a request in SNMPv1 and a
    /// request in SNMPv2c follow.
    pub(crate) fn all(session: &Session, seed: u64) -> Vec<Self> {
        // Requests sysUpTime, because every agent has it.
        let name = [SYS_UP_TIME.arcs(), &[0]].concat();
        let probe = |version, credentials| {
            let mut session = Session::new(credentials, &SessionOptions::default(), seed);
            session.request(&Request::read(Operation::Get, [&name]));
            Self { version, session }
        };
        let no_user = Credentials::V3(UsmUser::unauthenticated(&[]));
        let mut probes = vec![probe(MessageProcessingModel::V3, no_user)];
        if let Some(community) = session.community() {
            probes.push(probe(MessageProcessingModel::V1, Credentials::V1(community.duplicate())));
            probes.push(probe(MessageProcessingModel::V2c, Credentials::V2c(community.duplicate())));
        }
        probes
    }

    /// Returns the next message of the probe.
    pub(crate) fn message(&mut self, now: Timestamp) -> Option<&[u8]> {
        // An SNMPv3 probe consists of engine ID discovery only.
        if self.session.engine_id().is_some() {
            return None;
        }
        self.session.handle_timeout(now);
        self.session.poll_output(now)
    }

    /// Returns the reply if `message` answers this probe.
    pub(crate) fn handle_input(&mut self, now: Timestamp, message: &mut [u8]) -> Option<ProbeReply> {
        if self.session.engine_id().is_some() {
            return None;
        }
        self.session.handle_input(now, message);
        let answered = self.session.engine_id().is_some() || self.session.poll_event().is_some();
        answered.then_some(ProbeReply(self.version))
    }
}

impl ProbeReply {
    /// Returns the cause that the replies to the probes indicate. `session` is the session that
    /// received no reply.
    pub(crate) fn cause(replies: &[Self], session: &Session) -> Option<Cause> {
        use MessageProcessingModel::{V1, V2c, V3};
        let shows = |version| replies.contains(&Self(version));
        match session.version() {
            version if shows(version) && version != V3 => Some(Cause::RespondsNow),
            V1 if shows(V2c) => Some(Cause::WrongVersion { supported: V2c }),
            V2c if shows(V1) => Some(Cause::WrongVersion { supported: V1 }),
            V1 | V2c if shows(V3) => Some(Cause::NoReplyToCommunityButV3),
            V3 if shows(V3) && session.engine_id().is_none() => Some(Cause::RespondsNow),
            _ => None,
        }
    }
}
