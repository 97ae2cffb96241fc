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
fn patterns_that_are_too_large_together_are_rejected() {
    let leaf = |index| format!("leaf a{index} {{ type string {{ pattern '{index}\\w{{1,160}}'; }} }}\n");
    let body: String = (0..5).map(leaf).collect();
    let fixture = Fixture::new(&[("m.yang", &module("m", &body))]);
    let problems = fixture.problems(&["m"]);
    assert!(problems[0].contains("all patterns together"), "{problems:?}");
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

#[test]
fn repeated_features_of_a_module_add_up() {
    let fixture = Fixture::new(&[("m.yang", &module("m", "feature a; feature b; feature c;"))]);
    let mut request = fixture.request(&["m"]);
    request.features = vec![("m".to_owned(), vec!["c".to_owned()]), ("m".to_owned(), vec!["a".to_owned()])];
    let schema = compile(&request).unwrap();
    assert_eq!(schema.module(schema.module_by_name("m").unwrap()).features, ["a".into(), "c".into()]);
}

#[test]
fn message_about_an_unknown_module_names_the_searched_directories() {
    let fixture = Fixture::new(&[("m.yang", &module("m", "import i { prefix i; }"))]);
    for name in ["nothing", "m"] {
        let problems = fixture.problems(&[name]);
        let directory = fixture.directory.path().display().to_string();
        assert!(problems.iter().any(|problem| problem.contains(&directory)), "{problems:?}");
    }
}

#[test]
fn limits_of_the_schema_have_file_and_line() {
    let long = "x".repeat(300);
    for (line, body) in [
        (6, format!("leaf a {{ type string; }}\nleaf {long} {{ type string; }}")),
        (6, format!("\nleaf a {{ type enumeration {{ enum {long}; }} }}")),
        (7, format!("\n\nidentity {long};")),
        (1, format!("feature {long};")),
    ] {
        let fixture = Fixture::new(&[("m.yang", &module("m", &body))]);
        let problems = fixture.problems(&["m"]);
        assert!(problems[0].starts_with(&format!("m.yang:{line}: ")), "{problems:?}");
    }
}

/// Compiles modules for the agent, and returns each problem without the directory.
fn refused(fixture: &Fixture, modules: &[&str]) -> Vec<String> {
    let request = CompileRequest { shipped: true, ..fixture.request(modules) };
    let directory = format!("{}/", fixture.directory.path().display());
    let problems = compile(&request).err().unwrap_or_default();
    problems.iter().map(|problem| problem.to_string().replace(&directory, "")).collect()
}

#[test]
fn conditions_that_a_client_can_violate_are_refused_for_the_agent() {
    if crate::shipped::tests::fetched().is_none() {
        return;
    }
    let body = "
  container box {
    leaf a {
      must '. > 1';
      type int8; }
    leaf b {
      when '../a';
      type int8; } }
  grouping two { leaf c { type int8; } leaf d { type int8; } }
  augment /m:box {
    when 'm:a';
    uses two; }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    let problems = refused(&fixture, &["m"]);
    let places: Vec<_> =
        problems.iter().map(|problem| problem.split(": ").take(2).collect::<Vec<_>>()).collect();
    assert_eq!(
        places,
        [["m.yang:8", "/m:box/a"], ["m.yang:11", "/m:box/b"], ["m.yang:15", "/m:box/c"]],
        "{problems:?}"
    );
    assert!(problems[0].contains("`must`") && problems[0].contains("`deviate delete`"), "{}", problems[0]);
    assert!(
        problems[1].contains("`when`") && problems[1].contains("`deviate not-supported`"),
        "{}",
        problems[1]
    );
    // Without the modules of the agent, the schema is not for the agent.
    assert!(fixture.compile(&["m"]).is_ok());
}

#[test]
fn conditions_of_state_and_operations_are_accepted_for_the_agent() {
    if crate::shipped::tests::fetched().is_none() {
        return;
    }
    let body = "
  leaf a { config false; must '. > 1'; type int8; }
  rpc r { input { leaf b { must '. > 1'; type int8; } } }
  container c { action do { input { must 'd'; leaf d { type int8; } } } }
  notification n { leaf e { when '../f'; type int8; } leaf f { type int8; } }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body))]);
    assert_eq!(refused(&fixture, &["m"]), [""; 0]);
}

#[test]
fn deviation_removes_a_condition() {
    if crate::shipped::tests::fetched().is_none() {
        return;
    }
    let body = "leaf a { must '. > 1'; type int8; } leaf b { when '../a'; type int8; }";
    let deviations = "import m { prefix m; }
  deviation /m:a { deviate delete { must '. > 1'; } }
  deviation /m:b { deviate not-supported; }";
    let fixture = Fixture::new(&[("m.yang", &module("m", body)), ("d.yang", &module("d", deviations))]);
    assert_eq!(refused(&fixture, &["m", "d"]), [""; 0]);
}
