//! Tables that find modules and identities by their names.

use std::{cmp::Ordering, collections::BTreeSet};

use crate::{Identity, IdentityId, Module, ModuleId, definitions::Definitions};

/// Tables that find modules and identities by their names.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    /// All modules by name. The last of those with one name is implemented or the latest revision.
    modules_by_name: Vec<ModuleId>,
    /// The same by namespace.
    modules_by_namespace: Vec<ModuleId>,
    /// All identities by module and name.
    identities: Vec<IdentityId>,
    /// A prefix for each module.
    prefixes: Vec<Box<str>>,
}

impl Names {
    pub(crate) fn new(definitions: &Definitions) -> Self {
        let count = u16::try_from(definitions.modules.len()).unwrap_or(u16::MAX);
        let mut modules_by_name: Vec<ModuleId> = (0..count).map(ModuleId).collect();
        let mut modules_by_namespace = modules_by_name.clone();
        let rank = |id: &ModuleId| {
            let module = definitions.module(*id);
            (module.is_implemented, &module.revision)
        };
        modules_by_name.sort_by_key(|id| (&definitions.module(*id).name, rank(id)));
        modules_by_namespace.sort_by_key(|id| (&definitions.module(*id).namespace, rank(id)));
        let count = u32::try_from(definitions.identities.len()).unwrap_or(u32::MAX);
        let mut identities: Vec<IdentityId> = (0..count).map(IdentityId).collect();
        identities.sort_by_key(|id| {
            let identity = definitions.identity(*id);
            (identity.module, &identity.name)
        });
        let prefixes = prefixes(definitions);
        Self { modules_by_name, modules_by_namespace, identities, prefixes }
    }

    pub(crate) fn module_by_name(&self, definitions: &Definitions, name: &str) -> Option<ModuleId> {
        last_of(&self.modules_by_name, |id| (*definitions.module(id).name).cmp(name))
    }

    pub(crate) fn module_by_namespace(&self, definitions: &Definitions, namespace: &str) -> Option<ModuleId> {
        last_of(&self.modules_by_namespace, |id| (*definitions.module(id).namespace).cmp(namespace))
    }

    pub(crate) fn identity(
        &self,
        definitions: &Definitions,
        module: ModuleId,
        name: &str,
    ) -> Option<IdentityId> {
        last_of(&self.identities, |id| {
            let identity: &Identity = definitions.identity(id);
            identity.module.cmp(&module).then((*identity.name).cmp(name))
        })
    }

    pub(crate) fn unique_prefix(&self, module: ModuleId) -> &str {
        self.prefixes.get(module.index()).map_or("", |prefix| prefix)
    }
}

/// Returns the last of the items that compare as equal. The items are in ascending order.
fn last_of<T: Copy>(items: &[T], compare: impl Fn(T) -> Ordering) -> Option<T> {
    let end = items.partition_point(|item| compare(*item).is_le());
    items.get(end.checked_sub(1)?).copied().filter(|item| compare(*item).is_eq())
}

/// Chooses a prefix for each module: its own, if no module before it has it, or else its name.
/// Implemented modules come first, because only they have data.
fn prefixes(definitions: &Definitions) -> Vec<Box<str>> {
    let mut prefixes: Vec<Box<str>> = vec!["".into(); definitions.modules.len()];
    let mut used = BTreeSet::new();
    let mut modules: Vec<(usize, &Module)> = definitions.modules.items().iter().enumerate().collect();
    modules.sort_by_key(|(_, module)| !module.is_implemented);
    for (index, module) in modules {
        let wanted = [&module.prefix, &module.name];
        let own = wanted.into_iter().find(|wanted| !is_reserved(wanted) && !used.contains(*wanted));
        let prefix = own.cloned().unwrap_or_else(|| format!("{NUMBERED_PREFIX}{index}").into());
        used.insert(prefix.clone());
        if let Some(entry) = prefixes.get_mut(index) {
            *entry = prefix;
        }
    }
    prefixes
}

/// Returns whether a prefix is reserved by XML (XML 1.0 §2.3, in any case) or for modules without a
/// prefix of their own.
fn is_reserved(prefix: &str) -> bool {
    let start = prefix.get(..3).unwrap_or_default();
    start.eq_ignore_ascii_case("xml") || prefix.starts_with(NUMBERED_PREFIX)
}

/// The start of a prefix that ends with the number of the module.
const NUMBERED_PREFIX: &str = "_m";

#[cfg(test)]
mod tests;
