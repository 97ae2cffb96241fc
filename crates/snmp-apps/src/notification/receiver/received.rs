//! Accepted notifications, which outlive their messages.

use std::sync::Arc;

use portreeve_mib::{
    Object,
    modules::snmpv2_mib::{SNMP_TRAP_OID, SYS_UP_TIME},
};
use portreeve_secret::Secret;
use portreeve_smi::{
    EngineId, Oid, OidBuf, OidRef, SecurityLevel, SecurityModel, TmStateReference, TransportAddress,
    TransportDomain, Value,
};
use portreeve_snmp_engine::{IncomingNotification, NotificationContent};
use portreeve_snmp_message::{OwnedPdu, Pdu, PduType, TrapV1, VarBind, VarBinds};

use super::NotificationActions;
use crate::notification::{AgentAddress, NotificationV1, NotificationV2, TranslationError, is_instance};

/// An accepted notification.
pub struct ReceivedNotification {
    /// The transport of the message.
    pub domain: TransportDomain,
    /// The address from which the message arrived.
    pub source: TransportAddress,
    /// The security model that authenticated the principal.
    pub security_model: SecurityModel,
    /// The securityName of the principal.
    pub security_name: Vec<u8>,
    /// The security level of the message.
    pub security_level: SecurityLevel,
    /// The community; `None` for SNMPv3.
    pub community: Option<Secret>,
    /// securityEngineID, for USM: the ID of the sender of a trap, or of this engine.
    pub security_engine_id: Option<EngineId>,
    /// contextEngineID, if the message contains a valid one.
    pub context_engine_id: Option<EngineId>,
    /// contextName.
    pub context_name: Vec<u8>,
    /// The actions that are permitted.
    pub actions: NotificationActions,
    /// sysUpTime.0, or the time-stamp of an SNMPv1 trap, in hundredths of a second.
    pub sys_up_time: u32,
    /// The type of the notification.
    pub snmp_trap_oid: Oid,
    trap_v1: Option<TrapFields>,
    /// The PDU. Of that of a trap, only the variables are used.
    pdu: Arc<OwnedPdu>,
}

/// The fields of an SNMPv1 trap that its SNMPv2 form lacks.
struct TrapFields {
    enterprise: Oid,
    agent_address: [u8; 4],
    generic: i32,
    specific: i32,
}

impl ReceivedNotification {
    /// Copies a notification.
    pub(super) fn new(
        transport: &TmStateReference,
        notification: &IncomingNotification<'_>,
        kind: &NotificationKind,
        actions: NotificationActions,
    ) -> Self {
        let state = &notification.state;
        let principal = state.principal();
        let (trap_v1, pdu) = match &notification.content {
            NotificationContent::TrapV1(trap) => (Some(TrapFields::of(trap)), pdu_with(trap.var_binds)),
            NotificationContent::TrapV2(pdu) | NotificationContent::Inform(pdu) => {
                (None, OwnedPdu::from(pdu))
            }
        };
        Self {
            domain: transport.domain,
            source: transport.address,
            security_model: principal.security_model,
            security_name: principal.security_name.to_vec(),
            security_level: principal.security_level,
            community: state.community().map(|community| Secret::new(community.to_vec())),
            security_engine_id: notification.security_engine_id,
            context_engine_id: state.context_engine_id(),
            context_name: state.context_name().to_vec(),
            actions,
            sys_up_time: kind.sys_up_time,
            snmp_trap_oid: Oid::from(&kind.snmp_trap_oid),
            trap_v1,
            pdu: Arc::new(pdu),
        }
    }

    /// Returns the PDU of an inform, for its response.
    pub(super) fn pdu(&self) -> &Arc<OwnedPdu> {
        &self.pdu
    }

