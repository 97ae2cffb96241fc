//! Sample notifications for tests.

use portreeve_mib::format::{NameForm, OutputFormat};
use portreeve_smi::{MessageProcessingModel, OidRef, Value, ber::ForwardWriter};
use portreeve_snmp_message::{TrapV1, VarBinds, encoded_names};

use crate::{CalendarTime, Notification, NotificationKind, ReceptionTime, Security, Source};

const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
const COLD_START: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 1];
pub(crate) const ADDRESSES: &str = "UDP: [127.0.0.1]:58026->[127.0.0.1]:17162";

pub(crate) fn encode(binds: &[(&[u32], Value<'_>)]) -> Vec<u8> {
    let mut octets = vec![0; 1 << 16];
    let mut writer = ForwardWriter::new(&mut octets);
    for (name, value) in binds {
        writer.var_bind(name, value).unwrap();
    }
    writer.written().to_vec()
}

pub(crate) fn variables(octets: &[u8]) -> VarBinds<'_> {
    VarBinds::from_validated(octets, encoded_names(octets).count())
}

pub(crate) fn numeric() -> OutputFormat {
    OutputFormat { names: NameForm::Numeric, ..OutputFormat::default() }
}

fn received() -> ReceptionTime {
    let local = CalendarTime { year: 2026, month: 3, day: 7, hour: 1, minute: 2, second: 3 };
    ReceptionTime { unix: 1_772_841_723, local, utc: CalendarTime { day: 6, hour: 23, ..local } }
}

pub(crate) fn notification(kind: NotificationKind<'_>, version: MessageProcessingModel) -> Notification<'_> {
    Notification {
        kind,
        version,
        security: Security::Community(b"public"),
        context_engine_id: &[],
        source: Source { addresses: ADDRESSES, host: ADDRESSES, agent_host: None },
        received: received(),
    }
}

/// A trap of SNMPv1 with this generic-trap, specific-trap and uptime.
pub(crate) fn trap_v1(
    generic: i32,
    specific: i32,
    time_stamp: u32,
    var_binds: VarBinds<'_>,
) -> Notification<'_> {
    let enterprise = OidRef::Arcs(&[1, 3, 6, 1, 4, 1, 8072, 9]);
    let agent_address = [192, 0, 2, 7];
    let trap = TrapV1 { enterprise, agent_address, generic, specific, time_stamp, var_binds };
    notification(NotificationKind::TrapV1(trap), MessageProcessingModel::V1)
}

/// The variables of coldStart after 123456 hundredths of a second.
pub(crate) fn cold_start() -> Vec<u8> {
    encode(&[(UP_TIME, Value::TimeTicks(123_456)), (TRAP_OID, Value::ObjectId(OidRef::Arcs(COLD_START)))])
}
