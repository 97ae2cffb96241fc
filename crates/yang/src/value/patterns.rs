//! The patterns of all types, each of which is compiled when it is first needed.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use crate::{
    MAX_COMPILED_PATTERNS, Pattern, PatternError, PatternReason, PatternRestriction, TypeId, TypeKind,
    definitions::Definitions,
};

use super::{Refusal, ValueReason};

/// The patterns of all types. Each text is compiled at most once.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    distinct: Vec<LazyPattern>,
    /// For each pattern of each type, its index in `distinct`. By type, then in the order of the
    /// type.
    of_types: Vec<(TypeId, usize)>,
    /// The sizes of the patterns that are compiled, in bytes.
    size: Arc<AtomicUsize>,
}

#[derive(Clone, Debug)]
struct LazyPattern {
    text: Box<str>,
    compiled: OnceLock<Result<Pattern, PatternError>>,
}

impl LazyPattern {
    /// Returns the pattern, and adds its size to the others when it is compiled.
    fn get(&self, size: &AtomicUsize) -> Result<&Pattern, PatternError> {
        let compile = || {
            let pattern = Pattern::new(&self.text)?;
            match size.fetch_add(pattern.size(), Ordering::Relaxed) {
                others if others + pattern.size() <= MAX_COMPILED_PATTERNS => Ok(pattern),
                _ => Err(PatternError { offset: 0, reason: PatternReason::AllTooLarge }),
            }
        };
        self.compiled.get_or_init(compile).as_ref().map_err(|error| *error)
    }
}

impl Patterns {
    pub(crate) fn new(definitions: &Definitions) -> Self {
        let mut patterns = Self { distinct: Vec::new(), of_types: Vec::new(), size: Arc::default() };
        let mut known = BTreeMap::new();
        for (index, value_type) in definitions.types.items().iter().enumerate() {
            let TypeKind::String { patterns: restrictions, .. } = &value_type.kind else { continue };
            let id = TypeId(u32::try_from(index).unwrap_or(u32::MAX));
            for restriction in restrictions {
                let place = *known.entry(&*restriction.expression).or_insert(patterns.distinct.len());
                if place == patterns.distinct.len() {
                    let text = restriction.expression.clone();
                    patterns.distinct.push(LazyPattern { text, compiled: OnceLock::new() });
                }
                patterns.of_types.push((id, place));
            }
        }
        patterns
    }

    /// Checks a value against the patterns of its type.
    pub(super) fn check<'s>(
        &self,
        value_type: TypeId,
        restrictions: &'s [PatternRestriction],
        value: &str,
    ) -> Result<(), Refusal<'s>> {
        if restrictions.is_empty() {
            return Ok(());
        }
        let start = self.of_types.partition_point(|(id, _)| *id < value_type);
        let places = self.of_types.get(start..).unwrap_or_default();
        for (restriction, (_, place)) in restrictions.iter().zip(places) {
            let pattern = self.distinct.get(*place).and_then(|pattern| pattern.get(&self.size).ok());
            let pattern = pattern.ok_or(ValueReason::UnusablePattern)?;
            if pattern.matches(value) == restriction.is_inverted {
                return Err(Refusal {
                    reason: ValueReason::PatternMismatch,
                    statements: Some(&restriction.error),
                });
            }
        }
        Ok(())
    }

    /// Compiles all patterns, and returns those that cannot be compiled.
    pub(super) fn invalid(&self) -> Vec<(&str, PatternError)> {
        let errors = self.distinct.iter().map(|pattern| (&*pattern.text, pattern.get(&self.size).err()));
        errors.filter_map(|(text, error)| Some((text, error?))).collect()
    }
}
