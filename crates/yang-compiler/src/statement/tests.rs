use super::Statements;

/// Returns each statement as `line keyword argument`, indented by its depth.
fn outline(text: &str) -> String {
    let statements = Statements::parse(text);
    let mut lines = Vec::new();
    for (_, statement) in statements.all() {
        let mut depth = 0;
        let mut above = statements.parent(statement);
        while let Some((_, parent)) = above {
            depth += 1;
            above = statements.parent(parent);
        }
        let indent = " ".repeat(depth);
        lines.push(format!("{indent}{} {} {:?}", statement.line, statement.keyword, statement.argument));
    }
    lines.join("\n")
}

#[test]
fn statements_have_lines_arguments_and_parents() {
    let text = "module a {\n  prefix b;\n\n  leaf c { type d; }\n  e:f;\n}\n";
    assert_eq!(outline(text), "1 module \"a\"\n 2 prefix \"b\"\n 4 leaf \"c\"\n  4 type \"d\"\n 5 e:f \"\"");
}

#[test]
fn arguments_are_joined_and_unescaped() {
    for (written, argument) in [
        ("\"a\" + 'b'", "ab"),
        ("\"a\"+\"b\"\n +\n 'c'", "abc"),
        (r#""a\"b\\c\nd\te\w""#, "a\"b\\c\nd\te\\w"),
        (r"'a\n{;}//'", r"a\n{;}//"),
        ("\"/* no comment */\"", "/* no comment */"),
        ("a/*comment*/", "a"),
        ("/*x*/ a // y\n", "a"),
        ("'x\ny'", "x\ny"),
    ] {
        let statements = Statements::parse(&format!("k {written};"));
        assert_eq!(statements.root().map(|root| &*root.argument), Some(argument), "{written}");
    }
}

#[test]
fn lines_are_counted_in_comments_and_strings() {
    let text = "/* 1\n 2 */ m x { // 2\n d \"3\n4\n5\"; t; }";
    assert_eq!(outline(text), "2 m \"x\"\n 3 d \"3\\n4\\n5\"\n 5 t \"\"");
}

#[test]
fn text_before_fault_is_read() {
    for (text, expected) in [
        ("m a { b c", "1 m \"a\""),
        ("m a { b c; d \"e", "1 m \"a\"\n 1 b \"c\""),
        ("m a { b c; /* d; }", "1 m \"a\"\n 1 b \"c\""),
        ("m a { b 'c' d; }", "1 m \"a\""),
        ("m a; } b;", "1 m \"a\""),
        ("{", ""),
        ("", ""),
        ("\"a\"", ""),
    ] {
        assert_eq!(outline(text), expected, "{text}");
    }
}

#[test]
fn children_are_found_below_nested_statements() {
    let statements = Statements::parse("m a { b c { d e { f g; } } h i; } n o;");
    let names = |at| -> Vec<_> { statements.children(at).map(|(_, item)| item.keyword.clone()).collect() };
    assert_eq!(names(0), ["b", "h"]);
    assert_eq!(names(1), ["d"]);
    assert_eq!(names(4), Vec::<String>::new());
}

#[test]
fn header_statements_are_read() {
    let text =
        "module a { prefix p; import x { prefix q; } import y { prefix \"r\"; revision-date 2020-01-01; }
        revision 2019-01-01; revision \"2021-05-06\" { description d; } revision 2020-01-01; }";
    let statements = Statements::parse(text);
    assert_eq!(statements.header("prefix"), Some("p"));
    assert_eq!(statements.revision(), Some("2021-05-06"));
    assert_eq!(statements.imported_module("r"), Some("y"));
    assert_eq!(statements.imported_module("p"), None);
}

proptest::proptest! {
    #[test]
    fn parse_accepts_any_text(text in "[a{};\"'+/*\\\\\n ]{0,60}") {
        let statements = Statements::parse(&text);
        let lines = text.matches('\n').count() + 1;
        for (at, statement) in statements.all() {
            proptest::prop_assert!((1..=lines).contains(&(statement.line as usize)));
            proptest::prop_assert!(statements.parent(statement).is_none_or(|(parent, _)| parent < at));
        }
    }
}

#[test]
fn time_is_proportional_to_the_length() {
    let text = format!("module m {{ {} }}", "leaf x; ".repeat(60_000));
    let start = std::time::Instant::now();
    assert_eq!(Statements::parse(&text).all().count(), 60_001);
    assert!(start.elapsed() < std::time::Duration::from_secs(3), "{:?}", start.elapsed());
}