    /// Returns the variables. In SNMPv2, the first two are sysUpTime.0 and snmpTrapOID.0.
    pub fn var_binds(&self) -> VarBinds<'_> {
        self.pdu.as_pdu().var_binds
    }

    /// Returns the memory that the notification occupies, in bytes, about.
    pub fn memory_size(&self) -> usize {
        let oids = [Some(&self.snmp_trap_oid), self.trap_v1.as_ref().map(|fields| &fields.enterprise)];
        let oids = oids.into_iter().flatten().map(|oid| size_of_val(&**oid));
        let names = [
            self.security_name.len(),
            self.context_name.len(),
            self.community.as_ref().map_or(0, Secret::len),
            size_of::<OwnedPdu>() + ARC_COUNTERS,
            self.var_binds().encoded().len(),
        ];
        size_of::<Self>() + names.into_iter().chain(oids).map(allocation_size).sum::<usize>()
    }

    /// Returns the trap, if the notification was received as an SNMPv1 trap.
    pub fn trap_v1(&self) -> Option<TrapV1<'_>> {
        self.trap_v1.as_ref().map(|fields| TrapV1 {
            enterprise: OidRef::Arcs(&fields.enterprise),
            agent_address: fields.agent_address,
            generic: fields.generic,
            specific: fields.specific,
            time_stamp: self.sys_up_time,
            var_binds: self.var_binds(),
        })
    }

    /// Translates an SNMPv1 trap to SNMPv2, as a proxy forwarder does; `None` if the notification
    /// was received in this form.
    ///
    /// # Errors
    /// [`TranslationError`] if SNMPv2 cannot represent the trap.
    pub fn to_v2(&self) -> Option<Result<NotificationV2<'_>, TranslationError>> {
        let trap = self.trap_v1()?;
        let community = self.community.as_ref().map_or(&[][..], Secret::expose);
        Some(NotificationV2::from_trap_v1(&trap, Some(community)))
    }

    /// Translates a notification of SNMPv2 to an SNMPv1 trap, as a proxy forwarder does; `None` if
    /// the notification was received in this form.
    ///
    /// # Errors
    /// [`TranslationError`] if SNMPv1 cannot represent the notification.
    pub fn to_v1(&self) -> Option<Result<NotificationV1<'_>, TranslationError>> {
        if self.trap_v1.is_some() {
            return None;
        }
        Some(NotificationV1::from_var_binds(self.var_binds(), AgentAddress::Forwarded))
    }
}

impl TrapFields {
    fn of(trap: &TrapV1<'_>) -> Self {
        Self {
            enterprise: Oid::from(&trap.enterprise.to_buf()),
            agent_address: trap.agent_address,
            generic: trap.generic,
            specific: trap.specific,
        }
    }
}

/// The variables that every notification starts with.
pub(super) struct NotificationKind {
    pub(super) sys_up_time: u32,
    pub(super) snmp_trap_oid: OidBuf,
}

impl NotificationKind {
    /// Reads the variables of a notification, or translates the fields of an SNMPv1 trap.
    pub(super) fn of(content: &NotificationContent<'_>) -> Result<Self, TranslationError> {
        //= rfc3584#4.2.4-p1
        match content {
            NotificationContent::TrapV1(trap) => {
                let translated = NotificationV2::from_trap_v1(trap, None)?;
                Ok(Self { sys_up_time: translated.sys_up_time, snmp_trap_oid: translated.snmp_trap_oid })
            }
            //= rfc3413#3.4-1
            NotificationContent::TrapV2(pdu) | NotificationContent::Inform(pdu) => {
                let mut variables = pdu.var_binds.iter();
                let Some(Value::TimeTicks(sys_up_time)) = value_of(variables.next(), &SYS_UP_TIME) else {
                    return Err(TranslationError::NoSysUpTime);
                };
                let Some(Value::ObjectId(kind)) = value_of(variables.next(), &SNMP_TRAP_OID) else {
                    return Err(TranslationError::NoSnmpTrapOid);
                };
                Ok(Self { sys_up_time, snmp_trap_oid: kind.to_buf() })
            }
        }
    }
}

fn value_of<'a>(variable: Option<VarBind<'a>>, scalar: &Object) -> Option<Value<'a>> {
    variable.filter(|variable| is_instance(&variable.name, scalar)).map(|variable| variable.value)
}

/// Returns the memory for an allocation of this length, for usual allocators.
fn allocation_size(length: usize) -> usize {
    if length == 0 { 0 } else { (length + ALLOCATION_HEADER).next_multiple_of(ALLOCATION_UNIT) }
}

fn pdu_with(var_binds: VarBinds<'_>) -> OwnedPdu {
    let pdu = Pdu { pdu_type: PduType::TrapV2, request_id: 0, error_status: 0, error_index: 0, var_binds };
    OwnedPdu::from(&pdu)
}

/// The bytes in front of each allocation.
const ALLOCATION_HEADER: usize = size_of::<usize>();
/// The alignment of allocations in bytes.
const ALLOCATION_UNIT: usize = 2 * size_of::<usize>();
/// The bytes of the counters of an [`Arc`].
const ARC_COUNTERS: usize = 2 * size_of::<usize>();
