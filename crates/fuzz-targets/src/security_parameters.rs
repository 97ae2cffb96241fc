//! Arbitrary octets as the security parameters of an otherwise valid SNMPv3 message.

use portreeve_smi::SecurityLevel;
use portreeve_smi::ber::{BufferFullError, ReverseWriter, Tag};
use portreeve_snmp_engine::security::usm::SecurityParameters;
use portreeve_snmp_message::{PduType, prepend_pdu, prepend_scoped_pdu, prepend_v3_message};

use crate::test_agent::{MessageResult, TestAgent, header};

/// Checks that an unauthenticated message is never served at authNoPriv or authPriv.
///
/// The first octet selects the security level.
pub fn security_parameters(octets: &[u8]) {
    let Some((choice, parameters)) = octets.split_first() else { return };
    let level = match choice % 3 {
        0 => SecurityLevel::NoAuthNoPriv,
        1 => SecurityLevel::AuthNoPriv,
        _ => SecurityLevel::AuthPriv,
    };
    let mut buffer = vec![0; parameters.len() + 256];
    let mut writer = ReverseWriter::new(&mut buffer);
    if build(&mut writer, parameters, level).is_err() {
        return;
    }
    let message = writer.written();
    let _ = SecurityParameters::parse(parameters, 0..parameters.len());
    let result = TestAgent::with(|agent| agent.receive(message));
    assert!(!level.is_authenticated() || result != MessageResult::Served, "forged at {level:?}");
}

fn build(
    writer: &mut ReverseWriter<'_>,
    parameters: &[u8],
    level: SecurityLevel,
) -> Result<(), BufferFullError> {
    prepend_pdu(writer, PduType::GetRequest, 1, 0, 0)?;
    prepend_scoped_pdu(writer, b"", b"")?;
    if level.is_private() {
        // The scopedPDU is encrypted in a real message. Here, any octets represent the ciphertext.
        writer.wrap(Tag::OCTET_STRING, 0)?;
    }
    writer.octet_string(parameters)?;
    prepend_v3_message(writer, &header(level))
}
