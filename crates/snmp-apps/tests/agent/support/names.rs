//! Names of instances and the values they are given here.

use portreeve_mib::Object;
use portreeve_smi::{Oid, OwnedValue};

/// The instance `index` of `object`.
pub(crate) fn instance(object: &Object, index: &[u32]) -> Oid {
    Oid::new(&[object.arcs(), index].concat()).unwrap()
}

/// The instance of a scalar.
pub(crate) fn scalar(object: &Object) -> Oid {
    instance(object, &[0])
}

/// An identifier in dotted decimal.
pub(crate) fn oid(text: &str) -> Oid {
    text.parse().unwrap()
}

/// An OCTET STRING.
pub(crate) fn text(text: &str) -> OwnedValue {
    OwnedValue::OctetString(text.as_bytes().to_vec())
}
