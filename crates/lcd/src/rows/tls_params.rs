//! snmpTlstmParamsTable: the certificate that this engine presents to targets with these parameters
//! (RFC 6353 §7).

use std::sync::Arc;

use portreeve_smi::Timestamp;

use crate::{
    ColumnSet, Columns, LastChanged, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// The certificate of a set of target parameters.
pub type TlsParamsRow = Row<TlsParams>;

/// The index of a row: snmpTargetParamsName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TlsParamsKey {
    /// snmpTargetParamsName, 1 to 32 octets.
    pub params_name: Name,
}

/// The certificate that this engine presents to the target.
#[derive(Clone, Debug)]
pub struct TlsParams {
    /// snmpTlstmParamsClientFingerprint: the number of the hash algorithm, followed by the hash.
    pub client_fingerprint: Name,
}

impl TlsParams {
    /// The column snmpTlstmParamsClientFingerprint.
    pub const CLIENT_FINGERPRINT: ColumnSet = ColumnSet::of(0);
}

impl Columns for TlsParams {
    type Key = TlsParamsKey;
    const KIND: &'static str = "tls/params";
    const TABLE_NAME: &'static str = "snmpTlstmParamsTable";
    const REQUIRED: ColumnSet = Self::CLIENT_FINGERPRINT;

    fn defaults(_: &TlsParamsKey) -> Self {
        Self { client_fingerprint: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.tls_params
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.tls_params
    }

    fn last_changed(times: &mut LastChanged) -> Option<&mut Timestamp> {
        Some(&mut times.tls_params)
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("fingerprint", &self.client_fingerprint);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { client_fingerprint: fields.name("fingerprint")? })
    }
}

impl RowKey for TlsParamsKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.params_name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { params_name: key.name()? })
    }
}
