//! Questions that tell more after silence: does the agent speak another version, or from another address?
//!
//! Each is a session of its own with one request on its way, for whoever has a socket to send it through.

use portreeve_mib::modules::snmpv2_mib::SYS_UP_TIME;
use portreeve_smi::{MessageProcessingModel, Timestamp};

use super::Cause;
use crate::{Credentials, Operation, Request, Session, SessionOptions, UsmUser};

/// One such question.
pub(crate) struct Probe {
    version: MessageProcessingModel,
    session: Session,
}

/// What an answer to a probe shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProbeReply(MessageProcessingModel);

impl Probe {
    /// The probes for a session that has heard nothing: for a community, both versions; for everybody, the discovery
    /// of SNMPv3, which needs no secret.
    pub(crate) fn all(of: &Session, seed: u64) -> Vec<Self> {
        // Every agent has it.
        let name = [SYS_UP_TIME.arcs(), &[0]].concat();
        let probe = |version, credentials| {
            let mut session = Session::new(credentials, &SessionOptions::default(), seed);
            session.request(&Request::read(Operation::Get, [&name]));
            Self { version, session }
        };
        let stranger = Credentials::V3(UsmUser::unauthenticated(&[]));
        let mut probes = vec![probe(MessageProcessingModel::V3, stranger)];
        if let Some(community) = of.community() {
            probes.push(probe(MessageProcessingModel::V1, Credentials::V1(community.duplicate())));
            probes.push(probe(MessageProcessingModel::V2c, Credentials::V2c(community.duplicate())));
        }
        probes
    }

    /// The message to send.
    pub(crate) fn message(&mut self, now: Timestamp) -> Option<&[u8]> {
        // Discovery is all that is wanted of SNMPv3.
        if self.session.engine_id().is_some() {
            return None;
        }
        self.session.handle_timeout(now);
        self.session.poll_output(now)
    }

    /// What `message` shows, if it answers this probe.
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
    /// What the signs mean for a session that has heard nothing.
    pub(crate) fn cause(replies: &[Self], of: &Session) -> Option<Cause> {
        use MessageProcessingModel::{V1, V2c, V3};
        let shows = |version| replies.contains(&Self(version));
        match of.version() {
            version if shows(version) && version != V3 => Some(Cause::RespondsNow),
            V1 if shows(V2c) => Some(Cause::WrongVersion { supported: V2c }),
            V2c if shows(V1) => Some(Cause::WrongVersion { supported: V1 }),
            V1 | V2c if shows(V3) => Some(Cause::NoReplyToCommunityButV3),
            V3 if shows(V3) && of.engine_id().is_none() => Some(Cause::RespondsNow),
            _ => None,
        }
    }
}
