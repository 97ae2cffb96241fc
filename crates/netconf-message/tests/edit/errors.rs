//! The complete errors for content that a server refuses (RFC 6241 Appendix A, RFC 7950 §8.3.1).

use portreeve_netconf_message::rpc_error::RpcError;
use portreeve_yang::{Entry, InstancePath, NodeId};
use portreeve_yang_tree::{Fault, FaultReason};

use crate::device::{Device, schema, written};

/// Returns the `rpc-error` for an edit of a device with one berth.
fn refusal(config: &str) -> String {
    let mut device = Device::new("<harbor><berth><name>a</name></berth></harbor>");
    device.protected = "pilot";
    device.edit("", config).expect_err(config)
}

/// Returns the `rpc-error` with these parts.
fn error(tag: &str, app_tag: &str, path: &str, message: &str, info: &str) -> String {
    let optional = |name: &str, text: &str| match text {
        "" => String::new(),
        text => format!("<{name}>{text}</{name}>"),
    };
    let declarations = match path {
        "/" => String::new(),
        path if path.contains("l:") => " xmlns:h=\"urn:harbor\" xmlns:l=\"urn:lights\"".to_owned(),
        _ => " xmlns:h=\"urn:harbor\"".to_owned(),
    };
    format!(
        "<rpc-error><error-type>application</error-type><error-tag>{tag}</error-tag>\
         <error-severity>error</error-severity>{}<error-path{declarations}>{path}</error-path>\
         <error-message xml:lang=\"en\">{message}</error-message>{}</rpc-error>",
        optional("error-app-tag", app_tag),
        optional("error-info", info),
    )
}

fn element(name: &str) -> String {
    format!("<bad-element xmlns:bad=\"urn:harbor\">bad:{name}</bad-element>")
}

fn attribute(name: &str, on: &str) -> String {
    format!("<bad-attribute>{name}</bad-attribute>{}", element(on))
}

fn yang_attribute(name: &str, on: &str) -> String {
    let namespace = "urn:ietf:params:xml:ns:yang:1";
    format!("<bad-attribute xmlns:bad=\"{namespace}\">bad:{name}</bad-attribute>{}", element(on))
}

