//! The parts of a received message that are not printed, but written to structured logs.

use portreeve_smi::{EngineId, SecurityLevel, SecurityModel, TransportAddress, TransportDomain};
use portreeve_snmp_apps::ReceivedNotification;

/// The parts of a received message that [`Notification`](crate::Notification) lacks.
#[derive(Clone, Copy, Debug)]
pub struct MessageDetails<'a> {
    /// The transport.
    pub domain: TransportDomain,
    /// The address of the sender.
    pub source: TransportAddress,
    /// The security model that authenticated the principal.
    pub security_model: SecurityModel,
    /// The securityName; for a community, the name to which it is mapped.
    pub security_name: &'a [u8],
    /// The security level of the message.
    pub security_level: SecurityLevel,
    /// securityEngineID, for USM.
    pub security_engine_id: Option<EngineId>,
    /// contextEngineID, if the message contains a valid one.
    pub context_engine_id: Option<EngineId>,
    /// contextName.
    pub context_name: &'a [u8],
    /// sysUpTime.0, or the time-stamp of an SNMPv1 trap, in hundredths of a second.
    pub sys_up_time: u32,
    /// snmpTrapOID.0, or the identifier into which an SNMPv1 trap is translated.
    pub snmp_trap_oid: &'a [u32],
}

impl<'a> MessageDetails<'a> {
    /// Returns the details of an accepted notification.
    pub fn of(notification: &'a ReceivedNotification) -> Self {
        Self {
            domain: notification.domain,
            source: notification.source,
            security_model: notification.security_model,
            security_name: &notification.security_name,
            security_level: notification.security_level,
            security_engine_id: notification.security_engine_id,
            context_engine_id: notification.context_engine_id,
            context_name: &notification.context_name,
            sys_up_time: notification.sys_up_time,
            snmp_trap_oid: &notification.snmp_trap_oid,
        }
    }
}
