//! The table of causes with their texts and remedies.

use std::{fmt, net::SocketAddr};

use portreeve_smi::{EngineId, MessageProcessingModel, Oid, SecurityLevel};

use super::SessionIdentity;
use crate::{DropReason, InvalidRequestError, RejectReason};

/// The likely cause of a failure. Displayed as a clause, without the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the field names are self-explanatory, and `Display` describes each cause in full"
)]
pub enum Cause {
    /// The Report contains usmStatsWrongDigests.
    WrongAuthentication { user: String },
    /// The Report contains usmStatsDecryptionErrors.
    WrongPrivacy { user: String },
    /// The agent reported its clock, but drops encrypted messages.
    NoReplyToEncrypted { user: String },
    /// The Report contains usmStatsUnknownUserNames.
    UnknownUser { user: String },
    /// The Report contains usmStatsUnsupportedSecLevels.
    UnsupportedLevel { user: String, level: SecurityLevel },
    /// The agent's engineTime is lower than before, with the same engineBoots.
    ClockMovedBack { seconds: u32 },
    /// The agent's engineBoots is lower than before.
    BootsMovedBack { from: u32, to: u32 },
    /// Messages with the same engine ID contain readings of two different clocks.
    SharedEngineId { engine_id: Option<EngineId> },
    /// snmpEngineBoots has reached its maximum.
    LatchedClock,
    /// The Report contains usmStatsNotInTimeWindows, although the request had the engine time that
    /// the agent has just reported.
    ClockRejected,
    /// The Report contains usmStatsUnknownEngineIDs, and the engine ID is configured.
    WrongEngineId,
    /// The Report contains usmStatsUnknownEngineIDs, although the agent itself has reported the
    /// engine ID.
    EngineIdChanged,
    /// The Report contains snmpUnknownContexts.
    UnknownContext { context: String },
    /// The Report contains snmpUnavailableContexts.
    UnavailableContext { context: String },
    /// The Report contains snmpUnknownPDUHandlers.
    UnknownContextEngine,
    /// The Report contains snmpUnknownSecurityModels, and the request was sent for a USM user.
    UsmNotSupported,
    /// The Report contains snmpUnknownSecurityModels, and the request was sent in a secure session.
    TsmNotSupported,
    /// The Report contains a counter of the SNMP-TSM-MIB.
    SessionRejected(RejectReason),
    /// The Report contains snmpInvalidMsgs.
    InvalidMessage,
    /// The Report contains an unknown counter.
    UnknownReport,

    /// The system reports ICMP port unreachable or a refused connection.
    PortClosed,
    /// The system reports ICMP host unreachable, or that ARP received no reply.
    HostUnreachable,
    /// The system has no route to the agent.
    NetworkUnreachable,
    /// The agent has closed the connection.
    ConnectionClosed,
    /// No reply arrives to requests with a community.
    NoReplyToCommunity,
    /// No reply arrives to requests with a community, but the agent supports SNMPv3.
    NoReplyToCommunityButV3,
    /// No reply arrives to requests with a community in a secure session.
    NoReplyToCommunityInSession,
    /// The agent responds only to another SNMP version.
    WrongVersion { supported: MessageProcessingModel },
    /// No reply arrives to engine ID discovery.
    NoReplyToDiscovery,
    /// The agent replied to engine ID discovery, but not to the request.
    NoReplyAfterDiscovery,
    /// A secure session was opened, but no reply arrived in it.
    NoReplyInSession,
    /// Replies come from another address.
    RepliesFromOtherAddress { address: SocketAddr },
    /// The agent did not respond to the request, but responds to probes.
    RespondsNow,
    /// Responses arrived, but none of them belongs to a pending request.
    LateResponse,
    /// The agent responded to earlier requests, but not to this one.
    StoppedResponding,
    /// All received messages were dropped; the last one for this reason.
    Dropped(DropReason),

    /// The Response contains noSuchName, noSuchObject or noSuchInstance, or a walk found nothing.
    NotInView { name: Oid, identity: SessionIdentity },
    /// Nothing is visible to this identity.
    EmptyView { identity: SessionIdentity },
    /// The error-status is authorizationError.
    AccessDenied { identity: SessionIdentity, context: String },
    /// The error-status is noAccess.
    NoAccess { name: Oid, identity: SessionIdentity },
    /// The error-status is notWritable or readOnly.
    NotWritable { name: Oid },
    /// The error-status is tooBig.
    TooBig,
    /// The request cannot be encoded for this session.
    InvalidRequest(InvalidRequestError),
    /// The user has no keys for the agent's engine.
    NoKeys { engine_id: EngineId },
}

