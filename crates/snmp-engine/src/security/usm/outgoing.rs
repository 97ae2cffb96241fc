//! Generation of messages to send (RFC 3414 §3.1), in two steps because the digest covers the
//! complete message.

use std::ops::Range;

use portreeve_crypto::{AuthKey, PrivKey};
use portreeve_smi::ber::{ReverseWriter, Tag};
use portreeve_smi::{ClockReading, SecurityLevel, Timestamp};

use super::AuthoritativeEngine;
use super::parameters::{NewParameters, around_digest};
use super::peers::PeerClocks;
use super::protection::Protection;
use super::reject_reason::UsmSendError;
use super::users::{UserKeys, UserLookup};

/// The state from which a request or notification is prepared.
pub struct UsmOutgoingContext<'u, 'p> {
    /// The identity and the clock of this engine.
    pub local: AuthoritativeEngine,
    /// The users on whose behalf messages are sent.
    pub users: &'u dyn UserLookup,
    /// The clocks of other engines.
    pub peers: &'p dyn PeerClocks,
    /// The time at which the message is sent.
    pub now: Timestamp,
}

/// The security parameters and keys of a message to be sent.
#[derive(Clone, Copy)]
pub struct Outgoing<'a> {
    engine_id: &'a [u8],
    clock: ClockReading,
    user_name: &'a [u8],
    protection: Protection<'a>,
}

impl<'a> Outgoing<'a> {
    /// Prepares a request to `engine_id`, or a notification. `engine_id` is the ID of the receiver
    /// for an inform, and the ID of the local engine for a trap.
    ///
    /// # Errors
    /// [`UsmSendError`] if the user does not exist or lacks a key for `level`.
    pub fn request(
        context: &UsmOutgoingContext<'a, '_>,
        engine_id: &'a [u8],
        user_name: &'a [u8],
        level: SecurityLevel,
    ) -> Result<Self, UsmSendError> {
        //= rfc3414#3.1-1b
        let user = context.users.user(engine_id, user_name).ok_or(UsmSendError::UnknownSecurityName)?;
        let protection = protection(user, level)?;
        let clock = if level.is_authenticated() {
            //= rfc3414#3.1-6a
            if engine_id == context.local.engine_id.as_bytes() {
                context.local.clock
            } else {
                context.peers.get(engine_id).unwrap_or_default().reading(context.now)
            }
        } else {
            //= rfc3414#3.1-6c
            ClockReading::default()
        };
        Ok(Self { engine_id, clock, user_name, protection })
    }

    /// Prepares a response or Report to a message with the user name `user_name`. `user` is the
    /// sender of that message; at noAuthNoPriv, the sender is only claimed and not verified. `user`
    /// may be `None` only for a Report at noAuthNoPriv.
    ///
    /// # Errors
    /// [`UsmSendError`] if the user is missing or lacks a key for `level`.
    pub fn response(
        local: &'a AuthoritativeEngine,
        user_name: &'a [u8],
        user: Option<&'a UserKeys>,
        level: SecurityLevel,
    ) -> Result<Self, UsmSendError> {
        //= rfc3414#3.1-1a
        let protection = match (user, level) {
            (Some(user), _) => protection(user, level)?,
            (None, SecurityLevel::NoAuthNoPriv) => Protection::Unprotected,
            (None, _) => return Err(UsmSendError::UnknownSecurityName),
        };
        //= rfc3414#3.1-6a
        //= rfc3414#3.1-6b
        Ok(Self { engine_id: local.engine_id.as_bytes(), clock: local.clock, user_name, protection })
    }

    /// Prepares a request without engine ID and user name. The peer responds with a Report that
    /// contains its engine ID (RFC 3414 §4).
    pub fn discovery() -> Self {
        //= rfc3414#3.1-5
        Self {
            engine_id: &[],
            clock: ClockReading::default(),
            user_name: &[],
            protection: Protection::Unprotected,
        }
    }

    /// Encrypts the scopedPDU in `writer` and prepends the security parameters.
    ///
    /// `salt` must be different for every message with the same key; a counter is sufficient. DES
    /// and 3DES need up to seven octets of space for padding after the scopedPDU.
    ///
    /// # Errors
    /// [`UsmSendError`] if encryption fails or the buffer has no room.
    pub fn secure(
        &self,
        salt: u64,
        writer: &mut ReverseWriter<'_>,
    ) -> Result<UnsignedMessage<'a>, UsmSendError> {
        let salt = match self.protection.privacy() {
            //= rfc3414#3.1-4a
            Some(key) => Some(encrypt(key, self.clock, salt, writer)?),
            //= rfc3414#3.1-4b
            None => None,
        };
        //= rfc3414#3.1-5
        //= rfc3414#3.1-7
        let parameters = NewParameters {
            engine_id: self.engine_id,
            clock: self.clock,
            user_name: self.user_name,
            mac_len: self.protection.mac_len(),
            salt: salt.as_ref().map_or(&[], |salt| salt.as_slice()),
        };
        let octets_after_digest = parameters.prepend(writer)?;
        Ok(UnsignedMessage { auth: self.protection.auth(), octets_after_digest })
    }
}

/// A message that still needs its header and its digest.
#[must_use = "a message is not authentic before it is signed"]
pub struct UnsignedMessage<'a> {
    auth: Option<&'a AuthKey>,
    octets_after_digest: usize,
}

impl UnsignedMessage<'_> {
    /// Signs `message`, which must be the complete message with its header and nothing after it.
    ///
    /// # Errors
    /// [`UsmSendError::AuthenticationFailure`] if `message` has no room for the digest.
    pub fn sign(self, message: &mut [u8]) -> Result<(), UsmSendError> {
        //= rfc3414#3.1-8b
        let Some(key) = self.auth else { return Ok(()) };
        //= rfc3414#3.1-8a
        let digest_range = self.digest_range(key, message).ok_or(UsmSendError::AuthenticationFailure)?;
        let parts = around_digest(message, &digest_range).ok_or(UsmSendError::AuthenticationFailure)?;
        let mac = key.sign(&parts);
        let digest = message.get_mut(digest_range).ok_or(UsmSendError::AuthenticationFailure)?;
        digest.copy_from_slice(mac.as_octets());
        //= rfc3414#3.1-9
        Ok(())
    }

    fn digest_range(&self, key: &AuthKey, message: &[u8]) -> Option<Range<usize>> {
        let end = message.len().checked_sub(self.octets_after_digest)?;
        Some(end.checked_sub(key.protocol().mac_len())?..end)
    }
}

fn protection(user: &UserKeys, level: SecurityLevel) -> Result<Protection<'_>, UsmSendError> {
    //= rfc3414#3.1-2
    //= rfc3414#3.1-3
    Protection::of(user, level).ok_or(UsmSendError::UnsupportedSecurityLevel)
}

/// Encrypts and wraps the content of `writer`, and returns the salt.
fn encrypt(
    key: &PrivKey,
    clock: ClockReading,
    salt: u64,
    writer: &mut ReverseWriter<'_>,
) -> Result<[u8; 8], UsmSendError> {
    let len = writer.len();
    writer.pad_end(0, key.protocol().padded_len(len) - len)?;
    let salt = key
        .encrypt_in_place(clock.boots.get(), clock.time, salt, writer.written_mut())
        .map_err(|_| UsmSendError::EncryptionError)?;
    writer.wrap(Tag::OCTET_STRING, 0)?;
    Ok(salt)
}
