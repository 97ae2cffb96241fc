//! The rows of a target: its address, the notifications that it gets, and the certificate that it
//! must have.

use portreeve_lcd::{
    FamilyType, NotifyFilterKey, NotifyFilterProfileKey, NotifyFilterProfileRow, NotifyFilterRow, NotifyKey,
    NotifyRow, NotifyType, StorageType, TargetAddressKey, TargetAddressRow, TlsAddressKey, TlsAddressRow,
};
use portreeve_smi::Oid;

use super::address::Receiver;
use crate::{
    build::{Builder, names::octets, objects::Subtree},
    options::NOTIFY,
    raw::RawNotify,
    reader::display_escaped,
};

impl Builder<'_> {
    /// Adds the address, and the row of snmpNotifyTable unless the target is a fallback.
    pub(super) fn target_rows(
        &mut self,
        raw: &RawNotify,
        receiver: &Receiver,
        index: &str,
        selected: Option<NotifyType>,
    ) {
        let Some(name) = &raw.name else { return };
        let mut row = TargetAddressRow::new(TargetAddressKey { name: octets(&name.value) });
        row.columns.domain = Oid::new(&receiver.domain().oid()).unwrap_or_default();
        row.columns.address = receiver.address().into();
        row.columns.timeout = raw.timeout.unwrap_or(DEFAULT_TIMEOUT) * 100;
        row.columns.retry_count =
            raw.retries.and_then(|count| u8::try_from(count).ok()).unwrap_or(DEFAULT_RETRIES);
        row.columns.tag_list = octets(index);
        row.columns.params = octets(&name.value);
        self.rows.insert(row.into_active(StorageType::ReadOnly));
        if let Some(kind) = selected {
            let mut row = NotifyRow::new(NotifyKey { name: octets(index) });
            row.columns.tag = octets(index);
            row.columns.kind = kind;
            self.rows.insert(row.into_active(StorageType::ReadOnly));
        }
    }

    pub(super) fn notify_filter(&mut self, raw: &RawNotify, name: &str, index: &str) {
        if raw.include.is_none() && raw.exclude.is_none() {
            return;
        }
        let mut profile = NotifyFilterProfileRow::new(NotifyFilterProfileKey { params_name: octets(name) });
        profile.columns.profile_name = octets(index);
        self.rows.insert(profile.into_active(StorageType::ReadOnly));
        if raw.include.is_none() {
            // Without `include`, everything else is included.
            let subtree = Subtree { oid: Oid::new(&[1]).unwrap_or_default(), mask: Vec::new() };
            self.filter_row(index, subtree, FamilyType::Included);
        }
        let lists = [
            ("include", &raw.include, FamilyType::Included),
            ("exclude", &raw.exclude, FamilyType::Excluded),
        ];
        for (key, list, kind) in lists {
            for written in list.iter().flatten() {
                match Subtree::parse(&written.value) {
                    Ok(subtree) => self.filter_row(index, subtree, kind),
                    Err(wrong) => {
                        let found = format!("\"{}\": {wrong}", display_escaped(&written.value));
                        self.reject_value(&NOTIFY, key, written.position, found);
                    }
                }
            }
        }
    }

    fn filter_row(&mut self, profile: &str, subtree: Subtree, kind: FamilyType) {
        let key = NotifyFilterKey { profile_name: octets(profile), subtree: subtree.oid };
        let mut row = NotifyFilterRow::new(key);
        row.columns.mask = subtree.mask.into();
        row.columns.kind = kind;
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }

    pub(super) fn tls_address(&mut self, raw: &RawNotify, name: &str) {
        if raw.server_fingerprint.is_none() && raw.server_identity.is_none() {
            return;
        }
        let mut row = TlsAddressRow::new(TlsAddressKey { address_name: octets(name) });
        if let Some(written) = &raw.server_fingerprint
            && let Some(fingerprint) = self.fingerprint(&NOTIFY, "server-fingerprint", written)
        {
            row.columns.server_fingerprint = fingerprint.to_octets().into();
        }
        if let Some(written) = &raw.server_identity {
            if !(1..=255).contains(&written.value.len()) {
                let found = format!("`server-identity` has {} octets", written.value.len());
                self.reject_value(&NOTIFY, "server-identity", written.position, found);
            }
            row.columns.server_identity = octets(&written.value);
        }
        self.rows.insert(row.into_active(StorageType::ReadOnly));
    }
}

/// The default timeout in seconds.
pub(in crate::build) const DEFAULT_TIMEOUT: u32 = 5;
pub(in crate::build) const DEFAULT_RETRIES: u8 = 3;
