//! Identityrefs and the prefixes of their names.

use super::*;
use ValueReason::*;

struct Fixture {
    schema: Schema,
    example: ModuleId,
    other: ModuleId,
    /// Derived from `base`.
    single: TypeId,
    /// Derived from both `base` and `second`.
    double: TypeId,
    /// `single`, or else a string.
    union: TypeId,
}

/// Identities of `example`: base ← middle ← leaf, second ← both, and base ← both. `other` has
/// `middle` derived from example's `base`. `imported` is not implemented.
fn fixture() -> Fixture {
    let mut builder = SchemaBuilder::new();
    let example = builder.add_module(Module::new("example", "urn:example", "p"));
    let other = builder.add_module(Module::new("other", "urn:other", "p"));
    let imported = Module { is_implemented: false, ..Module::new("imported", "urn:imported", "i") };
    let imported = builder.add_module(imported);
    let mut add = |module, name: &str, bases: &[IdentityId]| {
        builder.add_identity(Identity {
            name: name.into(),
            module,
            bases: bases.to_vec(),
            status: Status::Current,
        })
    };
    let base = add(example, "base", &[]);
    let second = add(example, "second", &[]);
    let middle = add(example, "middle", &[base]);
    add(example, "leaf", &[middle]);
    add(example, "both", &[second, middle]);
    add(other, "middle", &[base]);
    add(imported, "hidden", &[base]);
    let single = builder.add_type(Type::new(TypeKind::Identityref { bases: vec![base] }));
    let double = builder.add_type(Type::new(TypeKind::Identityref { bases: vec![base, second] }));
    let string = builder.add_type(Type::new(TypeKind::string()));
    let union = builder.add_type(Type::new(TypeKind::Union { members: vec![single, string] }));
    Fixture { schema: builder.build().unwrap(), example, other, single, double, union }
}

#[test]
fn identity_is_written_with_its_module() {
    let Fixture { schema, example, other, single, .. } = fixture();
    let document = Document { prefixes: &[("x", example), ("example", other)], default: Some(other) };
    let read = |text: &str| {
        let result = schema.canonical(single, text, &document);
        result.map(String::from).map_err(|error| error.reason)
    };
    for (text, expected) in [
        ("x:middle", Ok("example:middle")),
        ("x:leaf", Ok("example:leaf")),
        // The prefix of the document counts, although a module has this name.
        ("example:middle", Ok("other:middle")),
        ("middle", Ok("other:middle")),
        ("leaf", Err(UnknownIdentity)),
        ("example:leaf", Err(UnknownIdentity)),
        ("other:middle", Err(UnknownPrefix)),
        ("", Err(UnknownIdentity)),
        (":middle", Err(UnknownPrefix)),
        ("x:", Err(UnknownIdentity)),
        ("x:middle:leaf", Err(UnknownIdentity)),
        (" x:middle", Err(UnknownPrefix)),
        ("x:middle ", Err(UnknownIdentity)),
        ("x:base", Err(NotDerived)),
        ("x:second", Err(NotDerived)),
    ] {
        assert_eq!(read(text), expected.map(str::to_owned), "{text:?}");
    }
    let none = Document { prefixes: &[], default: None };
    assert_eq!(schema.canonical(single, "middle", &none).unwrap_err().reason, UnknownPrefix);
}

#[test]
fn canonical_identity_is_borrowed() {
    let Fixture { schema, example, single, .. } = fixture();
    let names = ModuleNames::new(&schema);
    assert!(matches!(schema.canonical(single, "example:leaf", &names), Ok(Cow::Borrowed("example:leaf"))));
    assert_eq!(read(&schema, single, "leaf"), Err(UnknownPrefix));
    assert_eq!(
        schema.canonical(single, "leaf", &ModuleNames::of_leaf(&schema, example)).unwrap(),
        "example:leaf"
    );
}

#[test]
fn identity_is_derived_from_all_bases_directly_or_not() {
    let Fixture { schema, double, .. } = fixture();
    assert_eq!(read(&schema, double, "example:both").as_deref(), Ok("example:both"));
    for name in ["base", "second", "middle", "leaf"] {
        assert_eq!(read(&schema, double, &format!("example:{name}")), Err(NotDerived), "{name}");
    }
}

#[test]
fn identity_of_an_imported_module_is_not_a_value() {
    let Fixture { schema, single, .. } = fixture();
    assert_eq!(read(&schema, single, "imported:hidden"), Err(UnknownIdentity));
    assert_eq!(read(&schema, single, "missing:middle"), Err(UnknownPrefix));
}

#[test]
fn identity_is_written_with_the_prefix_of_its_module() {
    let Fixture { schema, example, other, single, union, .. } = fixture();
    let write = |value_type: TypeId, canonical: &str| {
        let mut output = "<".to_owned();
        let prefix_of = |module: ModuleId| if module == example { "e" } else { "" };
        schema.write_value(value_type, canonical, &prefix_of, &mut output);
        output
    };
    assert_eq!(write(single, "example:leaf"), "<e:leaf");
    assert_eq!(write(single, "other:middle"), "<middle");
    assert_eq!(write(union, "example:leaf"), "<e:leaf");
    assert_eq!(write(union, "example:other"), "<example:other");
    assert_eq!(write(single, "not a value"), "<not a value");
    assert_eq!(schema.modules_in_value(single, "example:leaf"), [example]);
    assert_eq!(schema.modules_in_value(union, "other:middle"), [other]);
    assert_eq!(schema.modules_in_value(union, "text"), []);
}
