use std::sync::Arc;

use portreeve_yang::{ValueError, ValueReason};
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
fn data_that_does_not_fit_is_refused_with_reason_path_and_names() {
    // XML, reason, path, and the names in the reason: element, attribute, namespace of the element.
    let cases = [
        ("<q xmlns='urn:q'/>", "UnknownNamespace", "/", "q", "", "urn:q"),
        ("<q xmlns=''/>", "UnknownNamespace", "/", "q", "", ""),
        ("<q/>", "UnknownElement", "/", "q", "", ""),
        ("<settings><q/></settings>", "UnknownElement", "/m:settings", "q", "", ""),
        ("<settings><extra/></settings>", "UnknownElement", "/m:settings", "extra", "", ""),
        ("<settings><name><q/></name></settings>", "UnknownElement", "/m:settings/name", "q", "", ""),
        ("<settings>x</settings>", "MixedContent", "/m:settings", "", "", ""),
        ("x", "MixedContent", "/", "", "", ""),
        ("<settings><size>256</size></settings>", "InvalidValue", "/m:settings/size", "", "", ""),
        ("<settings><size/></settings>", "InvalidValue", "/m:settings/size", "", "", ""),
        ("<settings><kind>q:derived</kind></settings>", "InvalidValue", "/m:settings/kind", "", "", ""),
        ("<settings><any/></settings>", "Unsupported", "/m:settings/any", "", "", ""),
        ("<counter>1</counter>", "Edit(NotConfiguration)", "/m:counter", "", "", ""),
        ("<settings x='1'/>", "UnknownAttribute", "/m:settings", "settings", "x", ""),
        ("<settings nc:x='1'/>", "UnknownAttribute", "/m:settings", "settings", "x", ""),
        ("<settings n:operation='merge'/>", "UnknownAttribute", "/m:settings", "settings", "operation", ""),
        ("<settings operation='none'/>", "BadAttribute", "/m:settings", "settings", "operation", ""),
        (
            "<settings operation='merge' nc:operation='delete'/>",
            "BadAttribute",
            "/m:settings",
            "settings",
            "operation",
            "",
        ),
        ("<step y:insert='middle'/>", "BadAttribute", "/m:step", "step", "insert", ""),
        ("<step y:insert='before'/>", "MissingAttribute", "/m:step", "step", "key", ""),
        ("<place y:insert='after'>1</place>", "MissingAttribute", "/m:place", "place", "value", ""),
        ("<step y:insert='first' y:key=\"[id='1']\"/>", "BadAttribute", "/m:step", "step", "key", ""),
        ("<step y:key=\"[id='1']\"/>", "BadAttribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=\"[q='1']\"/>", "BadAttribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=\"[id='1'\"/>", "BadAttribute", "/m:step", "step", "key", ""),
        ("<step y:insert='after' y:key=''/>", "BadAttribute", "/m:step", "step", "key", ""),
        ("<user y:key=\"[id='1']\"/>", "UnknownAttribute", "/m:user", "user", "key", ""),
        ("<user y:insert='first'/>", "UnknownAttribute", "/m:user", "user", "insert", ""),
        ("<settings y:insert='first'/>", "UnknownAttribute", "/m:settings", "settings", "insert", ""),
        (
            "<settings><size y:insert='last'>1</size></settings>",
            "UnknownAttribute",
            "/m:settings/size",
            "size",
            "insert",
            "",
        ),
        ("<tag y:insert='last'>1</tag>", "UnknownAttribute", "/m:tag", "tag", "insert", ""),
        ("<user><name>a</name></user>", "Edit(MissingKey)", "/m:user", "", "", ""),
        (
            "<user operation='delete'><name>a</name><zone>1</zone></user>",
            "Edit(DataMissing)",
            "/m:user[name='a'][zone='1']",
            "",
            "",
            "",
        ),
        (
            "<user><name>a</name><zone>1</zone><uid>x</uid></user>",
            "InvalidValue",
            "/m:user[name='a'][zone='1']/uid",
            "",
            "",
            "",
        ),
    ];
    let schema = schema();
    for (xml, reason, path, element, attribute, namespace) in cases {
        let error = edit(&schema, &Tree::new(), xml, Operation::Merge).unwrap_err();
        let found = (kind(&error.reason), error.path.display(&schema).to_string());
        assert_eq!(found, (reason.to_owned(), path.to_owned()), "{xml}");
        assert_eq!(names(&error.reason), [element, attribute, namespace], "{xml}");
        assert!(!error.to_string().is_empty());
    }
}

/// Returns the name of a reason.
fn kind(reason: &ReadReason) -> String {
    let text = format!("{reason:?}");
    match reason {
        ReadReason::Edit(reason) => {
            format!("Edit({})", format!("{reason:?}").split('(').next().unwrap_or_default())
        }
        _ => text.split('(').next().unwrap_or_default().to_owned(),
    }
}

/// Returns the element and the attribute in a reason, and the namespace of the element if that is
/// the reason.
fn names(reason: &ReadReason) -> [&str; 3] {
    match reason {
        ReadReason::UnknownNamespace(element) => [&element.local, "", &element.namespace],
        ReadReason::UnknownElement(element) => [&element.local, "", ""],
        ReadReason::UnknownAttribute(of)
        | ReadReason::MissingAttribute(of)
        | ReadReason::BadAttribute(of) => [&of.element.local, &of.attribute.local, ""],
        _ => [""; 3],
    }
}

/// Reads a leaf without an end, in pieces of 1000 characters, until it is refused.
fn read_endless(leaf: &str) -> (usize, ReadError) {
    let schema = schema();
    let mut tokenizer = crate::xml::Tokenizer::new();
    let (mut reader, tree) = (DataReader::new(), Tree::new());
    let mut editor = Editor::new(Arc::clone(&schema), &tree, Operation::Merge);
    tokenizer.next_event(&mut &b"<config>"[..]).unwrap();
    let (start, text) = (format!("<settings xmlns='urn:m' xmlns:n='urn:n'><{leaf}>"), "x".repeat(1000));
    let pieces = std::iter::once(start.as_str()).chain(std::iter::repeat(text.as_str()));
    for (index, piece) in pieces.enumerate() {
        let mut octets = piece.as_bytes();
        while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
            if let Err(error) = reader.read(event, &schema, &mut editor) {
                return (index, error);
            }
        }
    }
    unreachable!("the input does not end");
}

#[test]
fn value_longer_than_its_type_allows_is_refused_before_its_end() {
    let (index, error) = read_endless("name");
    assert!(index < 80, "{index} kB");
    let expected = ValueError {
        reason: ValueReason::InvalidLength,
        app_tag: Some("name-too-long".into()),
        message: Some("at most 10 characters".into()),
    };
    assert_eq!(error.reason, ReadReason::InvalidValue(expected), "the same error as for 11 characters");
    let short =
        edit(&schema(), &Tree::new(), "<settings><name>12345678901</name></settings>", Operation::Merge);
    assert_eq!(short.unwrap_err(), error);

    let (index, error) = read_endless("size");
    assert!(index < 80, "{index} kB");
    assert_eq!(kind(&error.reason), "InvalidValue");
}

#[test]
fn value_of_a_type_without_a_length_has_a_limit() {
    let (index, error) = read_endless("n:extra");
    assert_eq!(error.reason, ReadReason::LongValue);
    assert_eq!(index, MAX_VALUE / 1000 + 1);
}
