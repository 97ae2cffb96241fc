//! The algorithms of the User-based Security Model: key derivation, HMAC, ciphers and key change.
//!
//! This is the only crate that depends on the digest and cipher libraries, and no types of these
//! libraries appear in its interface. It does not depend on SNMP messages: callers pass in octets,
//! clock values and a salt. No function here reads a clock, draws random numbers or panics on
//! octets from a peer. Signing, verifying, encrypting and decrypting never allocate.
//!
//! Example: derive a key from a pass phrase, sign a message, and encrypt a scopedPDU.
//!
//! ```
//! use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol, password_to_key};
//! use portreeve_secret::Secret;
//!
//! let engine_id = [0x80, 0, 0, 0, 1, 2, 3, 4];
//! let protocol = AuthProtocol::HmacSha256_192;
//! let master = password_to_key(protocol, &Secret::from("maplesyrup"))?;
//! let auth = AuthKey::new(protocol, master.localize(&engine_id).expose())?;
//! let privacy = PrivKey::new(
//!     PrivProtocol::Aes128,
//!     master.localize_for(PrivProtocol::Aes128, &engine_id).expose(),
//! )?;
//!
//! let mac = auth.sign(&[b"a message", b" in parts"]);
//! assert!(auth.verify(&[b"a message in parts"], mac.as_octets()));
//!
//! let mut octets = *b"a scopedPDU";
//! let salt = privacy.encrypt_in_place(1, 2, 3, &mut octets)?;
//! privacy.decrypt_in_place(1, 2, &salt, &mut octets)?;
//! assert_eq!(&octets, b"a scopedPDU");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auth_key;
mod auth_protocol;
mod block;
mod hash;
#[cfg(test)]
mod hex;
mod key;
mod key_change;
mod key_extension;
mod key_octets;
mod password;
mod priv_key;
mod priv_protocol;
mod protocol_name;

pub use auth_key::{AuthKey, Mac};
pub use auth_protocol::AuthProtocol;
pub use block::aes_block;
pub use key::{KeyLengthError, LocalizedKey, MasterKey};
pub use key_change::{KeyChangeLengthError, apply_key_change, make_key_change};
pub use password::{PassPhrase, PasswordTooShortError, password_to_key};
pub use priv_key::{CiphertextError, PaddingError, PrivKey};
pub use priv_protocol::PrivProtocol;
pub use protocol_name::UnknownProtocolError;
