//! Labels of the records of TLS (RFC 5246, RFC 8446).

use super::Stream;

/// Removes the complete records from a stream and returns their labels. `is_setup` is true if the
/// records can only belong to the handshake: the agent's, before the manager encrypts.
pub(super) fn take(stream: &mut Stream, is_setup: bool) -> Vec<String> {
    let mut labels = Vec::new();
    while let Some(length) = stream.pending.get(3..5).map(super::number) {
        let Some(record) = super::take(&mut stream.pending, 5 + length) else { break };
        let (kind, content) =
            (record.first().copied().unwrap_or_default(), record.get(5..).unwrap_or_default());
        match kind {
            HANDSHAKE if stream.is_encrypted => {
                stream.is_tls12_complete = true;
                labels.push("encrypted handshake".into());
            }
            HANDSHAKE => labels.extend(handshake(content)),
            // TLS 1.3 gives all encrypted records this type.
            APPLICATION_DATA => {
                stream.is_encrypted = true;
                let label = match is_setup {
                    _ if stream.is_tls12_complete => "application data",
                    true => "encrypted handshake",
                    false => "encrypted",
                };
                labels.push(label.into());
            }
            CHANGE_CIPHER_SPEC => {
                labels.push("ChangeCipherSpec".into());
                // In TLS 1.3 nothing depends on this record, and what follows has another type.
                stream.is_encrypted = true;
            }
            ALERT if stream.is_encrypted => labels.push("encrypted alert".into()),
            ALERT => labels.push("alert".into()),
            other => labels.push(format!("record {other}")),
        }
    }
    labels
}

/// Returns the names of the messages in a record.
fn handshake(mut content: &[u8]) -> Vec<String> {
    let mut labels = Vec::new();
    while let [kind, a, b, c, rest @ ..] = content {
        labels.push(name(*kind).to_owned());
        content = rest.get(super::number(&[*a, *b, *c])..).unwrap_or_default();
    }
    labels
}

/// Returns the name of a message of the handshake.
pub(super) fn name(kind: u8) -> &'static str {
    match kind {
        1 => "ClientHello",
        2 => "ServerHello",
        3 => "HelloVerifyRequest",
        4 => "NewSessionTicket",
        8 => "EncryptedExtensions",
        11 => "Certificate",
        12 => "ServerKeyExchange",
        13 => "CertificateRequest",
        14 => "ServerHelloDone",
        15 => "CertificateVerify",
        16 => "ClientKeyExchange",
        20 => "Finished",
        22 => "CertificateStatus",
        _ => "other handshake",
    }
}

pub(super) const CHANGE_CIPHER_SPEC: u8 = 20;
pub(super) const ALERT: u8 = 21;
pub(super) const HANDSHAKE: u8 = 22;
pub(super) const APPLICATION_DATA: u8 = 23;
