//! Shows a recording, or in each context another.

use std::sync::Arc;

use portreeve_lcd::Name;
use portreeve_mib::{Instrumentation, Lookup, Object};
use portreeve_smi::{Oid, OidBuf};

use crate::recording::{ROOT, Recording};

/// One leaf: everything below [`ROOT`].
pub(crate) struct Playback {
    shown: Arc<Recording>,
    contexts: Arc<[(Name, Arc<Recording>)]>,
    /// Where the last lookup ended.
    hint: usize,
}

impl Playback {
    /// The same in every context.
    pub(crate) fn of(recording: Arc<Recording>) -> Self {
        Self { shown: recording, contexts: Arc::default(), hint: 0 }
    }

    /// In each context, by its name and in the order of names, a recording; `default` in the default context.
    pub(crate) fn of_contexts(default: Arc<Recording>, contexts: Arc<[(Name, Arc<Recording>)]>) -> Self {
        Self { shown: Arc::clone(&default), contexts: with_default(default, &contexts), hint: 0 }
    }
}

impl Instrumentation for Playback {
    fn objects(&self) -> Vec<&'static Object> {
        Vec::new()
    }

    fn subtrees(&self) -> Vec<Oid> {
        Oid::new(&[ROOT]).into_iter().collect()
    }

    fn enter_context(&mut self, context_name: &[u8]) {
        let found = self.contexts.binary_search_by(|(name, _)| (**name).cmp(context_name));
        if let Some((_, recording)) = found.ok().and_then(|position| self.contexts.get(position)) {
            self.shown = Arc::clone(recording);
        }
    }

    fn get(&mut self, _: usize, index: &[u32]) -> Lookup<'_> {
        match self.shown.exact(index, &mut self.hint) {
            Some(row) => self.shown.value(row).map_or(Lookup::Failed, Lookup::Value),
            None if self.shown.has_object(index) => Lookup::Absent,
            None => Lookup::Unknown,
        }
    }

    fn next(&mut self, _: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_> {
        let Some(row) = self.shown.successor(after, &mut self.hint) else { return Lookup::Absent };
        if name.extend(self.shown.name(row)).is_err() {
            return Lookup::Failed;
        }
        self.shown.value(row).map_or(Lookup::Failed, Lookup::Value)
    }
}

/// The empty name comes first.
fn with_default(
    default: Arc<Recording>,
    contexts: &[(Name, Arc<Recording>)],
) -> Arc<[(Name, Arc<Recording>)]> {
    let named = contexts.iter().filter(|(name, _)| !name.is_empty()).cloned();
    std::iter::once((Name::default(), default)).chain(named).collect()
}
