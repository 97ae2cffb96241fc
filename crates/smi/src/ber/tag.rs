//! The identifier octets that SNMP uses (RFC 3416 §3, RFC 1157 §4.1).

/// The identifier octet of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tag(pub u8);

#[allow(missing_docs, reason = "the names are the ASN.1 types'")]
impl Tag {
    pub const INTEGER: Self = Self(0x02);
    pub const OCTET_STRING: Self = Self(0x04);
    pub const NULL: Self = Self(0x05);
    pub const OBJECT_IDENTIFIER: Self = Self(0x06);
    pub const SEQUENCE: Self = Self(0x30);
    pub const IP_ADDRESS: Self = Self(0x40);
    pub const COUNTER32: Self = Self(0x41);
    pub const GAUGE32: Self = Self(0x42);
    pub const TIME_TICKS: Self = Self(0x43);
    pub const OPAQUE: Self = Self(0x44);
    pub const COUNTER64: Self = Self(0x46);
    pub const NO_SUCH_OBJECT: Self = Self(0x80);
    pub const NO_SUCH_INSTANCE: Self = Self(0x81);
    pub const END_OF_MIB_VIEW: Self = Self(0x82);
    pub const GET_REQUEST: Self = Self(0xa0);
    pub const GET_NEXT_REQUEST: Self = Self(0xa1);
    pub const RESPONSE: Self = Self(0xa2);
    pub const SET_REQUEST: Self = Self(0xa3);
    pub const TRAP_V1: Self = Self(0xa4);
    pub const GET_BULK_REQUEST: Self = Self(0xa5);
    pub const INFORM_REQUEST: Self = Self(0xa6);
    pub const TRAP_V2: Self = Self(0xa7);
    pub const REPORT: Self = Self(0xa8);
}
