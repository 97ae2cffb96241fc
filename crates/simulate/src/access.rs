//! The access rights of simulated agents: every identity can read everything.

use std::sync::Arc;

use portreeve_lcd::{
    AccessKey, AccessRow, CommunityKey, CommunityRow, ContextMatch, GroupKey, GroupRow, Lcd, Name,
    StorageType, Tables, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_smi::{EngineId, Oid, SecurityLevel, SecurityModel};

use crate::{recording::ROOT, users::User};

/// The tables of the local configuration datastore that are the same for every agent.
pub(crate) struct AccessTables {
    tables: Tables,
    users: Vec<User>,
}

impl AccessTables {
    /// Grants read access. `community` reads the default context; `users` and secure sessions read
    /// every context. In addition, the name of each context is a community that reads it.
    pub(crate) fn new(community: &str, users: Vec<User>, contexts: &[Name]) -> Self {
        let mut tables = Tables::default();
        let any_context = AccessKey {
            group_name: name(SECURITY_NAME),
            context_prefix: Name::default(),
            model: SecurityModel::ANY,
            level: SecurityLevel::NoAuthNoPriv,
        };
        let mut access = AccessRow::new(any_context);
        access.columns.context_match = ContextMatch::Prefix;
        access.columns.read_view = name(VIEW_NAME);
        tables.insert(access.into_active(StorageType::ReadOnly));
        let subtree = Oid::new(&[ROOT]).unwrap_or_default();
        let family = ViewFamilyRow::new(ViewFamilyKey { view_name: name(VIEW_NAME), subtree });
        tables.insert(family.into_active(StorageType::ReadOnly));
        for model in [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C, SecurityModel::TSM] {
            tables.insert(member(model, name(SECURITY_NAME)));
        }
        for user in &users {
            tables.insert(member(SecurityModel::USM, Arc::clone(&user.name)));
        }
        // A secure session has already authenticated the client, so any community is accepted in
        // it.
        tables.communities_in_sessions = true;
        if contexts.iter().all(|context| **context != *community.as_bytes()) {
            tables.insert(community_row(0, name(community), Name::default()));
        }
        for (number, context) in (1..).zip(contexts) {
            tables.insert(community_row(number, Arc::clone(context), Arc::clone(context)));
        }
        tables.contexts = Arc::new(contexts.iter().cloned().collect());
        Self { tables, users }
    }

    /// Returns true if the tables do not depend on the engine ID.
    pub(crate) fn is_engine_independent(&self) -> bool {
        self.users.is_empty()
    }

    /// Creates the datastore of one engine.
    pub(crate) fn lcd(&self, engine_id: EngineId) -> Lcd {
        let mut tables = self.tables.clone();
        for user in &self.users {
            tables.insert(user.row(engine_id));
        }
        Lcd::compile(tables)
    }
}

fn community_row(number: u32, community: Name, context: Name) -> portreeve_lcd::CommunityRow {
    let mut row = CommunityRow::new(CommunityKey { index: number.to_string().into_bytes().into() });
    row.columns.name = community;
    row.columns.security_name = name(SECURITY_NAME);
    row.columns.context_name = context;
    row.into_active(StorageType::ReadOnly)
}

fn member(model: SecurityModel, security_name: Name) -> GroupRow {
    let mut row = GroupRow::new(GroupKey { model, security_name });
    row.columns.group_name = name(SECURITY_NAME);
    row.into_active(StorageType::ReadOnly)
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

/// The securityName of communities and secure sessions, and the name of the only group.
pub(crate) const SECURITY_NAME: &str = "everybody";
const VIEW_NAME: &str = "everything";
