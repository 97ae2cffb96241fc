//! The object identifiers of nodes (RFC 6643 §8).

use portreeve_smi::{Oid, OidBuf, OidError};

use crate::{MAX_DEPTH, NodeId, Schema};

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
}

const SMIV2_MODULE: &str = "ietf-yang-smiv2";

#[cfg(test)]
mod tests;
