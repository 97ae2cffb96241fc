//! The table of causes: what each is called, and what helps.

use std::{fmt, net::SocketAddr};

use portreeve_smi::{EngineId, MessageProcessingModel, Oid, SecurityLevel};

use super::Asker;
use crate::{Ignored, Misuse, Refusal};

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
    SilentOnEncrypted { user: String },
    /// usmStatsUnknownUserNames
    UnknownUser { user: String },
    /// usmStatsUnsupportedSecLevels
    LevelNotOffered { user: String, level: SecurityLevel },
    /// The agent's time is less than it was, in the same boots.
    ClockMovedBack { seconds: u32 },
    /// The agent's boots are fewer than they were.
    BootsMovedBack { from: u32, to: u32 },
    /// One engine ID shows two clocks.
    SharedEngineId { engine_id: Option<EngineId> },
    /// snmpEngineBoots has reached its end.
    LatchedClock,
    /// usmStatsNotInTimeWindows for the very time the agent has told.
    ClockRefused,
    /// usmStatsUnknownEngineIDs for the engine ID that was configured.
    OtherEngineId,
    /// usmStatsUnknownEngineIDs for the engine ID that the agent has told.
    ChangingEngineId,
    /// snmpUnknownContexts
    UnknownContext { context: String },
    /// snmpUnavailableContexts
    UnavailableContext { context: String },
    /// snmpUnknownPDUHandlers
    UnknownContextEngine,
    /// snmpUnknownSecurityModels
    NoUsm,
    /// The same, asked in a secure session.
    NoTsm,
    /// A counter of SNMP-TSM-MIB.
    SessionRefused(Refusal),
    /// snmpInvalidMsgs
    InvalidMessage,
    /// A Report with another counter.
    StrangeReport,

    /// ICMP port unreachable, or a refused connection.
    NothingListens,
    /// ICMP host unreachable, or no answer to ARP.
    HostUnreachable,
    /// No route.
    NetworkUnreachable,
    /// The agent has ended the connection.
    ConnectionClosed,
    /// Nothing at all came, asked with a community.
    CommunitySilent,
    /// The same, but the agent speaks SNMPv3.
    CommunitySilentSpeaksV3,
    /// Nothing came, asked with a community in a secure session.
    CommunitySilentInSession,
    /// It is another version that the agent answers.
    OtherVersion { spoken: MessageProcessingModel },
    /// Nobody has answered discovery.
    NoEngine,
    /// Discovery was answered, and nothing after it.
    SilentAfterDiscovery,
    /// A secure session was opened, and nothing came in it.
    SilentInSession,
    /// Answers come from another address than the one asked.
    AnswersFromElsewhere { address: SocketAddr },
    /// It answers now.
    AnswersAgain,
    /// Answers came, but not to requests still waited for.
    TooLate,
    /// Earlier requests were answered.
    StoppedAnswering,
    /// Only messages came that cannot be believed.
    Ignored(Ignored),

    /// noSuchName, noSuchObject, noSuchInstance, or nothing found.
    NoView { name: Oid, asker: Asker },
    /// The same, and there is nothing else either.
    NothingVisible { asker: Asker },
    /// authorizationError
    NoRights { asker: Asker, context: String },
    /// noAccess
    NoAccess { name: Oid, asker: Asker },
    /// notWritable, readOnly
    NotWritable { name: Oid },
    /// tooBig
    TooBig,
    /// The request cannot be expressed.
    Misuse(Misuse),
}

