//! Tests of canonical values, by kind of type.

mod identities;
mod numbers;
mod paths;
mod properties;
mod restrictions;
mod simple;
mod unions;

use super::*;
use crate::*;

/// A schema with one module, `example`, and its types.
pub(super) fn schema_of(kinds: impl IntoIterator<Item = TypeKind>) -> (Schema, Vec<TypeId>) {
    let mut builder = SchemaBuilder::new();
    builder.add_module(Module::new("example", "urn:example", "ex"));
    let types = kinds.into_iter().map(|kind| builder.add_type(Type::new(kind))).collect();
    (builder.build().unwrap(), types)
}

/// Returns the canonical text of a value in a schema without other types, or the reason.
pub(super) fn canonical(kind: TypeKind, text: &str) -> Result<String, ValueReason> {
    let (schema, types) = schema_of([kind]);
    read(&schema, types[0], text)
}

/// Returns the canonical text of a value with module names as prefixes, or the reason.
pub(super) fn read(schema: &Schema, value_type: TypeId, text: &str) -> Result<String, ValueReason> {
    let result = schema.canonical(value_type, text, &ModuleNames::new(schema));
    result.map(String::from).map_err(|error| error.reason)
}

/// Asserts the canonical text of each value or the reason for its refusal.
pub(super) fn check(kind: &TypeKind, cases: &[(&str, Result<&str, ValueReason>)]) {
    let (schema, types) = schema_of([kind.clone()]);
    for &(text, expected) in cases {
        assert_eq!(read(&schema, types[0], text), expected.map(str::to_owned), "{} {text:?}", kind.name());
        let Ok(expected) = expected else { continue };
        let again = schema.canonical(types[0], expected, &ModuleNames::new(&schema)).unwrap();
        assert_eq!(again, expected, "canonical text of {text:?}");
        assert!(matches!(again, Cow::Borrowed(_)), "copies {expected:?}");
    }
}

pub(super) fn length(intervals: &[(u64, u64)]) -> LengthRestriction {
    let intervals = intervals.iter().map(|&(min, max)| Interval { min, max }).collect();
    LengthRestriction { intervals, error: ErrorStatements::default() }
}

pub(super) fn range(intervals: &[(i128, i128)]) -> RangeRestriction {
    let intervals = intervals.iter().map(|&(min, max)| Interval { min, max }).collect();
    RangeRestriction { intervals, error: ErrorStatements::default() }
}

pub(super) fn pattern(expression: &str) -> PatternRestriction {
    let error = ErrorStatements::default();
    PatternRestriction { expression: expression.into(), is_inverted: false, error }
}

/// A document whose prefixes stand for these modules.
pub(super) struct Document<'d> {
    pub(super) prefixes: &'d [(&'d str, ModuleId)],
    pub(super) default: Option<ModuleId>,
}

impl PrefixResolver for Document<'_> {
    fn module(&self, prefix: &str) -> Option<ModuleId> {
        self.prefixes.iter().find(|(known, _)| *known == prefix).map(|(_, module)| *module)
    }

    fn default_module(&self) -> Option<ModuleId> {
        self.default
    }

    fn inherits_modules(&self) -> bool {
        false
    }
}
