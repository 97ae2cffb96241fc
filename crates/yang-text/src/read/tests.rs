use portreeve_yang_tree::Tree;

use super::*;
use crate::test_schema::{edit, schema, whole_xml};

/// Edits a tree with `before`, then with `xml`, and returns the result as XML without declarations.
fn edited(before: &str, xml: &str) -> String {
    let schema = schema();
    let tree = edit(&schema, &Tree::new(), before, Operation::Merge).unwrap();
    let tree = edit(&schema, &tree, xml, Operation::Merge).unwrap();
    whole_xml(&schema, &tree).replace(" xmlns=\"urn:m\"", "")
}

#[test]
fn values_get_their_canonical_form() {
    let xml = "<settings><size> +07 </size><name> a b </name><kind xmlns='urn:n'/></settings>";
    let xml = xml.replace("<kind xmlns='urn:n'/>", "<m:kind xmlns='urn:n'>derived</m:kind>");
    assert!(edited("", &xml).contains("<size>7</size>"));
    assert!(edited("", &xml).contains("<name> a b </name>"));
    assert!(edited("", &xml).contains(">n:derived</kind>"));
}

#[test]
fn operation_with_and_without_prefix_is_applied() {
    let before = "<settings><size>1</size><name>a</name></settings>";
    for prefix in ["nc:", ""] {
        let delete = format!("<settings><size {prefix}operation='delete'/></settings>");
        assert_eq!(edited(before, &delete), "<settings><name>a</name></settings>");
        let replace = format!("<settings {prefix}operation='replace'><size>2</size></settings>");
        assert_eq!(edited(before, &replace), "<settings><size>2</size></settings>");
        let remove = format!("<settings {prefix}operation='remove'><size/><name>\n</name></settings>");
        assert_eq!(edited(before, &remove), "");
    }
}

#[test]
fn entry_is_removed_by_its_keys_alone() {
    let before = "<user><name>a</name><zone>1</zone></user><user><name>b</name><zone>1</zone></user>";
    let delete =
        "<user operation='delete'><name>a</name><zone>01</zone><uid/><address><note/></address></user>";
    assert_eq!(edited(before, delete), "<user><name>b</name><zone>1</zone></user>");
}

#[test]
fn entries_are_inserted_where_attributes_say() {
    let before = "<step><id>1</id></step><step><id>2</id></step>";
    let step = |id| format!("<step><id>{id}</id></step>");
    let cases = [
        ("y:insert='first'", "312"),
        ("y:insert='last'", "123"),
        ("", "123"),
        ("y:insert='before' y:key=\"[m:id='1']\"", "312"),
        ("y:insert='after' y:key='[id = \"01\"] '", "132"),
    ];
    for (attributes, order) in cases {
        let xml = format!("<step {attributes}><id>3</id></step>");
        assert_eq!(edited(before, &xml), order.chars().map(step).collect::<String>(), "{attributes}");
    }
    let place = |place| format!("<place>{place}</place>");
    for (attributes, order) in [("y:insert='first'", "312"), ("y:insert='after' y:value=' 1'", "132")] {
        let xml = format!("<place {attributes}>3</place>");
        let result = edited("<place>1</place><place>2</place>", &xml);
        assert_eq!(result, order.chars().map(place).collect::<String>(), "{attributes}");
    }
}

