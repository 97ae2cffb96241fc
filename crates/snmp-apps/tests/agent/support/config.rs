//! Configurations of users, communities and their access.

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{
    AccessKey, AccessRow, Columns, CommunityKey, CommunityRow, ContextMatch, Credential, FamilyType,
    GroupKey, GroupRow, Lcd, Name, Row, StorageType, Tables, UserKey, UserRow, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_mib::Object;
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::{auth_protocol_identity, priv_protocol_identity};

use super::names::oid;

/// Builds rows of the configuration datastore.
#[derive(Default)]
pub(crate) struct TestConfig {
    pub(crate) tables: Tables,
}

impl TestConfig {
    /// Creates two communities and two users:
    ///
    /// - `public` may read all objects, and `private` may read and change all objects, both in
    ///   SNMPv1 and SNMPv2c;
    /// - `ops` may read and change all objects with SHA-256 and AES, and `guest` may read all
    ///   objects at noAuthNoPriv.
    pub(crate) fn standard() -> Self {
        let mut config = Self::default()
            .view("all", &[("1.3", "included")])
            .view("nothing", &[("1.3", "excluded")])
            .community("public", "reader", "")
            .community("private", "writer", "");
        for model in [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C] {
            config = config.group(model, "reader", "readers").group(model, "writer", "writers");
        }
        config
            .group(SecurityModel::USM, "ops", "operators")
            .group(SecurityModel::USM, "guest", "readers")
            .access("readers", SecurityModel::ANY, SecurityLevel::NoAuthNoPriv, ("all", "nothing"))
            .access("writers", SecurityModel::ANY, SecurityLevel::NoAuthNoPriv, ("all", "all"))
            .access("operators", SecurityModel::USM, SecurityLevel::AuthNoPriv, ("all", "all"))
            .user("ops", Some(AUTH), Some(PRIVACY))
            .user("guest", None, None)
    }

    pub(crate) fn view(mut self, name: &str, families: &[(&str, &str)]) -> Self {
        for (subtree, kind) in families {
            let mut row =
                ViewFamilyRow::new(ViewFamilyKey { view_name: octets(name), subtree: oid(subtree) });
            row.columns.kind = if *kind == "excluded" { FamilyType::Excluded } else { FamilyType::Included };
            self.insert(row);
        }
        self
    }

    pub(crate) fn group(mut self, model: SecurityModel, security_name: &str, group: &str) -> Self {
        let mut row = GroupRow::new(GroupKey { model, security_name: octets(security_name) });
        row.columns.group_name = octets(group);
        self.insert(row);
        self
    }

    /// Adds an access entry for the default context.
    pub(crate) fn access(
        self,
        group: &str,
        model: SecurityModel,
        level: SecurityLevel,
        views: (&str, &str),
    ) -> Self {
        self.access_in(("", ContextMatch::Exact), group, model, level, views)
    }

    pub(crate) fn access_in(
        mut self,
        (context_prefix, context_match): (&str, ContextMatch),
        group: &str,
        model: SecurityModel,
        level: SecurityLevel,
        (read, write): (&str, &str),
    ) -> Self {
        let mut row = AccessRow::new(AccessKey {
            group_name: octets(group),
            context_prefix: octets(context_prefix),
            model,
            level,
        });
        row.columns.context_match = context_match;
        row.columns.read_view = octets(read);
        row.columns.write_view = octets(write);
        self.insert(row);
        self
    }

    pub(crate) fn community(mut self, name: &str, security_name: &str, context: &str) -> Self {
        let mut row = CommunityRow::new(CommunityKey { index: octets(name) });
        row.columns.name = octets(name);
        row.columns.security_name = octets(security_name);
        row.columns.context_name = octets(context);
        self.insert(row);
        self
    }

    pub(crate) fn user(
        mut self,
        name: &str,
        auth: Option<AuthProtocol>,
        privacy: Option<PrivProtocol>,
    ) -> Self {
        let mut row = UserRow::new(UserKey { engine_id: engine_id(), name: octets(name) });
        row.columns.auth =
            auth.map(|protocol| credential(auth_protocol_identity(protocol), auth_key(protocol)));
        row.columns.privacy =
            privacy.map(|protocol| credential(priv_protocol_identity(protocol), priv_key(protocol)));
        self.insert(row);
        self
    }

    pub(crate) fn context(mut self, name: &str) -> Self {
        Arc::make_mut(&mut self.tables.contexts).insert(octets(name));
        self
    }

    pub(crate) fn lcd(self) -> Lcd {
        Lcd::compile(self.tables)
    }

    fn insert<C: Columns>(&mut self, row: Row<C>) {
        self.tables.insert(row.into_active(StorageType::ReadOnly));
    }
}

/// Returns the agent's snmpEngineID.
pub(crate) fn engine_id() -> EngineId {
    EngineId::new(b"\x80\0\0\0\x04agent").unwrap()
}

/// Returns the localized authentication key, which is the same for all users.
pub(crate) fn auth_key(protocol: AuthProtocol) -> Vec<u8> {
    vec![0x11; protocol.key_len()]
}

/// Returns the localized privacy key, which is the same for all users.
pub(crate) fn priv_key(protocol: PrivProtocol) -> Vec<u8> {
    vec![0x22; protocol.key_len()]
}

pub(crate) fn octets(text: &str) -> Name {
    text.as_bytes().into()
}

fn credential(protocol: &Object, key: Vec<u8>) -> Arc<Credential> {
    Arc::new(Credential { protocol: Oid::new(protocol.arcs()).unwrap(), key: Secret::new(key) })
}

pub(crate) const AUTH: AuthProtocol = AuthProtocol::HmacSha256_192;
pub(crate) const PRIVACY: PrivProtocol = PrivProtocol::Aes128;
