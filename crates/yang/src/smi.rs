//! The properties of nodes in SNMP: their object identifiers (RFC 6643 §8), and leafs that stand
//! for the existence of a list entry.

use portreeve_smi::{Oid, OidBuf, OidError};

use crate::{MAX_DEPTH, NodeId, NodeKind, Schema, TypeKind};

impl Schema {
    /// Returns the object identifier of a node: that of its `oid` extension, or that of its parent
    /// in data with the number of its `subid` extension. `None` if the node has neither.
    ///
    /// # Errors
    /// An extension has an argument that is not an object identifier.
    pub fn smi_oid(&self, id: NodeId) -> Result<Option<Oid>, OidError> {
        // From the node upwards, to the ancestor that has the whole identifier.
        let mut last_arcs = Vec::new();
        let mut at = id;
        for _ in 0..=MAX_DEPTH {
            let node = self.node(at);
            if let Some(oid) = node.extension(SMIV2_MODULE, "oid") {
                let oid: Oid = oid.parse()?;
                let mut arcs = OidBuf::from_arcs(&oid)?;
                for arc in last_arcs.iter().rev() {
                    arcs.push(*arc)?;
                }
                return Oid::new(&arcs).map(Some);
            }
            let Some(subid) = node.extension(SMIV2_MODULE, "subid") else { break };
            last_arcs.push(subid.parse().map_err(|_| OidError::NotDotted)?);
            let Some(parent) = self.data_parent(at) else { break };
            at = parent;
        }
        Ok(None)
    }

    /// Returns true if a node is the RowStatus of its list (RFC 2579 §2): a leaf with which SNMP
    /// creates and deletes entries. It has an object identifier, and its type is an enumeration
    /// whose typedef is called `RowStatus`, in whatever module, and has the names and numbers of
    /// that convention. Entries never contain the leaf.
    pub fn is_row_status(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let NodeKind::Leaf(leaf) = &node.kind else { return false };
        let value_type = self.value_type(leaf.value_type);
        let has_name = value_type.typedef.as_ref().is_some_and(|typedef| *typedef.name == *"RowStatus");
        let TypeKind::Enumeration { values } = &value_type.kind else { return false };
        let has = |name: &str, number| values.iter().any(|it| *it.name == *name && it.value == number);
        let in_list = self.row_of(id).is_some_and(|row| !self.keys(row).is_empty());
        let has_identifier = ["oid", "subid"].iter().any(|name| node.extension(SMIV2_MODULE, name).is_some());
        has_name
            && has("active", 1)
            && has("createAndGo", 4)
            && has("destroy", 6)
            && in_list
            && has_identifier
            && !leaf.is_key
    }
}

const SMIV2_MODULE: &str = "ietf-yang-smiv2";

#[cfg(test)]
mod tests;
