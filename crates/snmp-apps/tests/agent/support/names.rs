//! Names of instances, and values.

use portreeve_mib::Object;
use portreeve_smi::{Oid, OwnedValue};

/// Returns the name of the instance `index` of `object`.
pub(crate) fn instance(object: &Object, index: &[u32]) -> Oid {
    Oid::new(&[object.arcs(), index].concat()).unwrap()
}

/// Returns the name of the instance of a scalar.
pub(crate) fn scalar(object: &Object) -> Oid {
    instance(object, &[0])
}

/// Parses an identifier in dotted decimal.
pub(crate) fn oid(text: &str) -> Oid {
    text.parse().unwrap()
}

/// Creates an OCTET STRING.
pub(crate) fn text(text: &str) -> OwnedValue {
    OwnedValue::OctetString(text.as_bytes().to_vec())
}
