use super::*;

#[test]
fn modules_are_valid() {
    let name = Some(ModuleReason::InvalidName);
    assert_eq!(module_reason(|it| it.name = "a b".into()), name);
    assert_eq!(module_reason(|it| it.prefix = "".into()), name);
    assert_eq!(module_reason(|it| it.features.push("a b".into())), name);
    assert_eq!(module_reason(|it| it.deviations.push("".into())), name);
    assert_eq!(module_reason(|it| it.imports[0].prefix = "1".into()), name);
    assert_eq!(module_reason(|it| it.submodules[0].name = "".into()), name);
    assert_eq!(module_reason(|it| it.namespace = "".into()), Some(ModuleReason::InvalidNamespace));
    assert_eq!(module_reason(|it| it.namespace = "a\0".into()), Some(ModuleReason::InvalidNamespace));
    for revision in ["2026", "2026-11-2x", "2026/11/23", "2026-11-234", "-"] {
        assert_eq!(module_reason(|it| it.revision = revision.into()), Some(ModuleReason::InvalidRevision));
        assert_eq!(
            module_reason(|it| it.submodules[0].revision = revision.into()),
            Some(ModuleReason::InvalidRevision)
        );
    }
    assert_eq!(module_reason(|it| it.text = "\u{c}".into()), Some(ModuleReason::InvalidText));
    let text = "a".repeat(MAX_MODULE_TEXT + 1);
    let submodule = Submodule { name: "s".into(), revision: "".into(), text: text.into() };
    assert_eq!(module_reason(|it| it.submodules.push(submodule)), Some(ModuleReason::InvalidText));
    assert_eq!(module_reason(|it| it.text = "a".repeat(MAX_MODULE_TEXT).into()), None);
    assert_eq!(module_reason(|it| it.namespace = "urn:other".into()), Some(ModuleReason::DuplicateNamespace));
}

#[test]
fn revisions_of_a_module_differ_and_one_is_implemented() {
    let add = |revision: &str, is_implemented: bool| {
        let module = Module::new("sample", "urn:sample", "s");
        let module = Module { revision: revision.into(), is_implemented, ..module };
        match build(|builder, _| _ = builder.add_module(module)) {
            Err(SchemaError::Module { reason, .. }) => Some(reason),
            Err(other) => panic!("{other:?}"),
            Ok(_) => None,
        }
    };
    assert_eq!(add("2026-11-22", false), None);
    assert_eq!(add("2026-11-23", false), Some(ModuleReason::Duplicate));
    assert_eq!(add("2026-11-22", true), Some(ModuleReason::Duplicate));
    assert_eq!(add("2026-11-24", true), Some(ModuleReason::Duplicate));
}

#[test]
fn number_of_modules_is_limited() {
    let modules = |count: usize| {
        let mut builder = SchemaBuilder::new();
        for index in 0..count {
            builder.add_module(Module::new(&format!("m{index}"), &format!("urn:{index}"), "p"));
        }
        builder.build().err()
    };
    assert_eq!(modules(MAX_MODULES), None);
    assert_eq!(modules(MAX_MODULES + 1), Some(SchemaError::TooMany { items: "modules", max: MAX_MODULES }));
}

#[test]
fn identities_are_valid() {
    let change = |change: fn(&mut Identity)| {
        identity_reason(|builder, sample| change(builder.identity_mut(sample.base).unwrap()))
    };
    assert_eq!(change(|it| it.name = "a b".into()), Some(IdentityReason::InvalidName));
    assert_eq!(change(|it| it.name = "derived".into()), Some(IdentityReason::Duplicate));
    assert_eq!(change(|it| it.module = ModuleId(3)), Some(IdentityReason::UnknownModule));
    assert_eq!(change(|it| it.bases = vec![IdentityId(3)]), Some(IdentityReason::UnknownBase));
    assert_eq!(change(|it| it.bases = vec![IdentityId(0)]), Some(IdentityReason::Cycle), "of itself");
    assert_eq!(change(|it| it.bases = vec![IdentityId(2)]), Some(IdentityReason::Cycle), "of three");
}

#[test]
fn identities_with_several_bases_are_derived_from_all_of_them() {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new("m", "urn:m", "m"));
    // The bases of each follow it, so that numbers do not give the order.
    let bases: [&[u32]; 6] = [&[1, 2], &[3], &[3, 4], &[5], &[], &[]];
    for (index, bases) in bases.iter().enumerate() {
        let bases = bases.iter().map(|base| IdentityId(*base)).collect();
        let name = format!("i{index}").into();
        builder.add_identity(Identity { name, module, bases, status: Status::Current });
    }
    let schema = builder.build().unwrap();
    let derived =
        |index| (0..6).filter(|base| schema.is_derived(IdentityId(index), IdentityId(*base))).collect();
    let table: Vec<Vec<u32>> = (0..6).map(derived).collect();
    let expected: [&[u32]; 6] = [&[1, 2, 3, 4, 5], &[3, 5], &[3, 4, 5], &[5], &[], &[]];
    assert_eq!(table, expected);
}

#[test]
fn derivations_of_identities_are_limited() {
    let chain = |length: u32| {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("m", "urn:m", "m"));
        for index in 0..length {
            let bases = index.checked_sub(1).map(IdentityId).into_iter().collect();
            let name = format!("i{index}").into();
            builder.add_identity(Identity { name, module, bases, status: Status::Current });
        }
        builder.build().err()
    };
    // A chain of n identities has n (n - 1) / 2 derivations.
    assert_eq!(chain(1448), None);
    let error = SchemaError::TooMany { items: "derivations of identities", max: MAX_DERIVATIONS };
    assert_eq!(chain(1449), Some(error));
}

#[test]
fn messages_contain_the_beginning_of_a_long_name() {
    let long = "a".repeat(100_000);
    let errors = [
        build(|builder, sample| builder.module_mut(sample.module).unwrap().name = long.as_str().into()),
        build(|builder, sample| builder.identity_mut(sample.base).unwrap().name = long.as_str().into()),
        build(|builder, sample| builder.node_mut(sample.house).unwrap().name = long.as_str().into()),
    ];
    for error in errors {
        assert!(error.unwrap_err().to_string().len() < 1000);
    }
}
