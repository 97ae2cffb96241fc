//! Translation of the variable bindings of an SNMPv2 notification to an SNMPv1 trap (RFC 3584
//! §3.2).

use portreeve_mib::{
    Object,
    modules::{
        community_mib::SNMP_TRAP_ADDRESS,
        snmpv2_mib::{SNMP_TRAP_ENTERPRISE, SNMP_TRAP_OID, SNMP_TRAPS, SYS_UP_TIME},
    },
};
use portreeve_smi::{
    OidBuf, OidRef, Value,
    ber::{BufferFullError, Reader, ReverseWriter},
};
use portreeve_snmp_message::{TrapV1, VarBind, VarBinds, encoded_names};

use super::{ENTERPRISE_SPECIFIC, TranslationError, generic_trap, is_instance};

/// An SNMPv2 notification as an SNMPv1 trap, with the fields of [`TrapV1`].
#[derive(Clone, Debug)]
pub struct NotificationV1<'a> {
    /// The trap's enterprise: the type of the sending system, or the type of the trap if `generic`
    /// is 6. It has at least two arcs.
    pub enterprise: OidBuf,
    /// The IPv4 address of the sender, in network byte order.
    pub agent_address: [u8; 4],
    /// generic-trap: from coldStart(0) to egpNeighborLoss(5), or enterpriseSpecific(6).
    pub generic: i32,
    /// specific-trap: the number of the trap among the traps of its enterprise, or 0 for standard
    /// traps; never negative.
    pub specific: i32,
    /// The time since the sender started, in hundredths of a second.
    pub time_stamp: u32,
    /// All variable bindings except the first two, encoded.
    var_binds: &'a [u8],
}

impl<'a> NotificationV1<'a> {
    /// Translates the variable bindings of an SNMPv2-Trap-PDU or InformRequest-PDU.
    ///
    /// sysUpTime.0 and snmpTrapOID.0 become fields. All other variables are kept, even if a field
    /// has the same content. A variable that contains the address or the enterprise is ignored if
    /// it has the wrong type.
    ///
    /// # Errors
    /// [`TranslationError`] if SNMPv1 cannot represent the notification.
    pub fn from_var_binds(var_binds: VarBinds<'a>, agent: AgentAddress) -> Result<Self, TranslationError> {
        //= rfc3584#3-p1
        let mut list = Reader::new(var_binds.encoded());
        //= rfc3584#3.2-5
        let Some(Value::TimeTicks(time_stamp)) = take_leading(&mut list, &SYS_UP_TIME) else {
            return Err(TranslationError::NoSysUpTime);
        };
        let Some(Value::ObjectId(snmp_trap_oid)) = take_leading(&mut list, &SNMP_TRAP_OID) else {
            return Err(TranslationError::NoSnmpTrapOid);
        };
        let others = var_binds.iter().skip(2);
        reject_values_unknown_to_v1(others.clone())?;
        let kind = TrapKind::of(&snmp_trap_oid, others.clone())?;
        Ok(Self {
            enterprise: kind.enterprise,
            agent_address: agent.resolve(others),
            generic: kind.generic,
            specific: kind.specific,
            time_stamp,
            //= rfc3584#3.2-6a
            var_binds: list.rest(),
        })
    }

    /// Writes the complete Trap-PDU to an empty `writer`.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room for the PDU.
    pub fn prepend(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        writer.raw(self.var_binds)?;
        self.to_trap().prepend(writer)
    }

    /// Returns the trap.
    pub fn to_trap(&self) -> TrapV1<'_> {
        let count = encoded_names(self.var_binds).count();
        TrapV1 {
            enterprise: OidRef::Arcs(&self.enterprise),
            agent_address: self.agent_address,
            generic: self.generic,
            specific: self.specific,
            time_stamp: self.time_stamp,
            var_binds: VarBinds::from_validated(self.var_binds, count),
        }
    }
}

/// The application that translates the notification. It determines the address in the trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentAddress {
    /// The notification originator, which sends from this IPv4 address; `None` if it does not send
    /// over IPv4.
    Originator(Option<[u8; 4]>),
    /// A proxy forwarder: the address is the value of snmpTrapAddress.0, if the notification
    /// contains it.
    Forwarded,
}

impl AgentAddress {
    fn resolve<'a>(self, others: impl Iterator<Item = VarBind<'a>>) -> [u8; 4] {
        match self {
            //= rfc3584#3.2-2a
            Self::Originator(address) => address.unwrap_or_default(),
            //= rfc3584#3.2-2b
            Self::Forwarded => match find(others, &SNMP_TRAP_ADDRESS) {
                Some(Value::IpAddress(address)) => address,
                _ => [0; 4],
            },
        }
    }
}

/// The trap fields that correspond to an snmpTrapOID.
struct TrapKind {
    enterprise: OidBuf,
    generic: i32,
    specific: i32,
}

impl TrapKind {
    fn of<'a>(
        snmp_trap_oid: &OidRef<'_>,
        others: impl Iterator<Item = VarBind<'a>>,
    ) -> Result<Self, TranslationError> {
        let oid = snmp_trap_oid.to_buf();
        //= rfc3584#3.2-3
        //= rfc3584#3.2-4
        match generic_trap(&oid) {
            Some(generic) => Ok(Self { enterprise: standard_enterprise(others), generic, specific: 0 }),
            None => Self::enterprise_specific(oid),
        }
    }

    fn enterprise_specific(mut oid: OidBuf) -> Result<Self, TranslationError> {
        let (length, specific) = match &*oid {
            //= rfc3584#3.2-1b
            [enterprise @ .., 0, specific] => (enterprise.len(), *specific),
            //= rfc3584#3.2-1c
            [enterprise @ .., specific] => (enterprise.len(), *specific),
            [] => (0, 0),
        };
        if length < 2 {
            return Err(TranslationError::SnmpTrapOidTooShort);
        }
        oid.truncate(length);
        let specific = i32::try_from(specific).map_err(|_| TranslationError::SpecificTrapTooLarge)?;
        Ok(Self { enterprise: oid, generic: ENTERPRISE_SPECIFIC, specific })
    }
}

fn standard_enterprise<'a>(others: impl Iterator<Item = VarBind<'a>>) -> OidBuf {
    //= rfc3584#3.2-1a
    match find(others, &SNMP_TRAP_ENTERPRISE) {
        Some(Value::ObjectId(enterprise)) => enterprise.to_buf(),
        _ => SNMP_TRAPS.oid(),
    }
}

/// Reads the next variable; `None` if it is not `scalar`.
fn take_leading<'a>(list: &mut Reader<'a>, scalar: &Object) -> Option<Value<'a>> {
    let var_bind = VarBind::parse(list).ok()?;
    is_instance(&var_bind.name, scalar).then_some(var_bind.value)
}

fn find<'a>(mut others: impl Iterator<Item = VarBind<'a>>, scalar: &Object) -> Option<Value<'a>> {
    others.find(|var_bind| is_instance(&var_bind.name, scalar)).map(|var_bind| var_bind.value)
}

fn reject_values_unknown_to_v1<'a>(
    others: impl Iterator<Item = VarBind<'a>>,
) -> Result<(), TranslationError> {
    for var_bind in others {
        match var_bind.value {
            //= rfc3584#3.2-6b
            Value::Counter64(_) => return Err(TranslationError::Counter64),
            value if value.is_exception() => return Err(TranslationError::Exception),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
