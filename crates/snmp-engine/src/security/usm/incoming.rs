//! Processing of received messages (RFC 3414 §3.2), with all checks in the order of the RFC.

use std::ops::Range;
use std::sync::Arc;

use portreeve_crypto::AuthKey;
use portreeve_smi::ber::{Reader, Tag};
use portreeve_smi::{EngineId, SecurityLevel, Timestamp};
use portreeve_snmp_message::{ScopedPduData, V3Message};

use super::AuthoritativeEngine;
use super::parameters::{SecurityParameters, around_digest};
use super::peers::{PeerClock, PeerClocks};
use super::protection::Protection;
use super::reject_reason::{UsmRejectError, UsmRejectReason};
use super::timeliness::{check_as_authoritative, check_as_non_authoritative};
use super::users::{UserKeys, UserLookup};

/// The state against which a received message is checked.
pub struct UsmIncomingContext<'u, 'p> {
    /// The identity and the clock of this engine.
    pub local: AuthoritativeEngine,
    /// The users whose messages are accepted.
    pub users: &'u dyn UserLookup,
    /// The clocks of other engines. Only authentic messages change these clocks.
    pub peers: &'p mut dyn PeerClocks,
    /// The time at which the message is checked.
    pub now: Timestamp,
}

/// A message that passed all checks that its security level requires. Encrypted content has been
/// decrypted.
pub struct Incoming<'u> {
    /// The security parameters of the message.
    pub parameters: SecurityParameters,
    /// True if this engine is authoritative for the message, for example for a request.
    pub authoritative: bool,
    /// The sender. Together with [`Self::level`] it is the securityStateReference of RFC 3414.
    pub user: &'u Arc<UserKeys>,
    /// The security level of the message.
    pub level: SecurityLevel,
    /// The range of the decrypted scopedPDU in the message, without padding.
    pub scoped_pdu: Range<usize>,
    /// The maximum size of the scopedPDU of a response, in octets (maxSizeResponseScopedPDU).
    pub max_size_response_scoped_pdu: usize,
}

/// Verifies `message` and decrypts it in place. `parsed` is its parsed form, `level` its security
/// level.
///
/// # Errors
/// [`UsmRejectError`] with the reason of the first failed check.
pub fn process_incoming_msg<'u>(
    context: &mut UsmIncomingContext<'u, '_>,
    message: &mut [u8],
    parsed: &V3Message,
    level: SecurityLevel,
) -> Result<Incoming<'u>, UsmRejectError<'u>> {
    let parameters = match SecurityParameters::parse(message, parsed.security_parameters.clone()) {
        Ok(parameters) => parameters,
        Err(_) => {
            let reason = UsmRejectReason::ParseError;
            return Err(UsmRejectError { reason, parameters: SecurityParameters::default(), user: None });
        }
    };
    let (role, user) = match identify(context, message, &parameters) {
        Ok(identified) => identified,
        Err(reason) => return Err(UsmRejectError { reason, parameters, user: None }),
    };
    let authoritative = matches!(role, Role::Authoritative);
    match verify_and_decrypt(context, message, parsed, &parameters, role, user, level) {
        //= rfc3414#3.2-10
        //= rfc3414#3.2-11
        //= rfc3414#3.2-12
        Ok(scoped_pdu) => Ok(Incoming {
            max_size_response_scoped_pdu: max_size_response(context.local.engine_id, parsed, user),
            parameters,
            authoritative,
            user,
            level,
            scoped_pdu,
        }),
        Err(reason) => Err(UsmRejectError { reason, parameters, user: Some(user) }),
    }
}

/// Determines the authoritative engine and the user of the message (steps 3 and 4).
fn identify<'u>(
    context: &UsmIncomingContext<'u, '_>,
    message: &[u8],
    parameters: &SecurityParameters,
) -> Result<(Role, &'u Arc<UserKeys>), UsmRejectReason> {
    let engine_id = octets(message, &parameters.engine_id);
    let role = if engine_id == context.local.engine_id.as_bytes() {
        Role::Authoritative
    } else {
        //= rfc3414#3.2-3a
        //= rfc3414#3.2-3b
        let is_valid_length = (EngineId::MIN_LEN..=EngineId::MAX_LEN).contains(&engine_id.len());
        let clock = if is_valid_length { context.peers.get(engine_id) } else { None };
        Role::NonAuthoritative(clock.ok_or(UsmRejectReason::UnknownEngineId)?)
    };
    //= rfc3414#3.2-4
    let user = context.users.user(engine_id, octets(message, &parameters.user_name));
    Ok((role, user.ok_or(UsmRejectReason::UnknownUserName)?))
}

