//! `[[view]]` and `[[context]]`: rows of vacmViewTreeFamilyTable and context names.

use std::sync::Arc;

use portreeve_lcd::{FamilyType, StorageType, ViewFamilyKey, ViewFamilyRow};
use portreeve_mib::{Object, modules};
use portreeve_smi::Oid;

use super::{
    Builder,
    names::{octets, quoted},
    objects::Subtree,
};
use crate::{
    options::VIEW,
    raw::{RawContext, RawView},
    reader::{Located, display_escaped},
};

impl Builder<'_> {
    pub(super) fn views(&mut self, raw: &[RawView]) {
        for view in raw {
            let Some(name) = &view.name else { continue };
            if [ALL, RESTRICTED, DISCOVERY].contains(&name.value.as_str()) {
                self.problems
                    .error(name.position, format!("view \"{}\" is predefined", name.value))
                    .hint("use another name for this view");
                continue;
            }
            if view.include.is_empty() {
                self.problems
                    .warning(view.position, format!("view \"{}\" is empty", display_escaped(&name.value)))
                    .hint("add a subtree, for example include = [\"system\"]");
            }
            for (written, kind) in families(view) {
                self.family(&name.value, written, kind);
            }
        }
    }

    pub(super) fn contexts(&mut self, raw: &[RawContext]) {
        let names = raw.iter().filter_map(|context| context.name.as_ref());
        Arc::make_mut(&mut self.rows.contexts).extend(names.map(|name| octets(&name.value)));
    }

    /// Reports a reference to an undefined view. Adds the rows of a predefined view at the first
    /// reference.
    pub(super) fn check_view(&mut self, key: &str, written: &Located<String>) {
        let name = written.value.as_str();
        match name {
            ALL | RESTRICTED | DISCOVERY => self.add_standard_view(name),
            _ if self.names.views.contains(name) => {}
            _ => {
                let found = format!("undefined view \"{}\" in `{key}`", display_escaped(name));
                let defined = self.names.views.iter().map(String::as_str);
                let accepted = quoted([ALL, RESTRICTED].into_iter().chain(defined));
                self.problems
                    .error(written.position, found)
                    .accepted(accepted)
                    .hint("add a [[view]] with this name");
            }
        }
    }

    /// Adds the rows of the view `all`, `restricted` or `discovery`.
    pub(super) fn add_standard_view(&mut self, name: &str) {
        let top = match name {
            DISCOVERY => &modules::framework_mib::SNMP_ENGINE_ID,
            _ => &modules::snmpv2_smi::INTERNET,
        };
        self.insert_family(name, top, FamilyType::Included);
        if name == RESTRICTED {
            for object in RESTRICTED_EXCLUDES {
                self.insert_family(name, object, FamilyType::Excluded);
            }
        }
    }

    fn family(&mut self, view: &str, written: &Located<String>, kind: FamilyType) {
        let subtree = match Subtree::parse(&written.value) {
            Ok(subtree) => subtree,
            Err(wrong) => {
                let found = format!("\"{}\": {wrong}", display_escaped(&written.value));
                return self.reject_value(&VIEW, "include", written.position, found);
            }
        };
        let key = ViewFamilyKey { view_name: octets(view), subtree: subtree.oid };
        if self.rows.view_families.get(&key).is_some() {
            let found =
                format!("view \"{}\" has the duplicate subtree {}", display_escaped(view), key.subtree);
            self.problems.error(written.position, found).hint(
                "remove one of the two subtrees; they are duplicates even if one has * where the other has 0",
            );
            return;
        }
        let mut row = ViewFamilyRow::new(key);
        row.columns.mask = subtree.mask.into();
        row.columns.kind = kind;
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    fn insert_family(&mut self, view: &str, object: &Object, kind: FamilyType) {
        let subtree = Oid::new(&object.oid()).unwrap_or_default();
        let mut row = ViewFamilyRow::new(ViewFamilyKey { view_name: octets(view), subtree });
        row.columns.kind = kind;
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }
}

fn families(view: &RawView) -> impl Iterator<Item = (&Located<String>, FamilyType)> {
    let included = view.include.iter().map(|written| (written, FamilyType::Included));
    included.chain(view.exclude.iter().map(|written| (written, FamilyType::Excluded)))
}

/// The view of all objects.
pub(super) const ALL: &str = "all";

/// The view of all objects except those of access control.
pub(super) const RESTRICTED: &str = "restricted";

/// The view for engine discovery: snmpEngineID only.
pub(super) const DISCOVERY: &str = "discovery";

/// Subtrees with names, addresses and rights of users.
static RESTRICTED_EXCLUDES: [&Object; 6] = [
    &modules::target_mib::SNMP_TARGET_MIB,
    &modules::notification_mib::SNMP_NOTIFICATION_MIB,
    &modules::usm_mib::SNMP_USM_MIB,
    &modules::vacm_mib::SNMP_VACM_MIB,
    &modules::community_mib::SNMP_COMMUNITY_MIB,
    &modules::tls_tm_mib::SNMP_TLSTM_CONFIG,
];
