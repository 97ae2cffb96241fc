//! The table of algorithms and their protocol identities in the MIB modules.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{AllowedWeaknesses, UserRow};
use portreeve_mib::{
    Object,
    modules::{
        usm_aes_mib::USM_AES_CFB128_PROTOCOL,
        usm_hmac_sha2_mib::{
            USM_HMAC128_SHA224_AUTH_PROTOCOL, USM_HMAC192_SHA256_AUTH_PROTOCOL,
            USM_HMAC256_SHA384_AUTH_PROTOCOL, USM_HMAC384_SHA512_AUTH_PROTOCOL,
        },
        usm_mib::{USM_DES_PRIV_PROTOCOL, USM_HMAC_MD5_AUTH_PROTOCOL, USM_HMAC_SHA_AUTH_PROTOCOL},
        usm_vendor::{
            cisco::{CUSM_AES_CFB192_PRIV_PROTOCOL, CUSM_AES_CFB256_PRIV_PROTOCOL},
            eso::{USM_3DES_EDE_PRIV_PROTOCOL, USM_AES_CFB192_PRIV_PROTOCOL, USM_AES_CFB256_PRIV_PROTOCOL},
        },
    },
};

/// Returns the algorithm for a value of usmUserAuthProtocol; `None` if it is not supported.
pub fn auth_protocol(oid: &[u32]) -> Option<AuthProtocol> {
    AuthProtocol::ALL.into_iter().find(|protocol| *auth_protocol_identity(*protocol).oid() == *oid)
}

/// Returns the algorithm for a value of usmUserPrivProtocol; `None` if it is not supported.
pub fn priv_protocol(oid: &[u32]) -> Option<PrivProtocol> {
    PrivProtocol::ALL.into_iter().find(|protocol| *priv_protocol_identity(*protocol).oid() == *oid)
}

/// Returns whether the configuration allows the protocols of a user. Users from the configuration
/// file are not checked here; they were checked when the file was read.
pub fn are_protocols_allowed(row: &UserRow, allowed: &AllowedWeaknesses) -> bool {
    let auth = row.auth.as_ref().and_then(|credential| auth_protocol(&credential.protocol));
    let privacy = row.privacy.as_ref().and_then(|credential| priv_protocol(&credential.protocol));
    let is_auth_allowed = match auth {
        Some(AuthProtocol::HmacMd5_96) => allowed.md5,
        Some(AuthProtocol::HmacSha96) => allowed.sha,
        _ => true,
    };
    let is_privacy_allowed = match privacy {
        Some(PrivProtocol::Des) => allowed.des,
        Some(PrivProtocol::TripleDes) => allowed.triple_des,
        _ => true,
    };
    !row.is_writable() || (is_auth_allowed && is_privacy_allowed)
}

/// Returns the value of usmUserAuthProtocol for an algorithm.
pub fn auth_protocol_identity(protocol: AuthProtocol) -> &'static Object {
    match protocol {
        AuthProtocol::HmacMd5_96 => &USM_HMAC_MD5_AUTH_PROTOCOL,
        AuthProtocol::HmacSha96 => &USM_HMAC_SHA_AUTH_PROTOCOL,
        AuthProtocol::HmacSha224_128 => &USM_HMAC128_SHA224_AUTH_PROTOCOL,
        AuthProtocol::HmacSha256_192 => &USM_HMAC192_SHA256_AUTH_PROTOCOL,
        AuthProtocol::HmacSha384_256 => &USM_HMAC256_SHA384_AUTH_PROTOCOL,
        AuthProtocol::HmacSha512_384 => &USM_HMAC384_SHA512_AUTH_PROTOCOL,
    }
}

/// Returns the value of usmUserPrivProtocol for an algorithm.
pub fn priv_protocol_identity(protocol: PrivProtocol) -> &'static Object {
    match protocol {
        PrivProtocol::Des => &USM_DES_PRIV_PROTOCOL,
        PrivProtocol::TripleDes => &USM_3DES_EDE_PRIV_PROTOCOL,
        PrivProtocol::Aes128 => &USM_AES_CFB128_PROTOCOL,
        PrivProtocol::Aes192 => &USM_AES_CFB192_PRIV_PROTOCOL,
        PrivProtocol::Aes256 => &USM_AES_CFB256_PRIV_PROTOCOL,
        PrivProtocol::Aes192Reeder => &CUSM_AES_CFB192_PRIV_PROTOCOL,
        PrivProtocol::Aes256Reeder => &CUSM_AES_CFB256_PRIV_PROTOCOL,
    }
}

#[cfg(test)]
mod tests;
