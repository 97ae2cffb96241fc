//! Requests and all other PDUs that a peer may send.

use portreeve_smi::{
    MessageProcessingModel, Oid, OwnedValue, SecurityLevel, SecurityModel,
    ber::{ForwardWriter, ReverseWriter, Tag},
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, PduType, prepend_community_message, prepend_pdu, prepend_scoped_pdu,
    prepend_v3_message,
};

/// A PDU that a test sends to the agent.
#[derive(Clone, Debug)]
pub(crate) struct TestPdu {
    pub(crate) pdu_type: PduType,
    pub(crate) request_id: i32,
    /// error-status and error-index of the PDU; for GETBULK, non-repeaters and max-repetitions.
    pub(crate) fields: (i32, i32),
    pub(crate) var_binds: Vec<(Oid, OwnedValue)>,
}

pub(crate) fn get(names: &[Oid]) -> TestPdu {
    TestPdu::new(PduType::GetRequest, names)
}

pub(crate) fn get_next(names: &[Oid]) -> TestPdu {
    TestPdu::new(PduType::GetNextRequest, names)
}

pub(crate) fn get_bulk(non_repeaters: i32, max_repetitions: i32, names: &[Oid]) -> TestPdu {
    TestPdu { fields: (non_repeaters, max_repetitions), ..TestPdu::new(PduType::GetBulkRequest, names) }
}

pub(crate) fn set(changes: &[(Oid, OwnedValue)]) -> TestPdu {
    TestPdu { var_binds: changes.to_vec(), ..TestPdu::new(PduType::SetRequest, &[]) }
}

impl TestPdu {
    /// Creates a PDU of any type, with NULL for every value.
    pub(crate) fn new(pdu_type: PduType, names: &[Oid]) -> Self {
        let var_binds = names.iter().map(|name| (name.clone(), OwnedValue::Null)).collect();
        Self { pdu_type, request_id: REQUEST_ID, fields: (0, 0), var_binds }
    }

    pub(crate) fn v1(&self, community: &str) -> Vec<u8> {
        self.in_community(MessageProcessingModel::V1, community.as_bytes())
    }

    pub(crate) fn v2c(&self, community: &str) -> Vec<u8> {
        self.in_community(MessageProcessingModel::V2c, community.as_bytes())
    }

    pub(crate) fn in_community(&self, model: MessageProcessingModel, community: &[u8]) -> Vec<u8> {
        let mut buffer = vec![0; BUFFER];
        let mut writer = self.encode(&mut buffer);
        prepend_community_message(&mut writer, model, community).unwrap();
        writer.written().to_vec()
    }

    /// Encodes the PDU at the end of `buffer`, with room for the padding of a cipher after it.
    pub(crate) fn encode<'b>(&self, buffer: &'b mut [u8]) -> ReverseWriter<'b> {
        let mut scratch = vec![0; BUFFER];
        let mut var_binds = ForwardWriter::new(&mut scratch);
        for (name, value) in &self.var_binds {
            var_binds.var_bind(name, &value.as_value()).unwrap();
        }
        let end = buffer.len() - 8;
        let start = end - var_binds.len();
        buffer[start..end].copy_from_slice(var_binds.written());
        let mut writer = ReverseWriter::before(buffer, start..end);
        let (status, index) = self.fields;
        prepend_pdu(&mut writer, self.pdu_type, self.request_id, status, index).unwrap();
        writer
    }

    /// Encodes an SNMPv3 message under the Transport Security Model.
    pub(crate) fn tsm(&self, level: SecurityLevel, context_engine_id: &[u8], context_name: &str) -> Vec<u8> {
        let mut buffer = vec![0; BUFFER];
        let mut writer = self.encode(&mut buffer);
        prepend_scoped_pdu(&mut writer, context_engine_id, context_name.as_bytes()).unwrap();
        writer.header(Tag::OCTET_STRING, 0).unwrap();
        let flags = MsgFlags::new(level, self.pdu_type.is_confirmed());
        let header = HeaderData { msg_id: 9, max_size: 1472, flags, security_model: SecurityModel::TSM };
        prepend_v3_message(&mut writer, &header).unwrap();
        writer.written().to_vec()
    }
}

/// The default request-id.
pub(crate) const REQUEST_ID: i32 = 4711;

/// The size in octets of a buffer that holds any message.
pub(crate) const BUFFER: usize = 80_000;
