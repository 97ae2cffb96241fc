//! Cases of the shape of those in RFC 6241 §6.4, and one for each rule of §6.2.

use super::tree::TestTree;
use super::{parse, select};

const PORTS: &str = "\
    <site xmlns='urn:site'><ports>\
      <port><name>a</name><role>core</role><note>first</note><place><row>1</row><slot>1</slot></place></port>\
      <port><name>b</name><role>edge</role><note>second</note><place><row>2</row><slot>2</slot></place></port>\
      <port><name>c</name><role>edge</role><note>third</note><place><row>2</row><slot>3</slot></place></port>\
    </ports><tag>x</tag><tag>y</tag></site>\
    <other xmlns='urn:other'><ports>1</ports></other>\
    <load xmlns='urn:load' xmlns:l='urn:load'><link l:port='a'><in>1</in></link>\
      <link l:port='b'><in>2</in></link></load>";

fn ports() -> TestTree {
    TestTree::new(PORTS, &["name"])
}

/// Returns the entry with this name.
fn port(name: &str) -> &'static str {
    match name {
        "a" => {
            "<port><name>a</name><role>core</role><note>first</note><place><row>1</row><slot>1</slot></place></port>"
        }
        "b" => {
            "<port><name>b</name><role>edge</role><note>second</note><place><row>2</row><slot>2</slot></place></port>"
        }
        _ => {
            "<port><name>c</name><role>edge</role><note>third</note><place><row>2</row><slot>3</slot></place></port>"
        }
    }
}

/// Returns the output for a filter within `ports`, without the elements around it.
fn in_ports(content: &str) -> String {
    let output = select(&ports(), &format!("<site xmlns='urn:site'><ports>{content}</ports></site>"));
    let inner = output.strip_prefix("<site><ports>").and_then(|rest| rest.strip_suffix("</ports></site>"));
    inner.map_or_else(|| format!("not in ports: {output}"), str::to_owned)
}

const NOTHING: &str = "not in ports: ";

//= rfc6241#6.4.2-p1
//= type=test
#[test]
fn empty_filter_selects_nothing() {
    for content in ["", " \n "] {
        assert_eq!(select(&ports(), content), "");
    }
}

//= rfc6241#6.2.4-p1
//= type=test
#[test]
fn selection_node_selects_a_subtree() {
    let all: String = ["a", "b", "c"].map(port).concat();
    let selected = select(&ports(), "<site xmlns='urn:site'><ports/></site>");
    assert_eq!(selected, format!("<site><ports>{all}</ports></site>"));
    assert_eq!(in_ports("<port/>"), all);
    assert_eq!(in_ports("<port>\n </port>"), all);
}

//= rfc6241#6.2.4-p1
//= type=test
#[test]
fn selection_node_selects_one_leaf_of_each_entry() {
    assert_eq!(
        in_ports("<port><name/></port>"),
        "<port><name>a</name></port><port><name>b</name></port><port><name>c</name></port>"
    );
}

//= rfc6241#6.2.5-p5
//= type=test
#[test]
fn keys_are_added_to_other_selected_leafs() {
    assert_eq!(
        in_ports("<port><role/></port>"),
        "<port><name>a</name><role>core</role></port><port><name>b</name><role>edge</role></port>\
         <port><name>c</name><role>edge</role></port>"
    );
}

//= rfc6241#6.2.5-p2
//= type=test
//= rfc6241#6.2.5-p6
//= type=test
#[test]
fn content_match_alone_selects_the_entry() {
    assert_eq!(in_ports("<port><name>b</name></port>"), port("b"));
    assert_eq!(in_ports("<port><name>\n b </name></port>"), port("b"));
    assert_eq!(in_ports("<port><role>edge</role></port>"), [port("b"), port("c")].concat());
    assert_eq!(in_ports("<port><name>d</name></port>"), NOTHING);
    assert_eq!(in_ports("<port><name>b c</name></port>"), NOTHING);
}

