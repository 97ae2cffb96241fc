use std::path::{Path, PathBuf};

use portreeve_yang::{Interval, NodeId, NodeKind, Schema, TypeKind};

use super::{OWN_TEXTS, SHIPPED};
use crate::{CompileRequest, compile, fixture, show};

/// Returns the directory into which the modules of other authors are fetched, or prints that a test
/// is skipped.
fn fetched() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/yang-modules");
    let is_complete = folder.join("ietf-netconf.yang").is_file();
    if !is_complete {
        println!("skipped: scripts/fetch-yang-modules has not fetched the modules");
    }
    is_complete.then_some(folder)
}

/// Compiles the shipped modules and others.
fn shipped(folder: PathBuf, modules: &[&str]) -> Schema {
    let request = CompileRequest {
        modules: modules.iter().map(|module| (*module).to_owned()).collect(),
        shipped: true,
        directories: vec![folder],
        ..CompileRequest::default()
    };
    compile(&request).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn stair() -> String {
    format!("{}/examples/stair.yang", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn shipped_modules_have_no_constraints() {
    let Some(folder) = fetched() else { return };
    let schema = shipped(folder, &[]);
    assert!(!show::show(&schema).contains("\nconstraints:\n"), "{}", show::show(&schema));
    for module in &SHIPPED {
        let found = schema.module(schema.module_by_name(module.name).unwrap());
        assert!(found.is_implemented, "{}", module.name);
        let features: Vec<_> = found.features.iter().map(|name| &**name).collect();
        assert_eq!(features, module.features, "{}", module.name);
    }
}

#[test]
fn shipped_configuration_is_contact_and_location() {
    let Some(folder) = fetched() else { return };
    let schema = shipped(folder, &[]);
    let config: Vec<_> = schema.nodes().filter(|(id, node)| *id != NodeId::ROOT && node.config).collect();
    let names: Vec<_> = config.iter().map(|(_, node)| &*node.name).collect();
    assert_eq!(names, ["system", "contact", "location"]);
    for path in ["system/contact", "system/location"] {
        let TypeKind::String { length: Some(length), .. } = fixture::kind_at(&schema, path) else {
            panic!("{path} has no length")
        };
        assert_eq!(length.intervals, [Interval { min: 0, max: 255 }]);
    }
    let system = schema.module_by_name("ietf-system").unwrap();
    assert_eq!(schema.module(system).deviations, ["portreeve-deviations".into()]);
    let rpcs = schema.children(NodeId::ROOT).iter().map(|id| schema.node(*id));
    assert!(!rpcs.clone().any(|node| node.module == system && node.kind == NodeKind::Rpc));
}

#[test]
fn shipped_texts_are_those_of_files() {
    let Some(folder) = fetched() else { return };
    let schema = shipped(folder.clone(), &[]);
    for (_, module) in schema.modules() {
        let names = [format!("{}.yang", module.name), format!("{}@{}.yang", module.name, module.revision)];
        let texts: Vec<_> =
            names.iter().filter_map(|name| std::fs::read_to_string(folder.join(name)).ok()).collect();
        if texts.is_empty() {
            assert!(OWN_TEXTS.contains(&&*module.text), "{}", module.name);
        } else {
            assert!(texts.iter().any(|text| **text == *module.text), "{}", module.name);
        }
    }
}

#[test]
fn example_has_object_identifiers_and_row_status() {
    let Some(folder) = fetched() else { return };
    let schema = shipped(folder, &[&stair()]);
    let entry = fixture::find(&schema, "stairTable/stairEntry");
    let children = schema.children(entry);
    assert_eq!(children.len(), 12);
    for (at, id) in children.iter().enumerate() {
        let expected = format!("1.3.6.1.4.1.32473.3.1.1.{}", at + 1);
        assert_eq!(schema.node(*id).extension("ietf-yang-smiv2", "oid"), Some(&*expected));
    }
    let status = fixture::type_at(&schema, "stairTable/stairEntry/stairRowStatus");
    assert!(status.is_typedef("stair", "RowStatus"));
}
