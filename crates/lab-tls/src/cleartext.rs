//! Records that are not encrypted, with or without a message authentication code (RFC 9150 §5).

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac::{self, Context, HMAC_SHA256, Key};
use rustls::crypto::cipher::{
    AeadKey, InboundOpaqueMessage, InboundPlainMessage, Iv, MessageDecrypter, MessageEncrypter, Nonce,
    OutboundOpaqueMessage, OutboundPlainMessage, PrefixedPayload, Tls13AeadAlgorithm,
    UnsupportedOperationError, make_tls13_aad,
};
use rustls::{ConnectionTrafficSecrets, ContentType, Error, ProtocolVersion};

/// The algorithm of the records.
pub(crate) struct Cleartext {
    /// True for records that end with a message authentication code.
    pub(crate) has_tag: bool,
}

impl Cleartext {
    fn records(&self, key: &AeadKey, iv: Iv) -> Box<Records> {
        let key = self.has_tag.then(|| Key::new(HMAC_SHA256, key.as_ref()));
        Box::new(Records { key, iv })
    }
}

impl Tls13AeadAlgorithm for Cleartext {
    fn encrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageEncrypter> {
        self.records(&key, iv)
    }

    fn decrypter(&self, key: AeadKey, iv: Iv) -> Box<dyn MessageDecrypter> {
        self.records(&key, iv)
    }

    fn key_len(&self) -> usize {
        TAG_LEN
    }

    fn extract_keys(&self, _: AeadKey, _: Iv) -> Result<ConnectionTrafficSecrets, UnsupportedOperationError> {
        Err(UnsupportedOperationError)
    }
}

/// The records of one direction.
struct Records {
    /// The key of the message authentication code; `None` for records without one.
    key: Option<Key>,
    iv: Iv,
}

impl Records {
    fn tag_len(&self) -> usize {
        if self.key.is_some() { TAG_LEN } else { 0 }
    }

    /// Computes the code of a record: over the nonce, the header of the record, and its content.
    fn tag(&self, key: &Key, seq: u64, record_len: usize, content: &[u8]) -> hmac::Tag {
        let mut context = Context::with_key(key);
        context.update(&Nonce::new(&self.iv, seq).0);
        context.update(&make_tls13_aad(record_len));
        context.update(content);
        context.sign()
    }
}

impl MessageEncrypter for Records {
    fn encrypt(
        &mut self,
        message: OutboundPlainMessage<'_>,
        seq: u64,
    ) -> Result<OutboundOpaqueMessage, Error> {
        let length = self.encrypted_payload_len(message.payload.len());
        let mut payload = PrefixedPayload::with_capacity(length);
        payload.extend_from_chunks(&message.payload);
        payload.extend_from_slice(&[u8::from(message.typ)]);
        if let Some(key) = &self.key {
            let tag = self.tag(key, seq, length, payload.as_ref());
            payload.extend_from_slice(tag.as_ref());
        }
        Ok(OutboundOpaqueMessage::new(ContentType::ApplicationData, ProtocolVersion::TLSv1_2, payload))
    }

    fn encrypted_payload_len(&self, payload_len: usize) -> usize {
        // The type of the content follows the content.
        payload_len + 1 + self.tag_len()
    }
}

impl MessageDecrypter for Records {
    fn decrypt<'a>(
        &mut self,
        mut message: InboundOpaqueMessage<'a>,
        seq: u64,
    ) -> Result<InboundPlainMessage<'a>, Error> {
        let length = message.payload.len();
        let content_len = length.checked_sub(self.tag_len()).ok_or(Error::DecryptError)?;
        if let Some(key) = &self.key {
            let (content, tag) = message.payload.split_at_checked(content_len).ok_or(Error::DecryptError)?;
            let expected = self.tag(key, seq, length, content);
            verify_slices_are_equal(expected.as_ref(), tag).map_err(|_| Error::DecryptError)?;
        }
        message.payload.truncate(content_len);
        message.into_tls13_unpadded_message()
    }
}

/// The length of the key and of the code of HMAC-SHA-256.
const TAG_LEN: usize = 32;
