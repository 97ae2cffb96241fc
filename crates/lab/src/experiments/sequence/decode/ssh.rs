//! Labels of SSH: the version, and the packets before the keys are used (RFC 4253).

use super::Stream;

/// Removes the complete packets from a stream and returns their labels.
pub(super) fn take(stream: &mut Stream) -> Vec<String> {
    let mut labels = Vec::new();
    if !stream.has_version {
        let Some(end) = stream.pending.iter().position(|octet| *octet == b'\n') else { return labels };
        super::take(&mut stream.pending, end + 1);
        stream.has_version = true;
        labels.push("version".into());
    }
    while !stream.is_encrypted {
        let Some(length) = stream.pending.get(..4).map(super::number) else { return labels };
        let Some(packet) = super::take(&mut stream.pending, 4 + length) else { return labels };
        let message = packet.get(5).copied().unwrap_or_default();
        stream.is_encrypted = message == NEWKEYS;
        labels.push(name(message));
    }
    // The lengths of encrypted packets are encrypted, too.
    if !stream.pending.is_empty() {
        stream.pending.clear();
        labels.push("encrypted".into());
    }
    labels
}

fn name(message: u8) -> String {
    match message {
        1 => "DISCONNECT".into(),
        2 => "IGNORE".into(),
        20 => "KEXINIT".into(),
        NEWKEYS => "NEWKEYS".into(),
        30 => "key exchange init".into(),
        31 => "key exchange reply".into(),
        32..=49 => "key exchange".into(),
        other => format!("message {other}"),
    }
}

const NEWKEYS: u8 = 21;
