//! snmpTlstmCertToTSNTable: maps certificates to securityNames (RFC 6353 §7).

use std::sync::Arc;

use portreeve_smi::{Oid, Timestamp};

use crate::{
    ColumnSet, Columns, LastChanged, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// A rule that maps certificates to a securityName.
pub type CertToNameRow = Row<CertToName>;

/// The index of a row: snmpTlstmCertToTSNID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CertToNameKey {
    /// snmpTlstmCertToTSNID, at least 1. Rules are tried in ascending order of this number.
    pub priority: u32,
}

/// The certificates that a rule matches, and the resulting name.
#[derive(Clone, Debug)]
pub struct CertToName {
    /// snmpTlstmCertToTSNFingerprint: the hash of the certificate or of a CA above it. It consists
    /// of the number of the hash algorithm and the hash.
    pub fingerprint: Name,
    /// snmpTlstmCertToTSNMapType: an identity below snmpTlstmCertToTSNMIdentities; empty means
    /// snmpTlstmCertSpecified.
    pub map_type: Oid,
    /// snmpTlstmCertToTSNData: the name, if the map type requires one.
    pub data: Name,
}

impl CertToName {
    /// The column snmpTlstmCertToTSNFingerprint.
    pub const FINGERPRINT: ColumnSet = ColumnSet::of(0);
}

impl Columns for CertToName {
    type Key = CertToNameKey;
    const KIND: &'static str = "tls/name";
    const TABLE_NAME: &'static str = "snmpTlstmCertToTSNTable";
    const REQUIRED: ColumnSet = Self::FINGERPRINT;

    fn defaults(_: &CertToNameKey) -> Self {
        Self { fingerprint: Arc::default(), map_type: Oid::default(), data: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.cert_to_names
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.cert_to_names
    }

    fn last_changed(times: &mut LastChanged) -> Option<&mut Timestamp> {
        Some(&mut times.cert_to_names)
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("fingerprint", &self.fingerprint);
        fields.oid("mapType", &self.map_type);
        fields.octets("data", &self.data);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            fingerprint: fields.name("fingerprint")?,
            map_type: fields.oid("mapType")?,
            data: fields.name("data")?,
        })
    }
}

impl RowKey for CertToNameKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.number(self.priority);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { priority: key.number()? })
    }
}
