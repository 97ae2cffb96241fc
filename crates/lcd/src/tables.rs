//! All tables and scalars, from which an [`Lcd`](crate::Lcd) is compiled and which a draft changes.

use std::sync::Arc;

use crate::{
    Access, AllowedWeaknesses, CertToName, Columns, Community, ContextNames, Group, LastChanged, Notify,
    NotifyFilter, NotifyFilterProfile, Row, Scalars, Table, TargetAddress, TargetParams, TlsAddress,
    TlsParams, User, ViewFamily,
};

/// All tables and scalars. Clones share the data.
#[derive(Clone, Default)]
pub struct Tables {
    /// The rows of usmUserTable (RFC 3414 §5).
    pub users: Table<User>,
    /// The rows of vacmSecurityToGroupTable (RFC 3415 §4).
    pub groups: Table<Group>,
    /// The rows of vacmAccessTable.
    pub access: Table<Access>,
    /// The rows of vacmViewTreeFamilyTable.
    pub view_families: Table<ViewFamily>,
    /// The rows of snmpCommunityTable (RFC 3584 §5).
    pub communities: Table<Community>,
    /// The rows of snmpTargetAddrTable (RFC 3413 §4.1) with snmpTargetAddrExtTable (RFC 3584 §5).
    pub target_addresses: Table<TargetAddress>,
    /// The rows of snmpTargetParamsTable.
    pub target_params: Table<TargetParams>,
    /// The rows of snmpNotifyTable (RFC 3413 §4.2).
    pub notifies: Table<Notify>,
    /// The rows of snmpNotifyFilterProfileTable.
    pub notify_filter_profiles: Table<NotifyFilterProfile>,
    /// The rows of snmpNotifyFilterTable.
    pub notify_filters: Table<NotifyFilter>,
    /// The rows of snmpTlstmCertToTSNTable (RFC 6353 §7).
    pub cert_to_names: Table<CertToName>,
    /// The rows of snmpTlstmParamsTable.
    pub tls_params: Table<TlsParams>,
    /// The rows of snmpTlstmAddrTable.
    pub tls_addresses: Table<TlsAddress>,
    /// The names in vacmContextTable, except for the default context, which always exists.
    pub contexts: Arc<ContextNames>,
    /// True if SNMPv1 and SNMPv2c messages are accepted in secure sessions. Their access rights are
    /// those of the session's identity; the community is ignored.
    pub communities_in_sessions: bool,
    /// The weak protocols and security levels that rows created by SET may use.
    pub allowed_weaknesses: AllowedWeaknesses,
    /// The times when tables last changed.
    pub last_changed: LastChanged,
    /// The scalar objects.
    pub scalars: Scalars,
}

impl Tables {
    /// Inserts a row into its table; replaces a row with the same key.
    pub fn insert<C: Columns>(&mut self, row: Row<C>) {
        C::table_mut(self).insert(Arc::new(row));
    }

    /// Returns the rules that map certificates to names, in the order in which they are tried:
    /// active rows without a weakness that the configuration does not allow.
    pub fn certificate_rules(&self) -> impl Iterator<Item = &Arc<Row<CertToName>>> {
        self.cert_to_names.active().filter(|row| self.allowed_weaknesses.allow_certificate_rule(row))
    }
}

/// A function that is generic over the table.
pub(crate) trait TableVisitor {
    fn visit<C: Columns>(&mut self);
}

/// Calls the visitor for every table. This is the only list of all tables.
pub(crate) fn visit_tables(visitor: &mut impl TableVisitor) {
    visitor.visit::<User>();
    visitor.visit::<Group>();
    visitor.visit::<Access>();
    visitor.visit::<ViewFamily>();
    visitor.visit::<Community>();
    visitor.visit::<TargetAddress>();
    visitor.visit::<TargetParams>();
    visitor.visit::<Notify>();
    visitor.visit::<NotifyFilterProfile>();
    visitor.visit::<NotifyFilter>();
    visitor.visit::<CertToName>();
    visitor.visit::<TlsParams>();
    visitor.visit::<TlsAddress>();
}
