use std::{
    fs,
    path::{Path, PathBuf},
};

use portreeve_yang::{Interval, NodeId, NodeKind, Schema, TypeKind};

use super::{OWN_TEXTS, SHIPPED};
use crate::{CompileRequest, compile, fixture, show};

/// Returns the directory into which the modules of other authors are fetched, or prints that a test
/// is skipped.
pub(crate) fn fetched() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/yang-modules");
    if !folder.is_dir() {
        println!("skipped: scripts/fetch-yang-modules has not fetched the modules");
        return None;
    }
    let script = fs::read_to_string(root.join("scripts/fetch-yang-modules")).unwrap();
    let names: Vec<_> = script.split('"').filter(|text| text.ends_with(".yang")).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(folder.join(name).is_file(), "{name} is missing: run scripts/fetch-yang-modules");
    }
    Some(folder)
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
        let (file, line) = schema.location(*id).unwrap();
        let text = std::fs::read_to_string(stair()).unwrap();
        let name = &schema.node(*id).name;
        assert_eq!(file, "stair.yang");
        assert!(text.lines().nth(line as usize - 1).unwrap().contains(&format!("leaf {name} {{")), "{name}");
        assert_eq!(schema.node(*id).extension("ietf-yang-smiv2", "oid"), Some(&*expected));
    }
    let status = fixture::type_at(&schema, "stairTable/stairEntry/stairRowStatus");
    assert!(status.is_typedef("stair", "RowStatus"));
}

#[test]
fn modules_beside_the_operators_file_do_not_replace_shipped_ones() {
    if fetched().is_none() {
        return;
    }
    let others = fixture::Fixture::new(&[
        ("m.yang", &fixture::module("m", "leaf a { type string; }")),
        (
            "ietf-system@2030-01-01.yang",
            "module ietf-system { namespace urn:x; prefix sys; revision 2030-01-01; }",
        ),
        ("ietf-yang-smiv2.yang", "module ietf-yang-smiv2 { namespace urn:y; prefix y; }"),
        ("iana-crypt-hash.yang", "module iana-crypt-hash { namespace urn:z; prefix z; }"),
    ]);
    let request = CompileRequest {
        modules: vec![others.path("m.yang").display().to_string()],
        shipped: true,
        ..CompileRequest::default()
    };
    let schema = compile(&request).unwrap_or_else(|problems| panic!("{problems:?}"));
    for name in ["ietf-system", "ietf-yang-smiv2", "iana-crypt-hash"] {
        let module = schema.module(schema.module_by_name(name).unwrap());
        assert!(module.namespace.len() > 10, "{}", module.namespace);
    }
}

#[test]
fn file_of_a_shipped_module_is_refused() {
    if fetched().is_none() {
        return;
    }
    let text = "module ietf-system { namespace urn:x; prefix sys; }";
    let others = fixture::Fixture::new(&[("ietf-system.yang", text)]);
    let path = others.path("ietf-system.yang").display().to_string();
    let request = CompileRequest { modules: vec![path.clone()], shipped: true, ..CompileRequest::default() };
    let problems = compile(&request).unwrap_err();
    let expected =
        format!("{path}: portreeved serves its own ietf-system: remove this file from the modules");
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}
