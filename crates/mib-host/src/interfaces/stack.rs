//! The interface stack (ifStackTable, RFC 2863 §3.1.1).

use super::{Interface, LinkKind};

/// One row of ifStackTable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StackEntry {
    /// The index of the row: the ifIndex of the higher layer, then of the lower layer. 0 means that
    /// there is no such layer.
    pub index: [u32; 2],
}

/// Fills `stack` from the interfaces, which must be sorted by index, and sets `has_higher` and
/// `has_lower`.
pub(super) fn arrange(interfaces: &mut [Interface], stack: &mut Vec<StackEntry>) {
    stack.clear();
    for row in 0..interfaces.len() {
        let [index] = interfaces[row].index;
        let link = &interfaces[row].link;
        let lower = link.lower.filter(|_| link.kind != LinkKind::Pair);
        for [higher, lower] in [link.master.map(|master| [master, index]), lower.map(|lower| [index, lower])]
            .into_iter()
            .flatten()
        {
            let find = |index| interfaces.binary_search_by_key(&[index], |interface| interface.index);
            // An interface is missing if it is in another network namespace or has been removed.
            if let (Ok(above), Ok(below)) = (find(higher), find(lower)) {
                interfaces[above].has_lower = true;
                interfaces[below].has_higher = true;
                stack.push(StackEntry { index: [higher, lower] });
            }
        }
    }
    for interface in interfaces.iter() {
        let [index] = interface.index;
        if !interface.has_higher {
            stack.push(StackEntry { index: [0, index] });
        }
        if !interface.has_lower {
            stack.push(StackEntry { index: [index, 0] });
        }
    }
    stack.sort_unstable();
    stack.dedup();
}
