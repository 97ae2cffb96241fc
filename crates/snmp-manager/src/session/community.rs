//! SNMPv1 and SNMPv2c, in which the community is the only security parameter (RFC 3584 §5).

use portreeve_secret::{Secret, ct_eq};
use portreeve_smi::{
    MessageProcessingModel,
    ber::{BufferFullError, ReverseWriter},
};
use portreeve_snmp_message::{CommunityMessage, Pdu, prepend_community_message};

use crate::DropReason;

pub(super) struct Community {
    pub(super) version: MessageProcessingModel,
    pub(super) community: Secret,
}

impl Community {
    /// Completes the message: adds the version and the community to the PDU in `writer`.
    pub(super) fn wrap(&self, writer: &mut ReverseWriter<'_>) -> Result<(), BufferFullError> {
        prepend_community_message(writer, self.version, self.community.expose())
    }

    /// Parses a message of the session's version.
    pub(super) fn unwrap<'a>(&self, message: &'a [u8]) -> Result<Pdu<'a>, DropReason> {
        let mut message = CommunityMessage::parse(message).map_err(|_| DropReason::Malformed)?;
        if !ct_eq(message.community, self.community.expose()) {
            return Err(DropReason::WrongCommunity);
        }
        let pdu = Pdu::parse(&mut message.pdu).map_err(|_| DropReason::Malformed)?;
        message.pdu.finish().map_err(|_| DropReason::Malformed)?;
        Ok(pdu)
    }
}
