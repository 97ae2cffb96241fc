//! The table of causes: what each is called, and what helps.

use std::{fmt, net::SocketAddr};

use portreeve_smi::{EngineId, MessageProcessingModel, Oid, SecurityLevel};

use super::SessionIdentity;
use crate::{DropReason, InvalidRequestError, RejectReason};

/// What is likely wrong. As text it is half a sentence, without the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "fields are what their names say; the words below each say it in full")]
pub enum Cause {
    /// usmStatsWrongDigests
    WrongAuthentication { user: String },
    /// usmStatsDecryptionErrors
    WrongPrivacy { user: String },
    /// Time was told, and what is encrypted is dropped.
    NoReplyToEncrypted { user: String },
    /// usmStatsUnknownUserNames
    UnknownUser { user: String },
    /// usmStatsUnsupportedSecLevels
    UnsupportedLevel { user: String, level: SecurityLevel },
    /// The agent's time is less than it was, in the same boots.
    ClockMovedBack { seconds: u32 },
    /// The agent's boots are fewer than they were.
    BootsMovedBack { from: u32, to: u32 },
    /// One engine ID shows two clocks.
    SharedEngineId { engine_id: Option<EngineId> },
    /// snmpEngineBoots has reached its end.
    LatchedClock,
    /// usmStatsNotInTimeWindows for the very time the agent has told.
    ClockRejected,
    /// usmStatsUnknownEngineIDs for the engine ID that was configured.
    WrongEngineId,
    /// usmStatsUnknownEngineIDs for the engine ID that the agent has told.
    EngineIdChanged,
    /// snmpUnknownContexts
    UnknownContext { context: String },
    /// snmpUnavailableContexts
    UnavailableContext { context: String },
    /// snmpUnknownPDUHandlers
    UnknownContextEngine,
    /// snmpUnknownSecurityModels
    UsmNotSupported,
    /// The same, asked in a secure session.
    TsmNotSupported,
    /// A counter of SNMP-TSM-MIB.
    SessionRejected(RejectReason),
    /// snmpInvalidMsgs
    InvalidMessage,
    /// A Report with another counter.
    UnknownReport,

    /// ICMP port unreachable, or a refused connection.
    PortClosed,
    /// ICMP host unreachable, or no answer to ARP.
    HostUnreachable,
    /// No route.
    NetworkUnreachable,
    /// The agent has ended the connection.
    ConnectionClosed,
    /// Nothing at all came, asked with a community.
    NoReplyToCommunity,
    /// The same, but the agent speaks SNMPv3.
    NoReplyToCommunityButV3,
    /// Nothing came, asked with a community in a secure session.
    NoReplyToCommunityInSession,
    /// It is another version that the agent answers.
    WrongVersion { supported: MessageProcessingModel },
    /// Nobody has answered discovery.
    NoReplyToDiscovery,
    /// Discovery was answered, and nothing after it.
    NoReplyAfterDiscovery,
    /// A secure session was opened, and nothing came in it.
    NoReplyInSession,
    /// Answers come from another address than the one asked.
    RepliesFromOtherAddress { address: SocketAddr },
    /// It answers now.
    RespondsNow,
    /// Answers came, but not to requests still waited for.
    LateResponse,
    /// Earlier requests were answered.
    StoppedResponding,
    /// Only messages came that cannot be believed.
    Dropped(DropReason),

    /// noSuchName, noSuchObject, noSuchInstance, or nothing found.
    NotInView { name: Oid, identity: SessionIdentity },
    /// The same, and there is nothing else either.
    EmptyView { identity: SessionIdentity },
    /// authorizationError
    AccessDenied { identity: SessionIdentity, context: String },
    /// noAccess
    NoAccess { name: Oid, identity: SessionIdentity },
    /// notWritable, readOnly
    NotWritable { name: Oid },
    /// tooBig
    TooBig,
    /// The request cannot be expressed.
    InvalidRequest(InvalidRequestError),
}

