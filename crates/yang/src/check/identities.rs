//! The checks of identities, and the table of those that they are derived from.

use std::ops::Range;

use super::text::is_identifier;
use crate::{
    Identity, IdentityId, IdentityReason, MAX_DERIVATIONS, SchemaError,
    definitions::{Definitions, shorten},
};

/// The identities that each identity is derived from, directly or indirectly.
#[derive(Clone, Debug, Default)]
pub(crate) struct Derivations {
    /// The bases of all identities, ascending for each of them.
    bases: Vec<IdentityId>,
    /// The part of `bases` of each identity. Identities that derive from others follow them there.
    ranges: Vec<Range<usize>>,
}

impl Derivations {
    /// Checks the identities and derives the table.
    pub(crate) fn new(definitions: &Definitions) -> Result<Self, SchemaError> {
        let identities = definitions.identities.items();
        for identity in identities {
            check_one(definitions, identity).map_err(|reason| error(identity, reason))?;
        }
        check_names(identities.iter().collect())?;
        let mut table = Self { bases: Vec::new(), ranges: vec![0..0; identities.len()] };
        let mut work = 0;
        for index in in_order(definitions)? {
            table.add(index, identities.get(index).map_or(&[], |identity| &*identity.bases), &mut work)?;
        }
        Ok(table)
    }

    /// Returns the identities that an identity is derived from, ascending.
    fn bases(&self, index: usize) -> &[IdentityId] {
        self.ranges.get(index).and_then(|range| self.bases.get(range.clone())).unwrap_or_default()
    }

    /// Enters an identity whose direct bases are in the table. `work` counts the bases of these.
    fn add(&mut self, index: usize, direct: &[IdentityId], work: &mut usize) -> Result<(), SchemaError> {
        let mut all = Vec::new();
        for base in direct {
            let indirect = self.bases(base.index());
            *work += 1 + indirect.len();
            if *work > MAX_DERIVATIONS {
                return Err(SchemaError::TooMany {
                    items: "derivations of identities",
                    max: MAX_DERIVATIONS,
                });
            }
            all.push(*base);
            all.extend(indirect);
        }
        all.sort_unstable();
        all.dedup();
        let start = self.bases.len();
        self.bases.extend(all);
        if let Some(range) = self.ranges.get_mut(index) {
            *range = start..self.bases.len();
        }
        Ok(())
    }

    pub(crate) fn is_derived(&self, identity: IdentityId, base: IdentityId) -> bool {
        self.bases(identity.index()).binary_search(&base).is_ok()
    }
}

fn check_one(definitions: &Definitions, identity: &Identity) -> Result<(), IdentityReason> {
    if !is_identifier(&identity.name) {
        return Err(IdentityReason::InvalidName);
    }
    if identity.module.index() >= definitions.modules.len() {
        return Err(IdentityReason::UnknownModule);
    }
    if identity.bases.iter().any(|base| base.index() >= definitions.identities.len()) {
        return Err(IdentityReason::UnknownBase);
    }
    Ok(())
}

fn check_names(mut identities: Vec<&Identity>) -> Result<(), SchemaError> {
    identities.sort_by_key(|identity| (identity.module, &identity.name));
    for pair in identities.windows(2) {
        let [a, b] = pair else { continue };
        if (a.module, &a.name) == (b.module, &b.name) {
            return Err(error(b, IdentityReason::Duplicate));
        }
    }
    Ok(())
}

/// Returns the identities in an order in which bases precede those that are derived from them.
fn in_order(definitions: &Definitions) -> Result<Vec<usize>, SchemaError> {
    let identities = definitions.identities.items();
    // Identities that wait for each identity, and the number of bases that each still waits for.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); identities.len()];
    let mut missing = Vec::with_capacity(identities.len());
    let mut order = Vec::with_capacity(identities.len());
    for (index, identity) in identities.iter().enumerate() {
        for base in &identity.bases {
            if let Some(waiting) = waiting.get_mut(base.index()) {
                waiting.push(index);
            }
        }
        missing.push(identity.bases.len());
        if identity.bases.is_empty() {
            order.push(index);
        }
    }
    let mut next = 0;
    while let Some(ready) = order.get(next).copied() {
        next += 1;
        for derived in waiting.get(ready).into_iter().flatten() {
            let Some(missing) = missing.get_mut(*derived) else { continue };
            *missing -= 1;
            if *missing == 0 {
                order.push(*derived);
            }
        }
    }
    match identities.iter().zip(missing).find(|(_, missing)| *missing > 0) {
        Some((identity, _)) => Err(error(identity, IdentityReason::Cycle)),
        None => Ok(order),
    }
}

fn error(identity: &Identity, reason: IdentityReason) -> SchemaError {
    SchemaError::Identity { name: shorten(&identity.name), reason }
}
