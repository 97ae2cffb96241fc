use crate::{
    CompileRequest, compile,
    fixture::{Fixture, module},
};

#[test]
fn syntax_errors_have_file_and_line() {
    let fixture = Fixture::new(&[
        ("a.yang", "module a {\n  namespace \"urn:a\";\n  prefix a;\n\n  leaf x { type string }\n}"),
        ("b.yang", &module("b", "import c { prefix c; }")),
        ("c.yang", "module c {\n  namespace \"urn:c\";\n  prefix c;\n  leaf y;\n  unknown z;\n}"),
        ("d.yang", &module("d", "include e;")),
        ("e.yang", "submodule e {\n  yang-version 1.1;\n  belongs-to d { prefix d; }\n  container x {\n"),
    ]);
    for (name, place) in [("a", "a.yang:5: "), ("b", "c.yang:4: "), ("d", "e.yang:5: ")] {
        let problems = fixture.problems(&[name]);
        assert!(problems.iter().any(|problem| problem.starts_with(place)), "{name}: {problems:?}");
        assert!(!problems.iter().any(|problem| problem.contains("Parsing module")), "{problems:?}");
    }
}

#[test]
fn schema_errors_have_file_and_line() {
    for (line, body) in [
        (5, "leaf a {\n type missing; }"),
        (5, "leaf a { type int8; default 300; }"),
        (6, "container c {\n leaf r { type leafref { path '../nothing'; } } }"),
        (5, "list l { key k;\n leaf v { type string; } }"),
        (6, "\nuses nothing;"),
        (6, "\naugment /m:nothing { leaf a { type string; } }"),
        (6, "\ndeviation /m:nothing { deviate not-supported; }"),
        (6, "\nimport nothing { prefix n; }"),
        (7, "container a {\n container b {\n leaf x { type int8 { range 1..1000; } } } }"),
        (6, "grouping g {\n leaf x { type identityref { base nothing; } } } container c { uses g; }"),
    ] {
        let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
        let problems = fixture.problems(&["m"]);
        let place = format!("m.yang:{line}: ");
        assert!(problems.iter().any(|problem| problem.starts_with(&place)), "{body}: {problems:?}");
    }
}

#[test]
fn pattern_that_agent_cannot_compile_is_rejected() {
    let body = "leaf a {\n type string { pattern '(\\w{1,200}){1,200}'; } }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    let problems = fixture.problems(&["m"]);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("m.yang:5: a: invalid pattern "), "{problems:?}");
}

#[test]
fn unknown_module_is_named() {
    let fixture = Fixture::new(&[]);
    let problems = fixture.problems(&["nothing"]);
    assert!(problems[0].contains("\"nothing\""), "{problems:?}");
}

#[test]
fn unreadable_import_is_reported() {
    let fixture = Fixture::new(&[("m.yang", &module("m", "import i { prefix i; }"))]);
    std::fs::write(fixture.path("i.yang"), b"module i {\n\xff}").unwrap();
    let problems = fixture.problems(&["m"]);
    assert!(problems.contains(&"i.yang:2: not UTF-8 text".to_owned()), "{problems:?}");
}

#[test]
fn module_is_given_by_path() {
    let fixture = Fixture::new(&[
        ("main-file.yang", &module("m", "import i { prefix i; }")),
        ("i.yang", &module("i", "")),
    ]);
    let request = CompileRequest {
        modules: vec![fixture.path("main-file.yang").display().to_string()],
        ..CompileRequest::default()
    };
    let schema = compile(&request).unwrap();
    assert!(schema.module_by_name("m").is_some() && schema.module_by_name("i").is_some());
}

#[test]
fn features_of_other_or_unknown_names_are_rejected() {
    let fixture = Fixture::new(&[("m.yang", &module("m", "feature f;"))]);
    let mut request = fixture.request(&["m"]);
    request.features = vec![("other".to_owned(), Vec::new())];
    let problems = compile(&request).unwrap_err();
    assert_eq!(problems[0].to_string(), "features of other, which is not one of the modules to compile");
    request.features = vec![("m".to_owned(), vec!["g".to_owned()])];
    let problems = compile(&request).unwrap_err();
    assert!(problems[0].to_string().contains("\"g\""), "{problems:?}");
}

#[test]
fn all_problems_of_files_are_reported() {
    let request = CompileRequest {
        modules: vec!["/nonexistent/a.yang".to_owned(), "/nonexistent/b.yang".to_owned()],
        ..CompileRequest::default()
    };
    assert_eq!(compile(&request).unwrap_err().len(), 2);
}
