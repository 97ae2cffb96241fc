use crate::{Module, ModuleId, SchemaBuilder, test_schemas::sample_schema};

/// Builds a schema of modules: name, prefix, revision, implemented. The name is the namespace too.
fn schema(modules: &[(&str, &str, &str, bool)]) -> crate::Schema {
    let mut builder = SchemaBuilder::new();
    for (name, prefix, revision, is_implemented) in modules {
        let module = Module::new(name, &format!("urn:{name}"), prefix);
        builder.add_module(Module {
            revision: (*revision).into(),
            is_implemented: *is_implemented,
            ..module
        });
    }
    builder.build().unwrap()
}

#[test]
fn implemented_revision_of_a_module_is_found_first() {
    let schema = schema(&[
        ("b", "b", "2026-01-01", false),
        ("a", "a", "2026-01-02", false),
        ("a", "a", "2026-01-01", true),
        ("a", "a", "2026-01-03", false),
        ("b", "b", "2026-01-02", false),
        ("b", "b", "", false),
    ]);
    assert_eq!(schema.module_by_name("a"), Some(ModuleId(2)));
    assert_eq!(schema.module_by_name("b"), Some(ModuleId(4)));
    assert_eq!(schema.module_by_namespace("urn:a"), Some(ModuleId(2)));
    assert_eq!(schema.module_by_namespace("urn:b"), Some(ModuleId(4)));
    for unknown in ["", "aa", "urn:", "c", "A"] {
        assert_eq!(schema.module_by_name(unknown), None);
        assert_eq!(schema.module_by_namespace(unknown), None);
    }
}

#[test]
fn prefixes_are_unique_and_those_of_implemented_modules_are_their_own() {
    let schema = schema(&[
        ("first", "p", "2026-01-01", false),
        ("second", "p", "", true),
        ("third", "p", "", true),
        ("p", "q", "", true),
        ("fifth", "XmL", "", true),
        ("xmlsixth", "xml", "", true),
        ("seventh", "_m5", "", true),
        ("eighth", "seventh", "", true),
    ]);
    let prefixes: Vec<&str> = schema.modules().map(|(id, _)| schema.unique_prefix(id)).collect();
    assert_eq!(prefixes, ["first", "p", "third", "q", "fifth", "_m5", "seventh", "eighth"]);
}

#[test]
fn identities_are_found_by_module_and_name() {
    let (schema, sample) = sample_schema();
    assert_eq!(schema.identity_by_name(sample.module, "derived"), Some(sample.derived));
    assert_eq!(schema.identity_by_name(sample.other, "derived"), None);
    assert_eq!(schema.identity_by_name(sample.module, "derive"), None);
    assert!(schema.is_derived(sample.derived, sample.base));
    assert!(!schema.is_derived(sample.base, sample.derived));
    assert!(!schema.is_derived(sample.base, sample.base));
}
