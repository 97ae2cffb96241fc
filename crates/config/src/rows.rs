//! The rows that a configuration adds to the local configuration datastore.

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, MasterKey, password_to_key};
use portreeve_lcd::{Credential, StorageType, Tables, UserKey, UserRow};
use portreeve_mib::Object;
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid};
use portreeve_snmp_engine::security::usm::{auth_protocol_identity, priv_protocol_identity};

use crate::{Config, KeySource, User};

impl Config {
    /// Returns all rows of the file as [`StorageType::ReadOnly`], with the users' keys localized to
    /// `engine_id`.
    ///
    /// By design of USM, deriving a key from a pass phrase takes milliseconds per algorithm. Do not
    /// call this while handling a message.
    pub fn tables(&self, engine_id: EngineId) -> Tables {
        let mut tables = self.rows.clone();
        let mut derived = DerivedKeys::default();
        for row in self.users.iter().filter_map(|user| user_row(user, engine_id, &mut derived)) {
            tables.insert(row);
        }
        tables
    }
}

/// Returns `None` only if a pass phrase is too short, which a [`Config`] never contains. Omitting
/// the user is safer than adding it without keys.
fn user_row<'a>(user: &'a User, engine_id: EngineId, derived: &mut DerivedKeys<'a>) -> Option<UserRow> {
    let octets = engine_id.as_bytes();
    let mut row = UserRow::new(UserKey { engine_id, name: Arc::clone(&user.name) });
    if let Some((auth, key)) = &user.auth {
        let key = match key {
            KeySource::PassPhrase(phrase) => {
                Secret::from(derived.master(*auth, phrase)?.localize(octets).expose())
            }
            KeySource::Localized(key) => key.duplicate(),
        };
        row.columns.auth = Some(credential(auth_protocol_identity(*auth), key));
        if let Some((privacy, key)) = &user.privacy {
            let key = match key {
                KeySource::PassPhrase(phrase) => {
                    let master = derived.master(*auth, phrase)?;
                    Secret::from(master.localize_for(*privacy, octets).expose())
                }
                KeySource::Localized(key) => key.duplicate(),
            };
            row.columns.privacy = Some(credential(priv_protocol_identity(*privacy), key));
        }
    }
    Some(row.into_active(StorageType::ReadOnly))
}

fn credential(identity: &Object, key: Secret) -> Arc<Credential> {
    Arc::new(Credential { protocol: Oid::new(&identity.oid()).unwrap_or_default(), key })
}

/// The keys derived so far. They are reused because users often share a pass phrase, and each
/// derivation hashes a mebibyte.
#[derive(Default)]
struct DerivedKeys<'a> {
    keys: Vec<(AuthProtocol, &'a Secret, MasterKey)>,
}

impl<'a> DerivedKeys<'a> {
    fn master(&mut self, protocol: AuthProtocol, phrase: &'a Secret) -> Option<&MasterKey> {
        let known = self.keys.iter().position(|(of, from, _)| *of == protocol && *from == phrase);
        let position = match known {
            Some(position) => position,
            None => {
                self.keys.push((protocol, phrase, password_to_key(protocol, phrase).ok()?));
                self.keys.len() - 1
            }
        };
        self.keys.get(position).map(|(.., master)| master)
    }
}
