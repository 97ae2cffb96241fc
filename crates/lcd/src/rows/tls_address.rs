//! snmpTlstmAddrTable: the expected server identity at a target address (RFC 6353 §7).

use std::sync::Arc;

use portreeve_smi::Timestamp;

use crate::{
    ColumnSet, Columns, LastChanged, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// The expected identity of a TLS server.
pub type TlsAddressRow = Row<TlsAddress>;

/// The index of a row: snmpTargetAddrName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TlsAddressKey {
    /// snmpTargetAddrName, 1 to 32 octets.
    pub address_name: Name,
}

/// The identity of the server. If a fingerprint is set, only the fingerprint is compared.
#[derive(Clone, Debug)]
pub struct TlsAddress {
    /// snmpTlstmAddrServerFingerprint: the number of the hash algorithm, followed by the hash. It
    /// is empty if the certificate must be issued by a trusted CA.
    pub server_fingerprint: Name,
    /// snmpTlstmAddrServerIdentity: the name in the certificate; used only if no fingerprint is
    /// set.
    pub server_identity: Name,
}

impl Columns for TlsAddress {
    type Key = TlsAddressKey;
    const KIND: &'static str = "tls/address";
    const TABLE_NAME: &'static str = "snmpTlstmAddrTable";
    const REQUIRED: ColumnSet = ColumnSet::NONE;

    fn defaults(_: &TlsAddressKey) -> Self {
        Self { server_fingerprint: Arc::default(), server_identity: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.tls_addresses
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.tls_addresses
    }

    fn last_changed(times: &mut LastChanged) -> Option<&mut Timestamp> {
        Some(&mut times.tls_addresses)
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("fingerprint", &self.server_fingerprint);
        fields.octets("identity", &self.server_identity);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            server_fingerprint: fields.name("fingerprint")?,
            server_identity: fields.name("identity")?,
        })
    }
}

impl RowKey for TlsAddressKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.address_name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { address_name: key.name()? })
    }
}
