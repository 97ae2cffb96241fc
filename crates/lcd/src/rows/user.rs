//! usmUserTable: users of the User-based Security Model (RFC 3414 §5).

use std::sync::Arc;

use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid};

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
    index_order::{counted, order_by_index},
};

/// A user of one engine.
pub type UserRow = Row<User>;

/// The index of a row: usmUserEngineID and usmUserName.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserKey {
    /// usmUserEngineID, the engine that is authoritative for messages of this user.
    pub engine_id: EngineId,
    /// usmUserName, 1 to 32 octets.
    pub name: Name,
}

/// The name, protocols and keys of a user.
#[derive(Clone)]
pub struct User {
    /// usmUserSecurityName: the user's name for access control.
    pub security_name: Name,
    /// The authentication protocol and key; `None` is usmNoAuthProtocol.
    pub auth: Option<Arc<Credential>>,
    /// The privacy protocol and key; `None` is usmNoPrivProtocol. Requires `auth`.
    pub privacy: Option<Arc<Credential>>,
    /// usmUserPublic, at most 32 octets: written by a manager to verify that a key change took
    /// effect.
    pub public: Name,
}

/// A protocol and its key, localized to the row's engine.
///
/// The protocol is stored as its identifier in the MIB; the engine maps it to an algorithm.
pub struct Credential {
    /// usmUserAuthProtocol or usmUserPrivProtocol.
    pub protocol: Oid,
    /// The key, localized to the engine of the row.
    pub key: Secret,
}

impl User {
    /// The column is missing until usmUserCloneFrom has been set.
    pub const CLONE_FROM: ColumnSet = ColumnSet::of(0);
    /// The column is missing while the authentication key is still the key of the template.
    pub const AUTH_KEY: ColumnSet = ColumnSet::of(1);
    /// The column is missing while the privacy key is still the key of the template.
    pub const PRIV_KEY: ColumnSet = ColumnSet::of(2);
}

impl Columns for User {
    type Key = UserKey;
    const KIND: &'static str = "usm/user";
    const TABLE_NAME: &'static str = "usmUserTable";
    const REQUIRED: ColumnSet = Self::CLONE_FROM;

    fn defaults(key: &UserKey) -> Self {
        Self { security_name: Arc::clone(&key.name), auth: None, privacy: None, public: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.users
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.users
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("securityName", &self.security_name);
        for (protocol, key, credential) in [(AUTH, AUTH_KEY, &self.auth), (PRIV, PRIV_KEY, &self.privacy)] {
            if let Some(credential) = credential {
                fields.oid(protocol, &credential.protocol);
                fields.octets(key, credential.key.expose());
            }
        }
        fields.octets("public", &self.public);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        let credential = |protocol, key| {
            if !fields.has(protocol) {
                return Ok(None);
            }
            Ok(Some(Arc::new(Credential { protocol: fields.oid(protocol)?, key: fields.secret(key)? })))
        };
        Ok(Self {
            security_name: fields.name("securityName")?,
            auth: credential(AUTH, AUTH_KEY)?,
            privacy: credential(PRIV, PRIV_KEY)?,
            public: fields.name("public")?,
        })
    }
}

order_by_index!(UserKey, |key| (counted(key.engine_id.as_bytes()), counted(&key.name)));

impl RowKey for UserKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(self.engine_id.as_bytes());
        key.octets(&self.name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        let engine_id = EngineId::new(&key.octets()?).map_err(|_| RecordError)?;
        Ok(Self { engine_id, name: key.name()? })
    }
}

const AUTH: &str = "auth";
const AUTH_KEY: &str = "authKey";
const PRIV: &str = "priv";
const PRIV_KEY: &str = "privKey";