impl Cause {
    /// What helps.
    pub fn fix(&self) -> &'static str {
        match self {
            Self::WrongAuthentication { .. } => {
                "use the pass phrase and protocol that the agent has for this user"
            }
            Self::WrongPrivacy { .. } | Self::SilentOnEncrypted { .. } => {
                "use the privacy pass phrase and protocol that the agent has for this user"
            }
            Self::UnknownUser { .. } => "check the name, or create the user on this agent",
            Self::LevelNotOffered { .. } => "ask at another level, or give the user keys for this one",
            Self::ClockMovedBack { .. } => {
                "let the agent store its boots across restarts; a new session works until then"
            }
            Self::BootsMovedBack { .. } => {
                "see whether the agent lost its state or another one has its engineID; start a new session"
            }
            Self::SharedEngineId { .. } => "give each agent an engineID of its own",
            Self::LatchedClock => "give the agent a new engineID and its users new keys",
            Self::ClockRefused => "check the agent's clock, and whether several agents share this address",
            Self::OtherEngineId => "leave the engineID out, so that it is discovered, or correct it",
            Self::ChangingEngineId => "see whether several agents answer at this address",
            Self::UnknownContext { .. } => "use a context that the agent lists in vacmContextTable",
            Self::UnavailableContext { .. } => "try again when the agent has the context at hand",
            Self::UnknownContextEngine => {
                "leave the context engineID out, or ask the agent that has this context"
            }
            Self::NoUsm => "use a security model that the agent has",
            Self::SessionRefused(_) => "see which securityName the agent gives to this session's identity",
            Self::NoTsm => "ask with a community or a user inside the session, if the agent allows that",
            Self::InvalidMessage => {
                "look for a device between that changes messages, or report the agent's fault"
            }
            Self::StrangeReport => "look at the agent's log",
            Self::NothingListens => "start the agent, or use the port it listens on",
            Self::HostUnreachable => "check the address, and that the host is up",
            Self::NetworkUnreachable => "check this machine's routes and the address",
            Self::ConnectionClosed => {
                "look at the agent's log: it may limit connections or refuse this address"
            }
            Self::CommunitySilent => {
                "check the community, the sources it is allowed from, the port, and firewalls between"
            }
            Self::CommunitySilentSpeaksV3 => {
                "use SNMPv3, or check the community and the sources it is allowed from"
            }
            Self::CommunitySilentInSession => {
                "ask in SNMPv3, which needs no more than the session, or allow such messages there ([sessions] communities)"
            }
            Self::OtherVersion { .. } => "ask with that version",
            Self::NoEngine => "check address, port and firewalls, and that the agent speaks SNMPv3",
            Self::SilentAfterDiscovery => {
                "look at the agent's log, and for a firewall that drops longer messages"
            }
            Self::SilentInSession => {
                "see whether the agent gives this identity a securityName, and speaks SNMPv3 with the Transport Security Model"
            }
            Self::AnswersFromElsewhere { .. } => {
                "ask at that address, or let the agent answer from the one asked"
            }
            Self::AnswersAgain => "try again; allow more retries where messages get lost",
            Self::TooLate => "wait longer for answers",
            Self::StoppedAnswering => "see whether the agent is still up, and ask for less at once",
            Self::Ignored(_) => "see who answers at this address",
            Self::NoView { .. } => "grant a view of it, or ask for what the agent has",
            Self::NothingVisible { .. } => "give the user's or community's group access to a view",
            Self::NoRights { .. } => "put it into a group that has access at this level and in this context",
            Self::NoAccess { .. } => "grant a write view of it, if it is to be written",
            Self::NotWritable { .. } => {
                "write to objects that can be written; rows of a file are changed there"
            }
            Self::TooBig => "ask for less at once",
            Self::Misuse(_) => "ask in another version",
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
            Self::SilentOnEncrypted { user } => write!(
                f,
                "wrong privacy pass phrase or protocol for user {user} (the agent knows who asks, and drops what is encrypted)"
            ),
            Self::UnknownUser { user } => write!(f, "the agent has no user {user}"),
            Self::LevelNotOffered { user, level } => {
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
            Self::ClockRefused => f.write_str("the agent refuses the very time that it has told"),
            Self::OtherEngineId => f.write_str("the agent does not have the engineID that was given"),
            Self::ChangingEngineId => f.write_str("the agent does not answer for the engineID that it has told"),
            Self::UnknownContext { context } => write!(f, "the agent has no context {context:?}"),
            Self::UnavailableContext { context } => {
                write!(f, "the agent's context {context:?} is not available now")
            }
            Self::UnknownContextEngine => f.write_str("the agent has nothing of that context engineID"),
            Self::NoUsm => f.write_str("the agent does not have the User-based Security Model"),
            Self::SessionRefused(refusal) => refusal.fmt(f),
            Self::NoTsm => f.write_str("the agent does not have the Transport Security Model"),
            Self::InvalidMessage => f.write_str("the agent found the message invalid"),
            Self::StrangeReport => f.write_str("the agent refused with a report of its own making"),
            Self::NothingListens => f.write_str("nothing listens there: the host has refused the port"),
            Self::HostUnreachable => f.write_str("the host cannot be reached"),
            Self::NetworkUnreachable => f.write_str("there is no way to that network"),
            Self::ConnectionClosed => f.write_str("the agent has closed the connection"),
            Self::CommunitySilent => f.write_str(
                "the community is wrong, or the agent does not listen to it from this address (agents drop silently), or nothing is there",
            ),
            Self::CommunitySilentSpeaksV3 => f.write_str(
                "the agent is up and speaks SNMPv3: the community is wrong, not allowed from this address, or communities are off",
            ),
            Self::CommunitySilentInSession => {
                f.write_str("the session is open, but the agent takes no SNMPv1 or v2c in it")
            }
            Self::OtherVersion { spoken } => {
                write!(f, "the agent answers this community in {} only", version(*spoken))
            }
            Self::NoEngine => f.write_str("no SNMPv3 engine answers there"),
            Self::SilentAfterDiscovery => f.write_str("the agent has told its engineID and then fell silent"),
            Self::SilentInSession => f.write_str("the session is open, but the agent answers nothing in it"),
            Self::AnswersFromElsewhere { address } => {
                write!(f, "the agent answers from {address}, where it was not asked")
            }
            Self::AnswersAgain => f.write_str("the agent answers now: messages were lost, or it was busy"),
            Self::TooLate => f.write_str("answers came too late, or to requests of somebody else"),
            Self::StoppedAnswering => f.write_str("the agent has stopped answering, or this request is too much for it"),
            Self::Ignored(ignored) => {
                write!(f, "what came cannot be believed: {ignored}")
            }
            Self::NoView { name, asker } => {
                write!(f, "no view grants {name} to {asker}, or the agent does not have it")
            }
            Self::NothingVisible { asker } => write!(f, "no view grants anything to {asker}"),
            Self::NoRights { asker, context } if context.is_empty() => {
                write!(f, "{asker} has no access rights")
            }
            Self::NoRights { asker, context } => {
                write!(f, "{asker} has no access rights in context {context:?}")
            }
            Self::NoAccess { name, asker } => write!(f, "no write view grants {name} to {asker}"),
            Self::NotWritable { name } => write!(f, "{name} cannot be written"),
            Self::TooBig => f.write_str("the answer does not fit one message"),
            Self::Misuse(misuse) => misuse.fmt(f),
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
