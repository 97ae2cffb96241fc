//! The times when tables last changed, for tables that expose them (RFC 6353 §7).

use portreeve_smi::Timestamp;

use crate::{Columns, Row, Table, Tables, durable::FieldWriter};

/// The time when each table last changed; [`Timestamp::ZERO`] if it has not changed since the
/// start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastChanged {
    /// The time when snmpTlstmCertToTSNTable last changed.
    pub cert_to_names: Timestamp,
    /// The time when snmpTlstmParamsTable last changed.
    pub tls_params: Timestamp,
    /// The time when snmpTlstmAddrTable last changed.
    pub tls_addresses: Timestamp,
}

impl LastChanged {
    /// Sets each time that differs from `before` to `now`.
    pub(crate) fn replace_changed(&mut self, before: &Self, now: Timestamp) {
        for (time, before) in [
            (&mut self.cert_to_names, before.cert_to_names),
            (&mut self.tls_params, before.tls_params),
            (&mut self.tls_addresses, before.tls_addresses),
        ] {
            if *time != before {
                *time = now;
            }
        }
    }
}

impl Tables {
    /// Sets the time of each table that differs from `before` to `now`. The other tables keep their
    /// times.
    pub fn update_last_changed(&mut self, before: &Self, now: Timestamp) {
        let mut times = before.last_changed;
        for (changed, stamp) in [
            (tables_differ(&self.cert_to_names, &before.cert_to_names), &mut times.cert_to_names),
            (tables_differ(&self.tls_params, &before.tls_params), &mut times.tls_params),
            (tables_differ(&self.tls_addresses, &before.tls_addresses), &mut times.tls_addresses),
        ] {
            if changed {
                *stamp = now;
            }
        }
        self.last_changed = times;
    }
}

fn tables_differ<C: Columns>(one: &Table<C>, other: &Table<C>) -> bool {
    let same = |(one, other): (_, _)| is_same_row::<C>(one, other);
    !one.is_same(other)
        && (one.len() != other.len()
            || !one.iter().map(AsRef::as_ref).zip(other.iter().map(AsRef::as_ref)).all(same))
}

/// Returns whether two rows have the same content.
pub(crate) fn is_same_row<C: Columns>(one: &Row<C>, other: &Row<C>) -> bool {
    let encode = |row: &Row<C>| {
        let mut fields = FieldWriter::new();
        row.columns.write(&mut fields);
        fields.finish()
    };
    one.key == other.key
        && (one.status, one.storage) == (other.status, other.storage)
        && encode(one) == encode(other)
}

#[cfg(test)]
mod tests;
