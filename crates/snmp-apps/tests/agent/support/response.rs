//! Parsed responses and Reports.

use portreeve_smi::{ErrorStatus, Oid, OwnedValue, ber::Reader};
use portreeve_snmp_message::{
    CommunityMessage, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message, Version, peek_version,
};

/// A response or Report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestResponse {
    pub(crate) pdu_type: PduType,
    pub(crate) request_id: i32,
    pub(crate) status: ErrorStatus,
    pub(crate) index: i32,
    pub(crate) var_binds: Vec<(Oid, OwnedValue)>,
}

impl TestResponse {
    pub(crate) fn of_pdu(pdu: &Pdu<'_>) -> Self {
        let var_binds = pdu.var_binds.iter();
        Self {
            pdu_type: pdu.pdu_type,
            request_id: pdu.request_id,
            status: ErrorStatus::from_wire(pdu.error_status).unwrap(),
            index: pdu.error_index,
            var_binds: var_binds
                .map(|var_bind| {
                    (Oid::new(&var_bind.name.to_buf()).unwrap(), OwnedValue::from(var_bind.value))
                })
                .collect(),
        }
    }

    /// Parses the response in an unencrypted message.
    pub(crate) fn of(message: &[u8]) -> Self {
        match peek_version(message).unwrap() {
            Version::Known(portreeve_smi::MessageProcessingModel::V3) => {
                let ScopedPduData::Plaintext(range) = V3Message::parse(message).unwrap().data else {
                    panic!("the message is encrypted");
                };
                Self::of_scoped_pdu(&message[range])
            }
            _ => Self::of_pdu(&Pdu::parse(&mut CommunityMessage::parse(message).unwrap().pdu).unwrap()),
        }
    }

    pub(crate) fn of_scoped_pdu(scoped_pdu: &[u8]) -> Self {
        let mut scoped_pdu = ScopedPdu::parse(&mut Reader::new(scoped_pdu)).unwrap();
        Self::of_pdu(&Pdu::parse(&mut scoped_pdu.pdu).unwrap())
    }

    pub(crate) fn names(&self) -> Vec<Oid> {
        self.var_binds.iter().map(|(name, _)| name.clone()).collect()
    }

    pub(crate) fn values(&self) -> Vec<OwnedValue> {
        self.var_binds.iter().map(|(_, value)| value.clone()).collect()
    }

    /// Returns the only value of a response without error.
    pub(crate) fn value(&self) -> OwnedValue {
        assert_eq!((self.status, self.var_binds.len()), (ErrorStatus::NoError, 1), "{self:?}");
        self.var_binds[0].1.clone()
    }

    pub(crate) fn error(&self) -> (ErrorStatus, i32) {
        (self.status, self.index)
    }
}
