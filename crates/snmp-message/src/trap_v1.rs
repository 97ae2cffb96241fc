//! The trap of SNMPv1, the only PDU with a different layout (RFC 1157 §4.1.6).

use portreeve_smi::{
    OidRef,
    ber::{BerError, BufferFullError, Reader, ReverseWriter, Tag, check_oid, decode_u32},
};

use crate::VarBinds;

/// A parsed SNMPv1 trap.
#[derive(Clone, Copy, Debug)]
pub struct TrapV1<'a> {
    /// The type of the system, or if `generic` is 6, the type of the trap. The identifier is stored
    /// as content octets.
    pub enterprise: OidRef<'a>,
    /// The IPv4 address of the sender, in network byte order.
    pub agent_address: [u8; 4],
    /// generic-trap: from coldStart(0) to egpNeighborLoss(5), or enterpriseSpecific(6).
    pub generic: i32,
    /// specific-trap: the number of the trap among the traps of its enterprise.
    pub specific: i32,
    /// The time since the sender started, in hundredths of a second.
    pub time_stamp: u32,
    /// The variable bindings.
    pub var_binds: VarBinds<'a>,
}

impl<'a> TrapV1<'a> {
    /// Parses one trap. An empty enterprise is rejected.
    ///
    /// # Errors
    /// Any [`BerError`] if the trap is malformed.
    pub fn parse(reader: &mut Reader<'a>) -> Result<Self, BerError> {
        let mut fields = reader.enter(Tag::TRAP_V1)?;
        let enterprise = fields.expect(Tag::OBJECT_IDENTIFIER)?;
        check_oid(enterprise)?;
        let agent_address = fields.expect(Tag::IP_ADDRESS)?.try_into().map_err(|_| BerError::BadValue)?;
        let generic = fields.integer()?;
        let specific = fields.integer()?;
        let time_stamp = decode_u32(fields.expect(Tag::TIME_TICKS)?)?;
        let var_binds = VarBinds::parse(&mut fields)?;
        fields.finish()?;
        let enterprise = OidRef::Encoded(enterprise);
        Ok(Self { enterprise, agent_address, generic, specific, time_stamp, var_binds })
    }

    /// Prepends the headers that turn the encoded variable bindings in `writer` into a trap with
    /// these fields; `self.var_binds` is ignored.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    pub fn prepend(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        writer.wrap(Tag::SEQUENCE, 0)?;
        writer.unsigned(Tag::TIME_TICKS, self.time_stamp)?;
        writer.integer(self.specific)?;
        writer.integer(self.generic)?;
        writer.raw(&self.agent_address)?;
        writer.header(Tag::IP_ADDRESS, self.agent_address.len())?;
        writer.oid(&self.enterprise)?;
        writer.wrap(Tag::TRAP_V1, 0)
    }
}