/// A request, and the tag, app-tag, path, message and information of its error.
type Case = (&'static str, &'static str, &'static str, &'static str, &'static str, String);

fn check(cases: &[Case]) {
    for (content, tag, app_tag, path, message, info) in cases {
        assert_eq!(refusal(content), error(tag, app_tag, path, message, info), "{content}");
    }
}

//= rfc7950#8.3.1-p1
//= type=test
//= rfc7950#8.3.1-p4
//= type=test
#[test]
fn elements_that_do_not_fit_are_refused() {
    let unknown = |name: &str, namespace: &str| {
        format!(
            "<bad-element xmlns:bad=\"{namespace}\">bad:{name}</bad-element><bad-namespace>{namespace}</bad-namespace>"
        )
    };
    check(&[
        (
            "<q:x/>",
            "unknown-namespace",
            "",
            "/",
            "no module has the namespace \"urn:q\"",
            unknown("x", "urn:q"),
        ),
        ("<pier/>", "unknown-element", "", "/", "no node \"pier\" is defined here", element("pier")),
        (
            "<harbor><color/></harbor>",
            "unknown-element",
            "",
            "/h:harbor",
            "no node \"color\" is defined here",
            element("color"),
        ),
        (
            "<harbor><l:color><x/></l:color></harbor>",
            "unknown-element",
            "",
            "/h:harbor/l:color",
            "no node \"x\" is defined here",
            element("x"),
        ),
        (
            "<harbor><tide>1</tide></harbor>",
            "unknown-element",
            "",
            "/h:harbor/h:tide",
            "the node is not configuration",
            element("tide"),
        ),
        (
            "<harbor><note><x/></note></harbor>",
            "operation-not-supported",
            "",
            "/h:harbor/h:note",
            "anydata and anyxml are not supported",
            String::new(),
        ),
        (
            "text",
            "bad-element",
            "",
            "/",
            "text beside elements, in a node that is not a leaf",
            "<bad-element>config</bad-element>".to_owned(),
        ),
        (
            "<harbor>text</harbor>",
            "bad-element",
            "",
            "/h:harbor",
            "text beside elements, in a node that is not a leaf",
            element("harbor"),
        ),
        (
            "<harbor><berth><name>a</name><depth>256</depth></berth></harbor>",
            "invalid-value",
            "",
            "/h:harbor/h:berth[h:name='a']/h:depth",
            "number out of range",
            String::new(),
        ),
        (
            "<harbor><berth><name>quay four</name></berth></harbor>",
            "invalid-value",
            "name",
            "/h:harbor/h:berth/h:name",
            "at most 8 characters",
            String::new(),
        ),
    ]);
}

//= rfc7950#8.3.1-p2
//= type=test
//= rfc7950#8.3.1-p5
//= type=test
//= rfc7950#8.3.1-p6
//= type=test
//= rfc7950#15.7-p1
//= type=test
#[test]
fn entries_and_attributes_that_do_not_fit_are_refused() {
    check(&[
        (
            "<harbor><berth><depth>1</depth></berth></harbor>",
            "missing-element",
            "",
            "/h:harbor/h:berth",
            "the list entry lacks a key",
            element("name"),
        ),
        (
            "<harbor x='1'/>",
            "unknown-attribute",
            "",
            "/h:harbor",
            "unknown attribute \"x\"",
            attribute("x", "harbor"),
        ),
        (
            "<harbor operation='x'/>",
            "bad-attribute",
            "",
            "/h:harbor",
            "wrong value or use of attribute \"operation\"",
            attribute("operation", "harbor"),
        ),
        (
            "<harbor><berth y:insert='last'><name>a</name></berth></harbor>",
            "unknown-attribute",
            "",
            "/h:harbor/h:berth",
            "unknown attribute \"insert\"",
            yang_attribute("insert", "berth"),
        ),
        (
            "<harbor><mooring y:insert='after'><id>1</id></mooring></harbor>",
            "missing-attribute",
            "",
            "/h:harbor/h:mooring",
            "missing attribute \"key\"",
            yang_attribute("key", "mooring"),
        ),
        (
            "<harbor><mooring y:insert='after' y:key=\"[h:id='x']\"><id>1</id></mooring></harbor>",
            "bad-attribute",
            "",
            "/h:harbor/h:mooring",
            "wrong value or use of attribute \"key\"",
            yang_attribute("key", "mooring"),
        ),
        (
            "<harbor><mooring y:insert='after' y:key=\"[h:id='9']\"><id>1</id></mooring></harbor>",
            "bad-attribute",
            "missing-instance",
            "/h:harbor/h:mooring[h:id='1']",
            "the entry before or after which it is inserted does not exist",
            yang_attribute("insert", "mooring"),
        ),
    ]);
}

#[test]
fn edits_that_the_editor_refuses_have_the_path_of_the_instance() {
    check(&[
        (
            "<harbor><berth operation='create'><name>a</name></berth></harbor>",
            "data-exists",
            "",
            "/h:harbor/h:berth[h:name='a']",
            "the node exists already",
            String::new(),
        ),
        (
            "<harbor><berth operation='delete'><name>it's</name></berth></harbor>",
            "data-missing",
            "",
            "/h:harbor/h:berth[h:name=\"it's\"]",
            "the node does not exist",
            String::new(),
        ),
        (
            "<harbor><berth><name operation='delete'>a</name></berth></harbor>",
            "bad-attribute",
            "",
            "/h:harbor/h:berth/h:name",
            "a key cannot be removed from its list entry",
            format!("<bad-attribute>operation</bad-attribute>{}", element("name")),
        ),
        (
            "<harbor><berth><name>a</name><fuel>x</fuel><voltage>1</voltage></berth></harbor>",
            "bad-element",
            "",
            "/h:harbor/h:berth[h:name='a']/h:voltage",
            "the nodes belong to different cases of one choice",
            element("voltage"),
        ),
        (
            "<harbor><pilot>x</pilot></harbor>",
            "access-denied",
            "",
            "/h:harbor/h:pilot[.='x']",
            "the change is not permitted",
            String::new(),
        ),
    ]);
}

//= rfc7950#15.1-p1
//= type=test
//= rfc7950#15.2-p1
//= type=test
//= rfc7950#15.3-p1
//= type=test
//= rfc7950#15.5-p1
//= type=test
//= rfc7950#15.6-p1
//= type=test
#[test]
fn faults_of_a_configuration_have_the_tags_of_yang() {
    let schema = schema();
    let module = schema.module_by_name("harbor").unwrap();
    let child = |parent, name| schema.data_child(parent, module, name).unwrap();
    let harbor = child(NodeId::ROOT, "harbor");
    let berth = child(harbor, "berth");
    let power = schema.child(berth, module, "power").unwrap();
    let mut path = InstancePath::new();
    path.push(harbor, Entry::All);
    path.push(berth, Entry::Keys(vec!["a".into()]));
    let entry = "/h:harbor/h:berth[h:name='a']";
    let non_unique = |leaf: &str| {
        format!(
            "<non-unique xmlns=\"urn:ietf:params:xml:ns:yang:1\" xmlns:h=\"urn:harbor\">{entry}/{leaf}</non-unique>"
        )
    };
    let choice = "<missing-choice xmlns=\"urn:ietf:params:xml:ns:yang:1\">power</missing-choice>";
    for (reason, tag, app_tag, message, info) in [
        (FaultReason::MandatoryMissing, "data-missing", "", "a mandatory node is missing", String::new()),
        (
            FaultReason::ChoiceMissing(power),
            "data-missing",
            "missing-choice",
            "no case of the mandatory choice \"power\" exists",
            choice.to_owned(),
        ),
        (
            FaultReason::SeveralCases(power),
            "bad-element",
            "",
            "nodes of several cases of the choice \"power\" exist",
            element("berth"),
        ),
        (
            FaultReason::TooFewElements,
            "operation-failed",
            "too-few-elements",
            "the list has too few entries",
            String::new(),
        ),
        (
            FaultReason::TooManyElements,
            "operation-failed",
            "too-many-elements",
            "the list has too many entries",
            String::new(),
        ),
        (
            FaultReason::NotUnique(0),
            "operation-failed",
            "data-not-unique",
            "another entry of the list has the same values",
            non_unique("h:depth") + &non_unique("h:owner/h:code"),
        ),
        (
            FaultReason::InstanceRequired,
            "data-missing",
            "instance-required",
            "the instance to which the value refers does not exist",
            String::new(),
        ),
    ] {
        let fault = Fault { reason, path: path.clone() };
        let found = written(&RpcError::of_fault(&fault, &schema));
        assert_eq!(found, error(tag, app_tag, entry, message, &info), "{reason:?}");
    }
}
