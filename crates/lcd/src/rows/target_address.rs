//! snmpTargetAddrTable and snmpTargetAddrExtTable: the addresses to which notifications are sent
//! and from which communities are accepted (RFC 3413 §4.1, RFC 3584 §5).

use std::sync::Arc;

use portreeve_smi::Oid;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// The address of a target.
pub type TargetAddressRow = Row<TargetAddress>;

/// The index of a row: snmpTargetAddrName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetAddressKey {
    /// snmpTargetAddrName, 1 to 32 octets.
    pub name: Name,
}

/// The address and the parameters for sending to it.
#[derive(Clone, Debug)]
pub struct TargetAddress {
    /// snmpTargetAddrTDomain: the transport of the target.
    pub domain: Oid,
    /// snmpTargetAddrTAddress, 1 to 255 octets in the format of the domain.
    pub address: Name,
    /// snmpTargetAddrTimeout, in hundredths of a second.
    pub timeout: u32,
    /// snmpTargetAddrRetryCount, 0 to 255.
    pub retry_count: u8,
    /// snmpTargetAddrTagList: tags separated by white space, at most 255 octets.
    pub tag_list: Name,
    /// snmpTargetAddrParams, 1 to 32 octets.
    pub params: Name,
    /// snmpTargetAddrTMask: empty, or as long as the address.
    pub mask: Name,
    /// snmpTargetAddrMMS, in octets: 0 (unknown), or at least 484.
    pub max_message_size: u32,
}

impl TargetAddress {
    /// The column snmpTargetAddrTDomain.
    pub const DOMAIN: ColumnSet = ColumnSet::of(0);
    /// The column snmpTargetAddrTAddress.
    pub const ADDRESS: ColumnSet = ColumnSet::of(1);
    /// The column snmpTargetAddrParams.
    pub const PARAMS: ColumnSet = ColumnSet::of(2);

    /// Returns the tags in the tag list.
    pub fn tags(&self) -> impl Iterator<Item = &[u8]> {
        self.tag_list.split(|octet| is_tag_delimiter(*octet)).filter(|tag| !tag.is_empty())
    }
}

impl Columns for TargetAddress {
    type Key = TargetAddressKey;
    const KIND: &'static str = "target/address";
    const TABLE_NAME: &'static str = "snmpTargetAddrTable";
    const REQUIRED: ColumnSet = Self::DOMAIN.with(Self::ADDRESS).with(Self::PARAMS);

    fn defaults(_: &TargetAddressKey) -> Self {
        let none: Name = Arc::default();
        Self {
            domain: Oid::default(),
            address: Arc::clone(&none),
            timeout: DEFAULT_TIMEOUT,
            retry_count: DEFAULT_RETRY_COUNT,
            tag_list: Arc::clone(&none),
            params: Arc::clone(&none),
            mask: none,
            max_message_size: DEFAULT_MMS,
        }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.target_addresses
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.target_addresses
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.oid("domain", &self.domain);
        fields.octets("address", &self.address);
        fields.number("timeout", self.timeout);
        fields.number("retryCount", self.retry_count.into());
        fields.octets("tagList", &self.tag_list);
        fields.octets("params", &self.params);
        fields.octets("mask", &self.mask);
        fields.number("mms", self.max_message_size);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            domain: fields.oid("domain")?,
            address: fields.name("address")?,
            timeout: fields.number("timeout")?,
            retry_count: fields.number("retryCount")?.try_into().map_err(|_| RecordError)?,
            tag_list: fields.name("tagList")?,
            params: fields.name("params")?,
            mask: fields.name("mask")?,
            max_message_size: fields.number("mms")?,
        })
    }
}

impl RowKey for TargetAddressKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { name: key.name()? })
    }
}

/// Returns true if an octet separates tags (SnmpTagList, RFC 3413 §4.1).
pub fn is_tag_delimiter(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | 0x0b)
}

/// The DEFVAL of snmpTargetAddrTimeout: 15 seconds.
const DEFAULT_TIMEOUT: u32 = 1500;
/// The DEFVAL of snmpTargetAddrRetryCount.
const DEFAULT_RETRY_COUNT: u8 = 3;
/// The default value of snmpTargetAddrMMS.
const DEFAULT_MMS: u32 = 484;
