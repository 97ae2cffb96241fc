//! When tables last changed, for those whose modules show it (RFC 6353 §7).

use portreeve_smi::Timestamp;

use crate::{Columns, Row, Table, Tables, durable::FieldWriter};

/// When each table last changed; [`Timestamp::ZERO`] where it has not since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// snmpTlstmCertToTSNTable.
    pub cert_to_names: Timestamp,
    /// snmpTlstmParamsTable.
    pub tls_params: Timestamp,
    /// snmpTlstmAddrTable.
    pub tls_addresses: Timestamp,
}

impl Stamps {
    /// The later ones of both.
    pub(crate) fn latest(self, other: Self) -> Self {
        Self {
            cert_to_names: self.cert_to_names.max(other.cert_to_names),
            tls_params: self.tls_params.max(other.tls_params),
            tls_addresses: self.tls_addresses.max(other.tls_addresses),
        }
    }
}

impl Tables {
    /// Stamps the tables that differ from those `before` with `now`; the others keep the stamps that they had there.
    pub fn stamp(&mut self, before: &Self, now: Timestamp) {
        let mut stamps = before.stamps;
        for (changed, stamp) in [
            (differ(&self.cert_to_names, &before.cert_to_names), &mut stamps.cert_to_names),
            (differ(&self.tls_params, &before.tls_params), &mut stamps.tls_params),
            (differ(&self.tls_addresses, &before.tls_addresses), &mut stamps.tls_addresses),
        ] {
            if changed {
                *stamp = now;
            }
        }
        self.stamps = stamps;
    }
}

fn differ<C: Columns>(one: &Table<C>, other: &Table<C>) -> bool {
    let same = |(one, other): (_, _)| same_row::<C>(one, other);
    !one.is_same(other)
        && (one.len() != other.len()
            || !one.iter().map(AsRef::as_ref).zip(other.iter().map(AsRef::as_ref)).all(same))
}

fn same_row<C: Columns>(one: &Row<C>, other: &Row<C>) -> bool {
    let written = |row: &Row<C>| {
        let mut fields = FieldWriter::new();
        row.columns.write(&mut fields);
        fields.finish()
    };
    one.key == other.key
        && (one.status, one.storage) == (other.status, other.storage)
        && written(one) == written(other)
}

#[cfg(test)]
mod tests;