/// Verifies and decrypts the message (steps 5 to 8). Returns the range of the decrypted scopedPDU.
fn verify_and_decrypt(
    context: &mut UsmIncomingContext<'_, '_>,
    message: &mut [u8],
    parsed: &V3Message,
    parameters: &SecurityParameters,
    role: Role,
    user: &UserKeys,
    level: SecurityLevel,
) -> Result<Range<usize>, UsmRejectReason> {
    //= rfc3414#3.2-5
    let protection = Protection::of(user, level).ok_or(UsmRejectReason::UnsupportedSecurityLevel)?;
    if let Some(key) = protection.auth() {
        //= rfc3414#3.2-6a
        //= rfc3414#3.2-6b
        if !is_digest_of(key, message, parameters) {
            return Err(UsmRejectReason::WrongDigest);
        }
        check_timeliness(context, role, parameters, message)?;
    }
    match (protection.privacy(), &parsed.data) {
        //= rfc3414#3.2-8a
        (Some(key), ScopedPduData::Encrypted(ciphertext)) => {
            let salt = copy_of_salt(message, &parameters.privacy).ok_or(UsmRejectReason::DecryptionError)?;
            let buffer = message.get_mut(ciphertext.clone()).ok_or(UsmRejectReason::DecryptionError)?;
            let clock = parameters.clock;
            key.decrypt_in_place(clock.boots.get(), clock.time, &salt, buffer)
                .map_err(|_| UsmRejectReason::DecryptionError)?;
            without_padding(buffer, ciphertext.start).ok_or(UsmRejectReason::DecryptionError)
        }
        (Some(_), ScopedPduData::Plaintext(_)) => Err(UsmRejectReason::DecryptionError),
        //= rfc3414#3.2-8b
        (None, ScopedPduData::Plaintext(scoped_pdu)) => Ok(scoped_pdu.clone()),
        (None, ScopedPduData::Encrypted(_)) => Err(UsmRejectReason::ParseError),
    }
}

/// Returns whether `key` made the digest of the message.
pub(crate) fn is_digest_of(key: &AuthKey, message: &[u8], parameters: &SecurityParameters) -> bool {
    around_digest(message, &parameters.authentication)
        .is_some_and(|parts| key.verify(&parts, octets(message, &parameters.authentication)))
}

fn check_timeliness(
    context: &mut UsmIncomingContext<'_, '_>,
    role: Role,
    parameters: &SecurityParameters,
    message: &[u8],
) -> Result<(), UsmRejectReason> {
    match role {
        Role::Authoritative => check_as_authoritative(context.local.clock, parameters.clock),
        Role::NonAuthoritative(stored) => {
            let mut clock = stored;
            let result = check_as_non_authoritative(&mut clock, parameters.clock, context.now);
            if clock != stored {
                context.peers.set(octets(message, &parameters.engine_id), clock);
            }
            result
        }
    }
}

/// The role of this engine. If this engine is not authoritative, the role contains the stored clock
/// of the authoritative engine.
enum Role {
    Authoritative,
    NonAuthoritative(PeerClock),
}

/// Returns the room for a scopedPDU in a response with headers of the maximum length.
fn max_size_response(local: EngineId, parsed: &V3Message, user: &UserKeys) -> usize {
    //= rfc3414#3.2-9
    let mac_len = user.auth.as_ref().map_or(0, |key| key.protocol().mac_len());
    let variable = local.as_bytes().len() + user.user_name.len() + mac_len;
    let max_size = usize::try_from(parsed.header.max_size).unwrap_or(usize::MAX);
    max_size.saturating_sub(FIXED_OVERHEAD + variable)
}

/// Returns the range of the scopedPDU without padding; `None` if the octets are not a scopedPDU,
/// for example after decryption with a wrong key.
fn without_padding(plaintext: &[u8], start: usize) -> Option<Range<usize>> {
    let mut reader = Reader::at(plaintext, start);
    reader.expect(Tag::SEQUENCE).ok()?;
    Some(start..reader.position())
}

fn copy_of_salt(message: &[u8], salt: &Range<usize>) -> Option<[u8; 8]> {
    octets(message, salt).try_into().ok()
}

fn octets<'m>(message: &'m [u8], range: &Range<usize>) -> &'m [u8] {
    message.get(range.clone()).unwrap_or_default()
}

/// The maximum length of the headers, without engineID, user name and digest: the header of the
/// message (5), msgVersion (3), msgGlobalData (20), both wrappers of the parameters (6), the
/// headers of their four strings (8), boots and time (12), a salt (8), and the wrapper (5) and
/// padding (7) of an encrypted scopedPDU.
const FIXED_OVERHEAD: usize = 5 + 3 + 20 + 6 + 8 + 12 + 8 + 5 + 7;