impl Cause {
    /// Returns the remedy for the cause.
    pub fn fix(&self) -> &'static str {
        match self {
            Self::WrongAuthentication { .. } => {
                "use the authentication pass phrase and protocol that the agent has for this user"
            }
            Self::WrongPrivacy { .. } | Self::NoReplyToEncrypted { .. } => {
                "use the privacy pass phrase and protocol that the agent has for this user"
            }
            Self::UnknownUser { .. } => "check the name, or create the user on this agent",
            Self::UnsupportedLevel { level: SecurityLevel::AuthPriv, .. } => {
                "use a lower security level, or configure a privacy key for the user on the agent"
            }
            Self::UnsupportedLevel { .. } => {
                "use another security level, or configure the user's keys for this level on the agent"
            }
            Self::ClockMovedBack { .. } => {
                "configure the agent to store its engineBoots across restarts; until then, start a new session after each restart"
            }
            Self::BootsMovedBack { .. } => {
                "check if the agent lost its state or shares its engineID with another agent; then start a new session"
            }
            Self::SharedEngineId { .. } => "give each agent an engineID of its own",
            Self::LatchedClock => "give the agent a new engineID and its users new keys",
            Self::ClockRejected => "check the agent's clock, and check if several agents share this address",
            Self::WrongEngineId => {
                "omit the engineID so that it is discovered automatically, or specify the agent's engineID"
            }
            Self::EngineIdChanged => "check if several agents share this address",
            Self::UnknownContext { .. } => "use a context that the agent lists in vacmContextTable",
            Self::UnavailableContext { .. } => "try again when the context is available",
            Self::UnknownContextEngine => {
                "omit the context engineID, or query the agent that has this context"
            }
            Self::UsmNotSupported => "use a security model that the agent supports",
            Self::SessionRejected(_) => "check which securityName the agent assigns to this session",
            Self::TsmNotSupported => {
                "use a community or a USM user inside the session, if the agent allows that"
            }
            Self::InvalidMessage => {
                "check for a device on the path that changes messages, or report the fault to the agent's vendor"
            }
            Self::UnknownReport => "check the agent's log",
            Self::PortClosed => "start the agent, or use the port on which the agent listens",
            Self::HostUnreachable => "check the address, and that the host is up",
            Self::NetworkUnreachable => "check this machine's routes and the address",
            Self::ConnectionClosed => {
                "check the agent's log: the agent may limit connections, or refuse connections from this address"
            }
            Self::NoReplyToCommunity => {
                "check the community, the addresses from which the agent accepts it, the port, and firewalls on the path"
            }
            Self::NoReplyToCommunityButV3 => {
                "use SNMPv3, or check the community and the addresses from which the agent accepts it"
            }
            Self::NoReplyToCommunityInSession => {
                "use SNMPv3, which needs no other credentials than those of the session, or let the agent accept communities in secure sessions (portreeved: `communities` in [sessions])"
            }
            Self::WrongVersion { .. } => "use the SNMP version to which the agent responds",
            Self::NoReplyToDiscovery => {
                "check the address, the port and firewalls, and that the agent supports SNMPv3"
            }
            Self::NoReplyAfterDiscovery => {
                "check the agent's log, and check for a firewall that drops longer messages"
            }
            Self::NoReplyInSession => {
                "check if the agent assigns a securityName to this session and supports SNMPv3 with the Transport Security Model"
            }
            Self::RepliesFromOtherAddress { .. } => {
                "query the address from which the agent replies, or configure the agent to reply from the queried address"
            }
            Self::RespondsNow => "try again; if messages are often lost, allow more retries",
            Self::LateResponse => "use a longer timeout",
            Self::StoppedResponding => "check if the agent is still up, and request fewer objects at once",
            Self::Dropped(_) => "check which agent responds at this address",
            Self::NotInView { .. } => {
                "give the user or community a view that includes the object, or request an object that the agent implements"
            }
            Self::EmptyView { .. } => "give the user's or community's group access to a view",
            Self::AccessDenied { .. } => {
                "add the user or community to a group that has access at this security level in this context"
            }
            Self::NoAccess { .. } => {
                "if the object should be writable, give the user or community a write view that includes it"
            }
            Self::NotWritable { .. } => {
                "write to writable objects only; to change a row that is defined in a configuration file, edit the file"
            }
            Self::TooBig => "request fewer objects at once",
            Self::InvalidRequest(InvalidRequestError::TooLong) => {
                "request fewer objects at once, or set shorter values"
            }
            Self::InvalidRequest(_) => "use another SNMP version",
            Self::NoKeys { .. } => "specify the pass phrases of the user, or keys localized to this engine",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongAuthentication { user } => {
                write!(f, "wrong authentication pass phrase for user {user}, or wrong authentication protocol")
            }
            Self::WrongPrivacy { user } => {
                write!(f, "wrong privacy pass phrase for user {user}, or wrong privacy protocol")
            }
            Self::NoReplyToEncrypted { user } => write!(
                f,
                "wrong privacy pass phrase or protocol for user {user} (the agent accepts the authentication, but drops encrypted messages)"
            ),
            Self::UnknownUser { user } => write!(f, "the agent has no user {user}"),
            Self::UnsupportedLevel { user, level: SecurityLevel::AuthPriv } => {
                write!(f, "user {user} has no privacy key, so authPriv is not possible")
            }
            Self::UnsupportedLevel { user, level } => {
                write!(f, "the agent does not support {level} for user {user}")
            }
            Self::ClockMovedBack { seconds } => {
                write!(f, "the agent's clock moved back {seconds} s: the agent does not store its engineBoots")
            }
            Self::BootsMovedBack { from, to } => write!(f, "the agent's engineBoots went back from {from} to {to}"),
            Self::SharedEngineId { engine_id: Some(id) } => {
                write!(f, "two agents share engineID {id}: their responses report different clocks")
            }
            Self::SharedEngineId { engine_id: None } => f.write_str("two agents share one engineID"),
            Self::LatchedClock => f.write_str("the agent's engineBoots has reached its maximum, so the agent rejects all authenticated messages"),
            Self::ClockRejected => f.write_str("the agent rejected the engine time that it had just reported"),
            Self::WrongEngineId => f.write_str("the agent does not have the configured engineID"),
            Self::EngineIdChanged => f.write_str("the agent rejects the engineID that it has just reported"),
            Self::UnknownContext { context } => write!(f, "the agent has no context {context:?}"),
            Self::UnavailableContext { context } => {
                write!(f, "the agent's context {context:?} is not available now")
            }
            Self::UnknownContextEngine => f.write_str("the agent does not have the requested context engineID"),
            Self::UsmNotSupported => f.write_str("the agent does not support the User-based Security Model"),
            Self::SessionRejected(refusal) => refusal.fmt(f),
            Self::TsmNotSupported => f.write_str("the agent does not support the Transport Security Model"),
            Self::InvalidMessage => f.write_str("the agent rejected the message as invalid"),
            Self::UnknownReport => f.write_str("the agent rejected the request with a Report whose counter is unknown"),
            Self::PortClosed => f.write_str("nothing listens on the requested port of the host"),
            Self::HostUnreachable => f.write_str("the host cannot be reached"),
            Self::NetworkUnreachable => f.write_str("there is no route to the network of the agent"),
            Self::ConnectionClosed => f.write_str("the agent closed the connection"),
            Self::NoReplyToCommunity => f.write_str(
                "the community is wrong, or the agent does not accept it from this address (agents do not respond in these cases), or no agent runs there",
            ),
            Self::NoReplyToCommunityButV3 => f.write_str(
                "the agent is up and supports SNMPv3, but does not respond to this community: the community is wrong or not allowed from this address, or the agent does not accept communities",
            ),
            Self::NoReplyToCommunityInSession => {
                f.write_str("the agent does not respond to SNMPv1 or v2c requests in the open session")
            }
            Self::WrongVersion { supported } => {
                write!(f, "the agent responds to this community in {} only", version(*supported))
            }
            Self::NoReplyToDiscovery => f.write_str("no SNMPv3 engine responds at this address"),
            Self::NoReplyAfterDiscovery => f.write_str("the agent reported its engineID and then stopped responding"),
            Self::NoReplyInSession => f.write_str("the agent does not respond to requests in the open session"),
            Self::RepliesFromOtherAddress { address } => {
                write!(f, "the agent replies from {address}, not from the queried address")
            }
            Self::RespondsNow => f.write_str("the agent responds now: earlier messages were lost, or the agent was busy"),
            Self::LateResponse => f.write_str("responses arrived too late, or did not match any request"),
            Self::StoppedResponding => f.write_str("the agent has stopped responding, or this request is too large for it"),
            Self::Dropped(ignored) => {
                write!(f, "the last received message was dropped: {ignored}")
            }
            Self::NotInView { name, identity } => {
                write!(f, "the agent does not have {name}, or no view grants it to {identity}")
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
            Self::TooBig => f.write_str("the response does not fit into one message"),
            Self::InvalidRequest(misuse) => misuse.fmt(f),
            Self::NoKeys { engine_id } => write!(f, "the user has no keys for the engine {engine_id}"),
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
