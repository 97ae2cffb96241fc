//! Modules, submodules, imports and identities.

use portreeve_yang::YangVersion;

use crate::fixture::{Fixture, compile_body, module};

#[test]
fn modules_have_exact_texts() {
    let main = "// Comment.\nmodule m {\r\n  yang-version 1.1; namespace urn:m; prefix p;\n\tinclude s;\n  revision 2020-02-02;\n  revision 2019-01-01;}\n\n";
    let sub = "submodule s { yang-version 1.1; belongs-to m { prefix q; } import i { prefix j; } revision 2018-01-01; }";
    let imported = "module i { namespace \"urn:i\"; prefix i; }";
    let fixture = Fixture::new(&[("m.yang", main), ("s@2018-01-01.yang", sub), ("i.yang", imported)]);
    let schema = fixture.compile(&["m"]).unwrap();
    let m = schema.module(schema.module_by_name("m").unwrap());
    assert_eq!((&*m.text, &*m.revision, &*m.prefix, &*m.namespace), (main, "2020-02-02", "p", "urn:m"));
    assert!(m.is_implemented);
    assert_eq!(m.yang_version, YangVersion::Version1_1);
    let [s] = &m.submodules[..] else { panic!("{:?}", m.submodules) };
    assert_eq!((&*s.name, &*s.revision, &*s.text), ("s", "2018-01-01", sub));
    let [import] = &m.imports[..] else { panic!("{:?}", m.imports) };
    assert_eq!((&*import.prefix, &*import.module, &*import.revision), ("j", "i", ""));
    let i = schema.module(schema.module_by_name("i").unwrap());
    assert_eq!((&*i.text, i.is_implemented), (imported, false));
    assert_eq!(i.yang_version, YangVersion::Version1);
}

#[test]
fn only_needed_built_in_modules_are_part_of_schema() {
    let schema = compile_body("import ietf-yang-types { prefix yang; } leaf a { type yang:counter32; }");
    let names: Vec<_> = schema.modules().map(|(_, module)| &*module.name).collect();
    assert_eq!(names, ["ietf-yang-types", "m"]);
    let types = schema.module(schema.module_by_name("ietf-yang-types").unwrap());
    assert!(!types.is_implemented);
    assert!(types.text.starts_with("module ietf-yang-types {"), "{}", types.text);
    assert!(crate::fixture::type_at(&schema, "a").is_typedef("ietf-yang-types", "counter32"));
}

#[test]
fn two_revisions_of_imported_module_are_kept() {
    let old = "module i { namespace \"urn:i\"; prefix i; revision 2001-01-01; typedef t { type int8; } }";
    let new = "module i { namespace \"urn:i\"; prefix i; revision 2002-02-02; typedef t { type int16; } }";
    let fixture = Fixture::new(&[
        ("i@2001-01-01.yang", old),
        ("i@2002-02-02.yang", new),
        ("a.yang", &module("a", "import i { prefix i; revision-date 2001-01-01; } leaf a { type i:t; }")),
        ("b.yang", &module("b", "import i { prefix i; revision-date 2002-02-02; } leaf b { type i:t; }")),
    ]);
    let schema = fixture.compile(&["a", "b"]).unwrap();
    let mut texts: Vec<_> = schema
        .modules()
        .filter(|(_, module)| &*module.name == "i")
        .map(|(_, module)| &*module.text)
        .collect();
    texts.sort_unstable();
    assert_eq!(texts, [old, new]);
    for (path, kind) in [("a", "int8"), ("b", "int16")] {
        assert_eq!(crate::fixture::kind_at(&schema, path).name(), kind);
    }
}

#[test]
fn identity_of_a_disabled_feature_is_not_part_of_schema() {
    let body =
        "feature f; identity base; identity off { base base; if-feature f; } identity below { base off; }
        leaf a { type identityref { base base; } }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    let mut request = fixture.request(&["m"]);
    for (features, expected) in [(vec!["f".to_owned()], true), (Vec::new(), false)] {
        request.features = vec![("m".to_owned(), features)];
        let schema = crate::compile(&request).unwrap();
        let id = |name| schema.identity_by_name(schema.module_by_name("m").unwrap(), name);
        assert_eq!(id("off").is_some(), expected);
        assert!(schema.is_derived(id("below").unwrap(), id("base").unwrap()));
    }
}

#[test]
fn identities_of_imported_modules_are_kept() {
    let fixture = Fixture::new(&[
        ("i.yang", &module("i", "identity base; identity old { base base; status deprecated; }")),
        ("m.yang", &module("m", "import i { prefix j; } identity own { base j:base; }")),
    ]);
    let schema = fixture.compile(&["m"]).unwrap();
    let id = |module, name| schema.identity_by_name(schema.module_by_name(module).unwrap(), name).unwrap();
    assert_eq!(schema.identity(id("m", "own")).bases, [id("i", "base")]);
    assert_eq!(schema.identity(id("i", "old")).status, portreeve_yang::Status::Deprecated);
}