#[test]
fn data_that_does_not_fit_is_refused_with_tag_path_and_info() {
    // XML, error-tag, error-path, bad-element, bad-attribute, bad-namespace.
    let cases = [
        ("<q xmlns='urn:q'/>", "unknown-namespace", "/", "q", "", "urn:q"),
        ("<q xmlns=''/>", "unknown-namespace", "/", "q", "", ""),
        ("<q/>", "unknown-element", "/", "q", "", ""),
        ("<settings><q/></settings>", "unknown-element", "/m:settings", "q", "", ""),
        ("<settings><extra/></settings>", "unknown-element", "/m:settings", "extra", "", ""),
        ("<settings><name><q/></name></settings>", "unknown-element", "/m:settings/name", "q", "", ""),
        ("<settings>x</settings>", "bad-element", "/m:settings", "settings", "", ""),
        ("x", "bad-element", "/", "", "", ""),
        ("<settings><size>256</size></settings>", "invalid-value", "/m:settings/size", "", "", ""),
        ("<settings><size/></settings>", "invalid-value", "/m:settings/size", "", "", ""),
        ("<settings><kind>q:derived</kind></settings>", "invalid-value", "/m:settings/kind", "", "", ""),
        ("<settings><any/></settings>", "operation-not-supported", "/m:settings/any", "", "", ""),
        ("<counter>1</counter>", "bad-element", "/m:counter", "counter", "", ""),
        ("<settings x='1'/>", "unknown-attribute", "/m:settings", "settings", "x", ""),
        ("<settings nc:x='1'/>", "unknown-attribute", "/m:settings", "settings", "x", ""),
        ("<settings n:operation='merge'/>", "unknown-attribute", "/m:settings", "settings", "operation", ""),
        ("<settings operation='none'/>", "bad-attribute", "/m:settings", "settings", "operation", ""),
        (
            "<settings operation='merge' nc:operation='delete'/>",
            "bad-attribute",
            "/m:settings",
            "settings",
            "operation",
            "",
        ),
        ("<step y:insert='middle'/>", "bad-attribute", "/m:step", "step", "insert", ""),
        ("<step y:insert='before'/>", "missing-attribute", "/m:step", "step", "key", ""),
        ("<place y:insert='after'>1</place>", "missing-attribute", "/m:place", "place", "value", ""),
        ("<step y:insert='first' y:key=\"[id='1']\"/>", "bad-attribute", "/m:step", "step", "key", ""),
        ("<step y:key=\"[id='1']\"/>", "bad-attribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=\"[q='1']\"/>", "bad-attribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=\"[id='1'\"/>", "bad-attribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=''/>", "bad-attribute", "/m:step", "step", "key", ""),
        ("<user y:key=\"[id='1']\"/>", "unknown-attribute", "/m:user", "user", "key", ""),
        ("<user><name>a</name></user>", "missing-element", "/m:user", "zone", "", ""),
        (
            "<user operation='delete'><name>a</name><zone>1</zone></user>",
            "data-missing",
            "/m:user[name='a'][zone='1']",
            "",
            "",
            "",
        ),
        (
            "<user><name>a</name><zone>1</zone><uid>x</uid></user>",
            "invalid-value",
            "/m:user[name='a'][zone='1']/uid",
            "",
            "",
            "",
        ),
    ];
    let schema = schema();
    for (xml, tag, path, element, attribute, namespace) in cases {
        let error = edit(&schema, &Tree::new(), xml, Operation::Merge).unwrap_err();
        let found = (error.error_tag(), error.path.display(&schema).to_string());
        assert_eq!(found, (tag, path.to_owned()), "{xml}");
        let info = (error.bad_element(&schema), error.bad_attribute(), error.bad_namespace());
        let info = (info.0.unwrap_or_default(), info.1.unwrap_or_default(), info.2.unwrap_or_default());
        assert_eq!(info, (element, attribute, namespace), "{xml}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn anchor_that_does_not_exist_has_the_app_tag_of_yang() {
    let xml = "<step y:insert='after' y:key=\"[id='9']\"><id>1</id></step>";
    let error = edit(&schema(), &Tree::new(), xml, Operation::Merge).unwrap_err();
    assert_eq!((error.error_tag(), error.app_tag()), ("bad-attribute", Some("missing-instance")));
}

#[test]
fn value_longer_than_its_type_allows_is_refused_before_its_end() {
    let schema = schema();
    let mut tokenizer = crate::xml::Tokenizer::new();
    let (mut reader, tree) = (DataReader::new(), Tree::new());
    let mut editor = Editor::new(&schema, &tree, Operation::Merge);
    tokenizer.next_event(&mut &b"<config>"[..]).unwrap();
    let start = "<settings xmlns='urn:m'><name>";
    let text = "x".repeat(1000);
    let pieces = std::iter::once(start).chain(std::iter::repeat_n(text.as_str(), 1000));
    for (index, piece) in pieces.enumerate() {
        let mut octets = piece.as_bytes();
        while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
            if let Err(error) = reader.read(event, &schema, &mut editor) {
                assert_eq!(error.error_tag(), "too-big");
                assert!(index < 80, "{index} kB");
                return;
            }
        }
    }
    panic!("a value of 1 MB is accepted");
}
