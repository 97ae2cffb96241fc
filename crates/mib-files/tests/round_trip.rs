//! The built-in definitions are unchanged after export to SMIv2 text and loading.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests may panic")]

use std::fs;

use portreeve_mib::{Convention, Module, Object, Syntax, export::export_smi, modules};
use portreeve_mib_files::{MibSearch, load};

#[test]
fn exported_modules_are_loaded_back_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    for module in modules::ALL {
        fs::write(directory.path().join(module.name), export_smi(module)).unwrap();
    }
    let loaded = load(&MibSearch::new(None).directories(directory.path().to_str().unwrap()).modules("ALL"));
    assert_eq!(loaded.warnings, []);
    assert_eq!(loaded.modules.len(), modules::ALL.len());
    for module in modules::ALL {
        let loaded_module =
            loaded.modules.iter().find(|loaded_module| loaded_module.name == module.name).unwrap();
        assert_same_module(module, loaded_module);
    }
}

fn assert_same_module(module: &Module, loaded_module: &Module) {
    let name = module.name;
    assert_eq!(module.last_updated, loaded_module.last_updated, "{name}");
    // The parser defines the base types of SMI and the roots of ASN.1, so they are not compared.
    for object in module.objects.iter().filter(|object| object.parent.is_some()) {
        let found = loaded_module.objects.iter().find(|found| found.name == object.name);
        let found = found.unwrap_or_else(|| panic!("{name}::{object:?} is gone"));
        assert_same_object(object, found);
    }
    for found in loaded_module.objects {
        assert!(module.objects.iter().any(|object| object.name == found.name), "{name}::{found:?} is new");
    }
    for convention in module.conventions {
        let found = loaded_module.conventions.iter().find(|found| found.name == convention.name);
        let found: &Convention = found.unwrap_or_else(|| panic!("{name}::{convention:?} is gone"));
        assert_eq!(convention.hint, found.hint, "{name}::{convention:?}");
        assert_eq!(
            describe_syntax(&convention.syntax),
            describe_syntax(&found.syntax),
            "{name}::{convention:?}"
        );
    }
}

fn assert_same_object(object: &Object, found: &Object) {
    assert_eq!(object.arcs(), found.arcs(), "{object:?}");
    assert_eq!(object.number(), found.number(), "{object:?}");
    assert_eq!(object.status, found.status, "{object:?}");
    assert_eq!(object.max_access(), found.max_access(), "{object:?}");
    assert_eq!(
        std::mem::discriminant(&object.kind),
        std::mem::discriminant(&found.kind),
        "{object:?}: {:?} and {:?}",
        object.kind,
        found.kind
    );
    assert_eq!(object.syntax().map(describe_syntax), found.syntax().map(describe_syntax), "{object:?}");
    assert_eq!(object.leaf().map(|leaf| leaf.units), found.leaf().map(|leaf| leaf.units), "{object:?}");
    assert_eq!(object.parent.map(|parent| parent.name), found.parent.map(|parent| parent.name), "{object:?}");
    let index = |object: &Object| {
        object.index().map(|index| {
            let names: Vec<&str> = index.objects.iter().map(|object| object.name).collect();
            (names, index.implied)
        })
    };
    assert_eq!(index(object), index(found), "{object:?}");
}

fn describe_syntax(syntax: &Syntax) -> String {
    let convention = syntax.convention.map(|convention| convention.name);
    let mut labels = syntax.labels().to_vec();
    labels.sort_by_key(|(_, number)| *number);
    format!("{:?} {convention:?} {:?} {:?} {labels:?}", syntax.base, syntax.hint(), syntax.limits())
}