impl Cause {
    /// What helps.
    pub fn fix(&self) -> &'static str {
        match self {
            Self::WrongAuthentication { .. } => {
                "use the pass phrase and protocol that the agent has for this user"
            }
            Self::WrongPrivacy { .. } | Self::NoReplyToEncrypted { .. } => {
                "use the privacy pass phrase and protocol that the agent has for this user"
            }
            Self::UnknownUser { .. } => "check the name, or create the user on this agent",
            Self::UnsupportedLevel { .. } => "ask at another level, or give the user keys for this one",
            Self::ClockMovedBack { .. } => {
                "let the agent store its boots across restarts; a new session works until then"
            }
            Self::BootsMovedBack { .. } => {
                "see whether the agent lost its state or another one has its engineID; start a new session"
            }
            Self::SharedEngineId { .. } => "give each agent an engineID of its own",
            Self::LatchedClock => "give the agent a new engineID and its users new keys",
            Self::ClockRejected => "check the agent's clock, and whether several agents share this address",
            Self::WrongEngineId => "leave the engineID out, so that it is discovered, or correct it",
            Self::EngineIdChanged => "see whether several agents answer at this address",
            Self::UnknownContext { .. } => "use a context that the agent lists in vacmContextTable",
            Self::UnavailableContext { .. } => "try again when the agent has the context at hand",
            Self::UnknownContextEngine => {
                "leave the context engineID out, or ask the agent that has this context"
            }
            Self::UsmNotSupported => "use a security model that the agent has",
            Self::SessionRejected(_) => "see which securityName the agent gives to this session's identity",
            Self::TsmNotSupported => {
                "ask with a community or a user inside the session, if the agent allows that"
            }
            Self::InvalidMessage => {
                "look for a device between that changes messages, or report the agent's fault"
            }
            Self::UnknownReport => "look at the agent's log",
            Self::PortClosed => "start the agent, or use the port it listens on",
            Self::HostUnreachable => "check the address, and that the host is up",
            Self::NetworkUnreachable => "check this machine's routes and the address",
            Self::ConnectionClosed => {
                "look at the agent's log: it may limit connections or refuse this address"
            }
            Self::NoReplyToCommunity => {
                "check the community, the sources it is allowed from, the port, and firewalls between"
            }
            Self::NoReplyToCommunityButV3 => {
                "use SNMPv3, or check the community and the sources it is allowed from"
            }
            Self::NoReplyToCommunityInSession => {
                "ask in SNMPv3, which needs no more than the session, or allow such messages there ([sessions] communities)"
            }
            Self::WrongVersion { .. } => "ask with that version",
            Self::NoReplyToDiscovery => "check address, port and firewalls, and that the agent speaks SNMPv3",
            Self::NoReplyAfterDiscovery => {
                "look at the agent's log, and for a firewall that drops longer messages"
            }
            Self::NoReplyInSession => {
                "see whether the agent gives this identity a securityName, and speaks SNMPv3 with the Transport Security Model"
            }
            Self::RepliesFromOtherAddress { .. } => {
                "ask at that address, or let the agent answer from the one asked"
            }
            Self::RespondsNow => "try again; allow more retries where messages get lost",
            Self::LateResponse => "wait longer for answers",
            Self::StoppedResponding => "see whether the agent is still up, and ask for less at once",
            Self::Dropped(_) => "see who answers at this address",
            Self::NotInView { .. } => "grant a view of it, or ask for what the agent has",
            Self::EmptyView { .. } => "give the user's or community's group access to a view",
            Self::AccessDenied { .. } => {
                "put it into a group that has access at this level and in this context"
            }
            Self::NoAccess { .. } => "grant a write view of it, if it is to be written",
            Self::NotWritable { .. } => {
                "write to objects that can be written; rows of a file are changed there"
            }
            Self::TooBig => "ask for less at once",
            Self::InvalidRequest(_) => "ask in another version",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongAuthentication { user } => {
                write!(f, "wrong authentication pass phrase for user {user}, or another authentication protocol")
            }
            Self::WrongPrivacy { user } => {
                write!(f, "wrong privacy pass phrase for user {user}, or another privacy protocol")
            }
            Self::NoReplyToEncrypted { user } => write!(
                f,
                "wrong privacy pass phrase or protocol for user {user} (the agent knows who asks, and drops what is encrypted)"
            ),
            Self::UnknownUser { user } => write!(f, "the agent has no user {user}"),
            Self::UnsupportedLevel { user, level } => {
                write!(f, "the agent has user {user}, but not for {level}")
            }
            Self::ClockMovedBack { seconds } => {
                write!(f, "agent's clock moved back {seconds} s: it does not keep boots")
            }
            Self::BootsMovedBack { from, to } => write!(f, "agent's boots went back from {from} to {to}"),
            Self::SharedEngineId { engine_id: Some(id) } => {
                write!(f, "two agents share engineID {id}: it shows two clocks")
            }
            Self::SharedEngineId { engine_id: None } => f.write_str("two agents share one engineID"),
            Self::LatchedClock => f.write_str("the agent's engineBoots has reached its end, so nothing is authentic"),
            Self::ClockRejected => f.write_str("the agent refuses the very time that it has told"),
            Self::WrongEngineId => f.write_str("the agent does not have the engineID that was given"),
            Self::EngineIdChanged => f.write_str("the agent does not answer for the engineID that it has told"),
            Self::UnknownContext { context } => write!(f, "the agent has no context {context:?}"),
            Self::UnavailableContext { context } => {
                write!(f, "the agent's context {context:?} is not available now")
            }
            Self::UnknownContextEngine => f.write_str("the agent has nothing of that context engineID"),
            Self::UsmNotSupported => f.write_str("the agent does not have the User-based Security Model"),
            Self::SessionRejected(refusal) => refusal.fmt(f),
            Self::TsmNotSupported => f.write_str("the agent does not have the Transport Security Model"),
            Self::InvalidMessage => f.write_str("the agent found the message invalid"),
            Self::UnknownReport => f.write_str("the agent refused with a report of its own making"),
            Self::PortClosed => f.write_str("nothing listens there: the host has refused the port"),
            Self::HostUnreachable => f.write_str("the host cannot be reached"),
            Self::NetworkUnreachable => f.write_str("there is no way to that network"),
            Self::ConnectionClosed => f.write_str("the agent has closed the connection"),
            Self::NoReplyToCommunity => f.write_str(
                "the community is wrong, or the agent does not listen to it from this address (agents drop silently), or nothing is there",
            ),
            Self::NoReplyToCommunityButV3 => f.write_str(
                "the agent is up and speaks SNMPv3: the community is wrong, not allowed from this address, or communities are off",
            ),
            Self::NoReplyToCommunityInSession => {
                f.write_str("the session is open, but the agent takes no SNMPv1 or v2c in it")
            }
            Self::WrongVersion { supported } => {
                write!(f, "the agent answers this community in {} only", version(*supported))
            }
            Self::NoReplyToDiscovery => f.write_str("no SNMPv3 engine answers there"),
            Self::NoReplyAfterDiscovery => f.write_str("the agent has told its engineID and then fell silent"),
            Self::NoReplyInSession => f.write_str("the session is open, but the agent answers nothing in it"),
            Self::RepliesFromOtherAddress { address } => {
                write!(f, "the agent answers from {address}, where it was not asked")
            }
            Self::RespondsNow => f.write_str("the agent answers now: messages were lost, or it was busy"),
            Self::LateResponse => f.write_str("answers came too late, or to requests of somebody else"),
            Self::StoppedResponding => f.write_str("the agent has stopped answering, or this request is too much for it"),
            Self::Dropped(ignored) => {
                write!(f, "what came cannot be believed: {ignored}")
            }
            Self::NotInView { name, identity } => {
                write!(f, "no view grants {name} to {identity}, or the agent does not have it")
            }
            Self::EmptyView { identity } => write!(f, "no view grants anything to {identity}"),
            Self::AccessDenied { identity, context } if context.is_empty() => {
                write!(f, "{identity} has no access rights")
            }
            Self::AccessDenied { identity, context } => {
                write!(f, "{identity} has no access rights in context {context:?}")
            }
            Self::NoAccess { name, identity } => write!(f, "no write view grants {name} to {identity}"),
            Self::NotWritable { name } => write!(f, "{name} cannot be written"),
            Self::TooBig => f.write_str("the answer does not fit one message"),
            Self::InvalidRequest(misuse) => misuse.fmt(f),
        }
    }
}

fn version(version: MessageProcessingModel) -> &'static str {
    match version {
        MessageProcessingModel::V1 => "SNMPv1",
        MessageProcessingModel::V2c => "SNMPv2c",
        MessageProcessingModel::V3 => "SNMPv3",
    }
}
