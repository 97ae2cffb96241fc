//! The data of YANG modules as managed objects.
//!
//! Each leaf with a `smiv2:oid` (RFC 6643 §8) is an object: a leaf in containers is a scalar, and a
//! leaf in a list is a column of a table whose index is made of the keys of the list.
//!
//! ```text
//! Schema ─ Leafs ─▶ objects, or the reason why SNMP cannot show a leaf
//! GET, GETNEXT ──▶ Table: index ↔ keys ──▶ row of the tree ──▶ value
//! SET ──▶ SetDraft: variables by row ──▶ Editor ──▶ tree
//! ```
//! No module has a special role, except `ietf-system`, two of whose leafs [`links`] connects
//! with sysContact and sysLocation.

mod draft;
mod edit;
mod faults;
mod form;
mod gaps;
mod keys;
mod leafs;
mod links;
mod objects;
mod overlap;
mod problem;
mod row_status;
mod table;
#[cfg(test)]
mod test_agent;
#[cfg(test)]
mod test_schema;
mod value;

pub use leafs::{UnservedNode, unserved};
pub use links::links;
pub use objects::YangObjects;
pub use problem::{Problem, Problems};
