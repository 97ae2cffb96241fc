//! snmpTlstmAddrTable: who has to answer at a target's address (RFC 6353 §7).

use std::sync::Arc;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// What is expected of a server.
pub type TlsAddressRow = Row<TlsAddress>;

/// snmpTargetAddrName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TlsAddressKey {
    /// 1 to 32 octets.
    pub address_name: Name,
}

/// The server's identity. A fingerprint decides where there is one.
#[derive(Clone, Debug)]
pub struct TlsAddress {
    /// snmpTlstmAddrServerFingerprint: number of the hash, then the hash; empty for a certificate that an authority
    /// vouches for.
    pub server_fingerprint: Name,
    /// snmpTlstmAddrServerIdentity: the name in that certificate; empty where the fingerprint decides.
    pub server_identity: Name,
}

impl Columns for TlsAddress {
    type Key = TlsAddressKey;
    const KIND: &'static str = "tls/address";
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
