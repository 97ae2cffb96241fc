//! Translation of an SNMPv1 trap to the parameters of SNMPv2 (RFC 3584 §3.1).

use portreeve_mib::{
    Object,
    modules::{
        community_mib::{SNMP_TRAP_ADDRESS, SNMP_TRAP_COMMUNITY},
        snmpv2_mib::{SNMP_TRAP_ENTERPRISE, SNMP_TRAP_OID, SYS_UP_TIME},
    },
};
use portreeve_smi::{
    OidBuf, OidRef, Value,
    ber::{BufferFullError, ForwardWriter},
};
use portreeve_snmp_message::{TrapV1, VarBinds};

use super::{ENTERPRISE_SPECIFIC, TranslationError, instance, is_instance, standard_trap_oid};

/// An SNMPv1 trap as an SNMPv2 notification.
#[derive(Clone, Debug)]
pub struct NotificationV2<'a> {
    /// The time since the sender started, in hundredths of a second.
    pub sys_up_time: u32,
    /// The type of the notification.
    pub snmp_trap_oid: OidBuf,
    var_binds: VarBinds<'a>,
    forwarded: Option<Forwarded<'a>>,
}

impl<'a> NotificationV2<'a> {
    /// Translates the SNMPv1 trap `trap`.
    ///
    /// A proxy forwarder passes the community of the trap; all other callers pass `None`. If a
    /// community is passed, the fields that SNMPv2 lacks are added as variables, unless the trap
    /// already contains these variables.
    ///
    /// # Errors
    /// [`TranslationError`] if SNMPv2 cannot represent the trap.
    pub fn from_trap_v1(trap: &TrapV1<'a>, community: Option<&'a [u8]>) -> Result<Self, TranslationError> {
        let forwarded = community.map(|community| Forwarded {
            agent_address: trap.agent_address,
            community,
            enterprise: trap.enterprise,
        });
        Ok(Self {
            //= rfc3584#3.1-1
            sys_up_time: trap.time_stamp,
            snmp_trap_oid: snmp_trap_oid(trap)?,
            //= rfc3584#3.1-4a
            var_binds: trap.var_binds,
            forwarded,
        })
    }

    /// Appends all variable bindings of an SNMPv2-Trap-PDU or InformRequest-PDU, or none if they do
    /// not fit.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room for the variable bindings.
    pub fn append(&self, writer: &mut ForwardWriter<'_>) -> Result<(), BufferFullError> {
        let before = writer.len();
        self.append_each(writer).inspect_err(|_| writer.truncate(before))
    }

    fn append_each(&self, writer: &mut ForwardWriter<'_>) -> Result<(), BufferFullError> {
        //= rfc3584#3-p1
        writer.var_bind(&instance(&SYS_UP_TIME), &Value::TimeTicks(self.sys_up_time))?;
        let snmp_trap_oid = OidRef::Arcs(&self.snmp_trap_oid);
        writer.var_bind(&instance(&SNMP_TRAP_OID), &Value::ObjectId(snmp_trap_oid))?;
        writer.raw(self.var_binds.encoded())?;
        let Some(forwarded) = &self.forwarded else { return Ok(()) };
        for (object, value) in forwarded.variables() {
            //= rfc3584#3.1-4b
            if !self.var_binds.iter().any(|var_bind| is_instance(&var_bind.name, object)) {
                writer.var_bind(&instance(object), &value)?;
            }
        }
        Ok(())
    }
}

/// The fields of a forwarded trap that SNMPv2 lacks.
#[derive(Clone, Copy, Debug)]
struct Forwarded<'a> {
    agent_address: [u8; 4],
    community: &'a [u8],
    enterprise: OidRef<'a>,
}

impl<'a> Forwarded<'a> {
    fn variables(&self) -> [(&'static Object, Value<'a>); 3] {
        [
            (&SNMP_TRAP_ADDRESS, Value::IpAddress(self.agent_address)),
            (&SNMP_TRAP_COMMUNITY, Value::OctetString(self.community)),
            (&SNMP_TRAP_ENTERPRISE, Value::ObjectId(self.enterprise)),
        ]
    }
}

fn snmp_trap_oid(trap: &TrapV1<'_>) -> Result<OidBuf, TranslationError> {
    let mut oid = trap.enterprise.to_buf();
    if oid.len() < 2 {
        return Err(TranslationError::EnterpriseTooShort);
    }
    if trap.generic != ENTERPRISE_SPECIFIC {
        //= rfc3584#3.1-3
        return standard_trap_oid(trap.generic).ok_or(TranslationError::UnknownGenericTrap);
    }
    //= rfc3584#3.1-2
    let specific = u32::try_from(trap.specific).map_err(|_| TranslationError::NegativeSpecificTrap)?;
    oid.extend(&[0, specific]).map_err(|_| TranslationError::EnterpriseTooLong)?;
    Ok(oid)
}

#[cfg(test)]
mod tests;