//= rfc6241#6.2.5-p3
//= type=test
#[test]
fn content_matches_are_combined_with_and() {
    assert_eq!(in_ports("<port><name>b</name><role>edge</role></port>"), port("b"));
    assert_eq!(in_ports("<port><name>a</name><role>edge</role></port>"), NOTHING);
    assert_eq!(in_ports("<port><role>edge</role><note>third</note></port>"), port("c"));
}

//= rfc6241#6.2.5-p4
//= type=test
#[test]
fn content_match_with_selection_nodes_selects_only_these() {
    assert_eq!(
        in_ports("<port><name>b</name><role/><note/></port>"),
        "<port><name>b</name><role>edge</role><note>second</note></port>"
    );
    // The content match node itself is included.
    assert_eq!(
        in_ports("<port><role>core</role><note/></port>"),
        "<port><name>a</name><role>core</role><note>first</note></port>"
    );
}

//= rfc6241#6.1-p1
//= type=test
#[test]
fn several_subtrees_are_combined_without_duplicates() {
    let filter = "<port><name>a</name><place/></port>\
        <port><name>b</name><place><slot/></place></port>\
        <port><name>c</name><role>core</role><place><row/></place></port>";
    assert_eq!(
        in_ports(filter),
        "<port><name>a</name><place><row>1</row><slot>1</slot></place></port>\
         <port><name>b</name><place><slot>2</slot></place></port>"
    );
    // The same entry by a key and by another leaf, in any order.
    for filter in [
        "<port><name>b</name><note/></port><port><role>edge</role><place><row/></place></port>",
        "<port><role>edge</role><place><row/></place></port><port><name>b</name><note/></port>",
    ] {
        assert_eq!(
            in_ports(filter),
            "<port><name>b</name><role>edge</role><note>second</note><place><row>2</row></place></port>\
             <port><name>c</name><role>edge</role><place><row>2</row></place></port>"
        );
    }
    assert_eq!(in_ports("<port><name>b</name></port><port><name>b</name><note/></port>"), port("b"));
    assert_eq!(in_ports("<port><note/></port><port/>"), ["a", "b", "c"].map(port).concat());
}

#[test]
fn entries_are_in_the_order_of_the_tree() {
    let filter = "<port><name>c</name><note/></port><port><name>a</name><note/></port>";
    assert_eq!(
        in_ports(filter),
        "<port><name>a</name><note>first</note></port><port><name>c</name><note>third</note></port>"
    );
}

//= rfc6241#6.2.3-p1
//= type=test
#[test]
fn containment_without_selected_content_is_not_included() {
    assert_eq!(in_ports("<port><none/></port>"), NOTHING);
    assert_eq!(in_ports("<port><name>b</name><none>1</none></port>"), NOTHING);
    assert_eq!(in_ports("<port><place><row>7</row></place></port>"), NOTHING);
    // A containment node whose content is not selected does not hide its siblings.
    assert_eq!(
        in_ports("<port><name>b</name><place><row>7</row></place></port>"),
        "<port><name>b</name></port>"
    );
    assert_eq!(in_ports("<port><name><deeper/></name></port>"), NOTHING);
    assert_eq!(in_ports("<port>text</port>"), NOTHING);
}

//= rfc6241#6.2.1-p1
//= type=test
#[test]
fn namespace_must_match_unless_it_is_missing() {
    let ports = ports();
    assert_eq!(select(&ports, "<site xmlns='urn:other'/>"), "");
    assert_eq!(select(&ports, "<x:other xmlns:x='urn:other'/>"), "<other><ports>1</ports></other>");
    assert_eq!(select(&ports, "<other/>"), "<other><ports>1</ports></other>");
    assert_eq!(
        select(&ports, "<site xmlns='urn:site'><tag xmlns=''>x</tag></site>"),
        select(&ports, "<site xmlns='urn:site'/>")
    );
    assert_eq!(select(&ports, "<site xmlns='urn:site'><tag xmlns='urn:x'/></site>"), "");
}

