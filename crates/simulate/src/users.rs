//! USM users from a file: `NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]`, one per line.
//!
//! Pass phrases are in a file because every user of a machine can read the arguments of its
//! processes. Each pass phrase is hashed to a key only once for any number of agents, because USM
//! hashes one mebibyte.

use std::{fmt, path::Path, sync::Arc};

use portreeve_crypto::{AuthProtocol, MasterKey, PrivProtocol, password_to_key};
use portreeve_lcd::{Credential, Name, StorageType, UserKey, UserRow};
use portreeve_mib::Object;
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid};
use portreeve_snmp_engine::security::usm::{auth_protocol_identity, priv_protocol_identity};

/// A user of all agents.
pub(crate) struct User {
    pub(crate) name: Name,
    auth: Option<(AuthProtocol, MasterKey)>,
    privacy: Option<(PrivProtocol, MasterKey)>,
}

impl User {
    /// Returns the user's row for one engine.
    pub(crate) fn row(&self, engine_id: EngineId) -> UserRow {
        let octets = engine_id.as_bytes();
        let mut row = UserRow::new(UserKey { engine_id, name: Arc::clone(&self.name) });
        if let Some((protocol, key)) = &self.auth {
            let key = Secret::from(key.localize(octets).expose());
            row.columns.auth = Some(credential(auth_protocol_identity(*protocol), key));
        }
        if let Some((protocol, key)) = &self.privacy {
            let key = Secret::from(key.localize_for(*protocol, octets).expose());
            row.columns.privacy = Some(credential(priv_protocol_identity(*protocol), key));
        }
        row.into_active(StorageType::ReadOnly)
    }

    fn read(line: &str) -> Result<Self, &'static str> {
        let mut words = line.split_whitespace();
        let name = words.next().filter(|name| (1..=32).contains(&name.len()));
        let name = name.ok_or("a name of 1 to 32 octets")?.as_bytes().into();
        let mut user = Self { name, auth: None, privacy: None };
        let Some(auth) = words.next() else { return Ok(user) };
        let auth: AuthProtocol =
            auth.parse().map_err(|_| "MD5, SHA, SHA-224, SHA-256, SHA-384 or SHA-512")?;
        user.auth = Some((auth, key(auth, words.next())?));
        if let Some(privacy) = words.next() {
            let privacy =
                privacy.parse().map_err(|_| "DES, AES, AES-192, AES-256, AES-192-C or AES-256-C")?;
            user.privacy = Some((privacy, key(auth, words.next())?));
        }
        match words.next() {
            None => Ok(user),
            Some(_) => Err("the end of the line: a pass phrase has no spaces"),
        }
    }
}

/// Parses a file of users. Empty lines and lines that begin with `#` are ignored.
///
/// # Errors
/// The first invalid line.
pub(crate) fn read(path: &Path, text: &str) -> Result<Vec<User>, UserFileError> {
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(line, text)| {
            User::read(text).map_err(|expected| UserFileError {
                file: path.display().to_string(),
                line,
                expected,
            })
        })
        .collect()
}

/// An invalid line in a file of users. Its content is not shown, because it may be a secret.
#[derive(Debug, PartialEq, Eq)]
pub struct UserFileError {
    file: String,
    line: usize,
    expected: &'static str,
}

impl fmt::Display for UserFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, expected } = self;
        write!(
            f,
            "{file}:{line}: expected {expected}\nhint: each line is NAME [AUTH PASSPHRASE [PRIV PASSPHRASE]]"
        )
    }
}

impl std::error::Error for UserFileError {}

fn key(protocol: AuthProtocol, phrase: Option<&str>) -> Result<MasterKey, &'static str> {
    let phrase = Secret::from(phrase.ok_or(PASS_PHRASE)?);
    password_to_key(protocol, &phrase).map_err(|_| PASS_PHRASE)
}

fn credential(identity: &Object, key: Secret) -> Arc<Credential> {
    Arc::new(Credential { protocol: Oid::new(&identity.oid()).unwrap_or_default(), key })
}

const PASS_PHRASE: &str = "a pass phrase of at least 8 octets";

#[cfg(test)]
mod tests;
