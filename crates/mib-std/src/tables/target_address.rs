//! snmpTargetAddrTable and snmpTargetAddrExtTable, which augments it (RFC 3413 §4.1, RFC 3584 §5).

use portreeve_datastore::RefusalKind;
use portreeve_lcd::{Row, TargetAddress};
use portreeve_mib::{
    Object,
    modules::{
        community_mib::{SNMP_TARGET_ADDR_MMS, SNMP_TARGET_ADDR_T_MASK},
        snmpv2_tm::SNMP_UDP_DOMAIN,
        target_mib::*,
        transport_address_mib::{
            TRANSPORT_DOMAIN_TCP_IPV4, TRANSPORT_DOMAIN_TCP_IPV6, TRANSPORT_DOMAIN_UDP_IPV4,
            TRANSPORT_DOMAIN_UDP_IPV6,
        },
    },
};
use portreeve_smi::{OidRef, Value};

use crate::table::{self, Table, value};

type Column = table::Column<TargetAddress>;

pub(super) static TABLE: Table<TargetAddress> = Table {
    row: &SNMP_TARGET_ADDR_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_TARGET_ADDR_T_DOMAIN,
            |row, _| Value::ObjectId(OidRef::Arcs(&row.domain)),
            |row, value, _| value::oid(value).map(|new| row.columns.domain = new),
        )
        .required(TargetAddress::DOMAIN)
        .locked(),
        Column::writable(
            &SNMP_TARGET_ADDR_T_ADDRESS,
            |row, _| Value::OctetString(&row.address),
            |row, value, _| value::name(value).map(|new| row.columns.address = new),
        )
        .required(TargetAddress::ADDRESS)
        .locked(),
        Column::writable(
            &SNMP_TARGET_ADDR_TIMEOUT,
            |row, _| Value::Integer(i32::try_from(row.timeout).unwrap_or(i32::MAX)),
            |row, value, _| value::unsigned(value).map(|new| row.columns.timeout = new),
        ),
        Column::writable(
            &SNMP_TARGET_ADDR_RETRY_COUNT,
            |row, _| Value::Integer(row.retry_count.into()),
            |row, value, _| {
                row.columns.retry_count =
                    u8::try_from(value::integer(value)?).map_err(|_| RefusalKind::WrongValue)?;
                Ok(())
            },
        ),
        Column::writable(
            &SNMP_TARGET_ADDR_TAG_LIST,
            |row, _| Value::OctetString(&row.tag_list),
            |row, value, _| value::name(value).map(|new| row.columns.tag_list = new),
        )
        .checked(value::tag_list),
        Column::writable(
            &SNMP_TARGET_ADDR_PARAMS,
            |row, _| Value::OctetString(&row.params),
            |row, value, _| value::name(value).map(|new| row.columns.params = new),
        )
        .required(TargetAddress::PARAMS)
        .checked(value::admin_string),
        Column::writable(
            &SNMP_TARGET_ADDR_T_MASK,
            |row, _| Value::OctetString(&row.mask),
            |row, value, _| value::name(value).map(|new| row.columns.mask = new),
        )
        .locked(),
        Column::writable(
            &SNMP_TARGET_ADDR_MMS,
            |row, _| Value::Integer(i32::try_from(row.max_message_size).unwrap_or(i32::MAX)),
            |row, value, _| value::unsigned(value).map(|new| row.columns.max_message_size = new),
        ),
        Column::storage(&SNMP_TARGET_ADDR_STORAGE_TYPE),
        Column::status(&SNMP_TARGET_ADDR_ROW_STATUS),
    ],
    is_consistent: |row| address_fits_domain(row) && mask_fits_address(row),
    is_allowed: |_, _| true,
};

/// Returns true if the address has the length that its domain requires, or if the domain or the
/// address is not known.
fn address_fits_domain(row: &Row<TargetAddress>) -> bool {
    if row.missing.overlaps(TargetAddress::DOMAIN | TargetAddress::ADDRESS) {
        return true;
    }
    let known = ADDRESS_LENGTHS.iter().find(|(domain, _)| *domain.oid() == *row.domain);
    known.is_none_or(|(_, length)| row.address.len() == *length)
}

/// Returns true if the mask is empty or as long as the address.
fn mask_fits_address(row: &Row<TargetAddress>) -> bool {
    row.mask.is_empty() || row.missing.overlaps(TargetAddress::ADDRESS) || row.mask.len() == row.address.len()
}

/// The length of an address in each supported domain. An address consists of an IP address and a
/// port.
static ADDRESS_LENGTHS: &[(&Object, usize)] = &[
    (&SNMP_UDP_DOMAIN, 6),
    (&TRANSPORT_DOMAIN_UDP_IPV4, 6),
    (&TRANSPORT_DOMAIN_UDP_IPV6, 18),
    (&TRANSPORT_DOMAIN_TCP_IPV4, 6),
    (&TRANSPORT_DOMAIN_TCP_IPV6, 18),
];