#[test]
fn only_matching_entries_of_a_leaf_list_are_included() {
    assert_eq!(
        select(&ports(), "<site xmlns='urn:site'><tag>y</tag><none/></site>"),
        "<site><tag>y</tag></site>"
    );
    assert_eq!(select(&ports(), "<site xmlns='urn:site'><tag>z</tag><ports/></site>"), "");
}

//= rfc6241#6.2.1-p2
//= type=test
//= rfc6241#6.2.2-p1
//= type=test
#[test]
fn attributes_must_match() {
    let select = |content: &str| {
        select(&ports(), &format!("<t:load xmlns:t='urn:load' xmlns:u='urn:u'>{content}</t:load>"))
    };
    assert_eq!(select("<t:link t:port='b'/>"), "<load><link><in>2</in></link></load>");
    assert_eq!(select("<t:link t:port='c'/>"), "");
    assert_eq!(select("<t:link t:port='b' u:port='b'/>"), "");
    assert_eq!(select("<t:link t:port='a'><t:in>1</t:in></t:link>"), "<load><link><in>1</in></link></load>");
    assert_eq!(select("<t:link t:port='a'><t:in t:x='1'>1</t:in></t:link>"), "");
    // The wildcard of elements does not apply to attributes.
    assert_eq!(select("<t:link port='b'/>"), "");
    assert_eq!(select("<link t:port='b'><t:in/></link>"), "<load><link><in>2</in></link></load>");
}

//= rfc6241#6.3-p1
//= type=test
#[test]
fn top_level_elements_of_one_namespace_are_one_sibling_set() {
    let tree = TestTree::new(
        "<a xmlns='urn:1'>1</a><b xmlns='urn:1'>2</b><c xmlns='urn:2'>3</c><d xmlns='urn:2'>4</d>",
        &[],
    );
    for (filter, expected) in [
        ("<a xmlns='urn:1'>1</a>", "<a>1</a><b>2</b>"),
        ("<a xmlns='urn:1'>9</a>", ""),
        ("<a xmlns='urn:1'>9</a><b xmlns='urn:1'/>", ""),
        ("<a xmlns='urn:1'>9</a><c xmlns='urn:2'/>", "<c>3</c>"),
        ("<a xmlns='urn:1'>1</a><c xmlns='urn:2'/>", "<a>1</a><b>2</b><c>3</c>"),
        ("<a xmlns='urn:1'>1</a><b xmlns='urn:1'/>", "<a>1</a><b>2</b>"),
        ("<a>1</a>", "<a>1</a><b>2</b>"),
    ] {
        assert_eq!(select(&tree, filter), expected, "{filter}");
    }
}

#[test]
fn prefixes_in_a_value_are_resolved() {
    let tree = TestTree::new("<a xmlns='urn:1'><t>{urn:2}x</t><u>{urn:1}x</u></a>", &[]);
    let all = "<a><t>{urn:2}x</t><u>{urn:1}x</u></a>";
    for (value, expected) in [("p:x", all), ("q:x", ""), ("p:y", ""), ("unbound:x", "")] {
        let filter = format!("<a xmlns='urn:1' xmlns:p='urn:2' xmlns:q='urn:1'><t>{value}</t></a>");
        assert_eq!(select(&tree, &filter), expected, "{value}");
    }
    // The default namespace has an empty prefix.
    assert_eq!(select(&tree, "<a xmlns='urn:1'><u>:x</u></a>"), all);
}

//= rfc6241#6.2.5-p1
//= type=test
#[test]
fn mixed_content_is_refused() {
    for content in ["x", "<a/>x", "<a>x<b/></a>", "<a><b/>x</a>", "<a><b>1</b>x</a>"] {
        let error = parse(content).expect_err(content);
        assert_eq!(error.tag.as_str(), "bad-element", "{content}");
    }
    for content in [" <a> <b/> </a> ", "<a>x</a> <b> y </b>"] {
        assert!(parse(content).is_ok(), "{content}");
    }
}
