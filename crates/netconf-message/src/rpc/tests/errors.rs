use super::super::{MAX_MESSAGE_ID, MAX_PARAMETER};
use super::{operation, read, refusal};
use crate::names::{NETCONF, NETCONF_MONITORING, WITH_DEFAULTS};

/// Returns an error with its type, tag and the elements of `error-info`.
fn summary(content: &str) -> String {
    let message = format!("<rpc xmlns=\"{NETCONF}\" message-id=\"1\">{content}</rpc>");
    let reply = refusal(&message);
    let part = |element: &str| {
        let (_, rest) = reply.split_once(&format!("<{element}>")).unwrap_or_default();
        rest.split_once(&format!("</{element}>")).unwrap_or_default().0.to_owned()
    };
    format!("{} {} {}", part("error-type"), part("error-tag"), part("error-info"))
}

//= rfc6241#4.1-p1
//= type=test
#[test]
fn missing_message_id_is_reported_with_all_other_attributes() {
    // The reply of RFC 6241 §4.3.
    assert_eq!(
        refusal(&format!(
            "<rpc xmlns='{NETCONF}' a='b'><get-config><source><running/></source></get-config></rpc>"
        )),
        "<rpc-reply a=\"b\"><rpc-error><error-type>rpc</error-type><error-tag>missing-attribute</error-tag>\
         <error-severity>error</error-severity><error-info><bad-attribute>message-id</bad-attribute>\
         <bad-element>rpc</bad-element></error-info></rpc-error></rpc-reply>"
    );
}

#[test]
fn message_id_has_at_most_4095_characters() {
    for (length, is_valid) in [(MAX_MESSAGE_ID, true), (MAX_MESSAGE_ID + 1, false)] {
        let id = "\u{e9}".repeat(length);
        let rpc = read(&format!("<rpc xmlns='{NETCONF}' message-id='{id}'><get/></rpc>")).0;
        assert_eq!(rpc.operation.is_ok(), is_valid);
        if let Err(error) = rpc.operation {
            assert_eq!((error.error_type.as_str(), error.tag.as_str()), ("rpc", "bad-attribute"));
        }
    }
}

//= rfc6241#7.1-p1
//= type=test
//= rfc6241#7.3-p1
//= type=test
//= rfc6241#7.4-p1
//= type=test
#[test]
fn each_mistake_has_its_error() {
    let edit = |rest: &str| format!("<edit-config><target><running/></target>{rest}</edit-config>");
    let element = |name: &str| format!("<bad-element>{name}</bad-element>");
    let attribute = |name: &str, on: &str| format!("<bad-attribute>{name}</bad-attribute>{}", element(on));
    let foreign = |name: &str, namespace: &str| {
        format!(
            "<bad-element xmlns:bad=\"{namespace}\">bad:{name}</bad-element>\
             <bad-namespace>{namespace}</bad-namespace>"
        )
    };
    for (content, expected) in [
        // Messages and operations.
        (String::new(), format!("protocol missing-element {}", element("rpcOperation"))),
        ("text".to_owned(), format!("protocol bad-element {}", element("rpc"))),
        ("<get/><get/>".to_owned(), format!("protocol unknown-element {}", element("get"))),
        ("<none/>".to_owned(), "protocol operation-not-supported ".to_owned()),
        ("<get xmlns='urn:x'/>".to_owned(), "protocol operation-not-supported ".to_owned()),
        ("<get-schema/>".to_owned(), "protocol operation-not-supported ".to_owned()),
        ("<cancel-commit/>".to_owned(), "protocol operation-not-supported ".to_owned()),
        ("<get a=''/>".to_owned(), format!("protocol unknown-attribute {}", attribute("a", "get"))),
        // Parameters.
        ("<get>x</get>".to_owned(), format!("protocol bad-element {}", element("get"))),
        ("<get><source/></get>".to_owned(), format!("protocol unknown-element {}", element("source"))),
        (
            "<get><filter xmlns='urn:x'/></get>".to_owned(),
            format!("protocol unknown-namespace {}", foreign("filter", "urn:x")),
        ),
        ("<get><filter/><filter/></get>".to_owned(), format!("protocol bad-element {}", element("filter"))),
        (
            "<get><filter type='xpath' select='/'/></get>".to_owned(),
            format!("protocol bad-attribute {}", attribute("type", "filter")),
        ),
        (
            "<get><filter select='/' type='xpath'/></get>".to_owned(),
            format!("protocol bad-attribute {}", attribute("type", "filter")),
        ),
        (
            "<get><filter type='subtree' select='/'/></get>".to_owned(),
            format!("protocol unknown-attribute {}", attribute("select", "filter")),
        ),
        (
            "<get><filter a=''/></get>".to_owned(),
            format!("protocol unknown-attribute {}", attribute("a", "filter")),
        ),
        ("<get><filter>x</filter></get>".to_owned(), format!("protocol bad-element {}", element("filter"))),
        (
            "<get><filter><a>x<b/></a></filter></get>".to_owned(),
            format!("protocol bad-element {}", element("a")),
        ),
        (
            "<get><filter><a><b/>x</a></filter></get>".to_owned(),
            format!("protocol bad-element {}", element("a")),
        ),
        (
            format!("<get><with-defaults xmlns='{WITH_DEFAULTS}'>all</with-defaults></get>"),
            "protocol invalid-value ".to_owned(),
        ),
        (
            "<get><with-defaults>trim</with-defaults></get>".to_owned(),
            format!("protocol unknown-element {}", element("with-defaults")),
        ),
        ("<get-config/>".to_owned(), format!("protocol missing-element {}", element("source"))),
        (
            "<get-config><source/></get-config>".to_owned(),
            format!("protocol missing-element {}", element("source")),
        ),
        (
            "<get-config><source><startup/></source></get-config>".to_owned(),
            format!("protocol unknown-element {}", element("startup")),
        ),
        (
            "<get-config><source><url>x</url></source></get-config>".to_owned(),
            format!("protocol unknown-element {}", element("url")),
        ),
        (
            "<get-config><source><config/></source></get-config>".to_owned(),
            format!("protocol unknown-element {}", element("config")),
        ),
        (
            "<get-config><source>running</source></get-config>".to_owned(),
            format!("protocol bad-element {}", element("source")),
        ),
        (
            "<get-config><source><running>x</running></source></get-config>".to_owned(),
            "protocol invalid-value ".to_owned(),
        ),
        (
            "<get-config><source><running><a/></running></source></get-config>".to_owned(),
            format!("protocol unknown-element {}", element("a")),
        ),
        (
            "<get-config><source><running/><candidate/></source></get-config>".to_owned(),
            format!("protocol bad-element {}", element("candidate")),
        ),
        (
            "<get-config><source a=''><running/></source></get-config>".to_owned(),
            format!("protocol unknown-attribute {}", attribute("a", "source")),
        ),
        (
            "<edit-config><config/></edit-config>".to_owned(),
            format!("protocol missing-element {}", element("target")),
        ),
        (edit(""), format!("protocol missing-element {}", element("config"))),
        (edit("<url>x</url>"), format!("protocol unknown-element {}", element("url"))),
        (
            edit("<default-operation>create</default-operation><config/>"),
            "protocol invalid-value ".to_owned(),
        ),
        (edit("<test-option/><config/>"), "protocol invalid-value ".to_owned()),
        (
            edit("<error-option>stop<a/></error-option><config/>"),
            format!("protocol unknown-element {}", element("a")),
        ),
        (edit("<config><refused/></config>"), "application data-exists ".to_owned()),
        (
            "<copy-config><target><running/></target></copy-config>".to_owned(),
            format!("protocol missing-element {}", element("source")),
        ),
        (
            "<copy-config><target><config/></target></copy-config>".to_owned(),
            format!("protocol unknown-element {}", element("config")),
        ),
        (
            "<copy-config><target><running/></target><source><running/></source></copy-config>".to_owned(),
            "protocol invalid-value ".to_owned(),
        ),
        ("<delete-config/>".to_owned(), format!("protocol missing-element {}", element("target"))),
        (
            "<delete-config><target><running/></target></delete-config>".to_owned(),
            format!("protocol unknown-element {}", element("running")),
        ),
        ("<lock/>".to_owned(), format!("protocol missing-element {}", element("target"))),
        ("<kill-session/>".to_owned(), format!("protocol missing-element {}", element("session-id"))),
        (
            "<kill-session><session-id>0</session-id></kill-session>".to_owned(),
            "protocol invalid-value ".to_owned(),
        ),
        (
            "<kill-session><session-id>4294967296</session-id></kill-session>".to_owned(),
            "protocol invalid-value ".to_owned(),
        ),
        (
            "<commit><confirmed/></commit>".to_owned(),
            format!("protocol unknown-element {}", element("confirmed")),
        ),
        (
            format!("<get-schema xmlns='{NETCONF_MONITORING}'/>"),
            format!(
                "protocol missing-element <bad-element xmlns:bad=\"{NETCONF_MONITORING}\">bad:identifier</bad-element>"
            ),
        ),
        (
            format!(
                "<get-schema xmlns='{NETCONF_MONITORING}'><identifier>a</identifier><format>yin</format></get-schema>"
            ),
            "protocol invalid-value ".to_owned(),
        ),
        (
            format!(
                "<get-schema xmlns='{NETCONF_MONITORING}'><identifier>a</identifier><format>x:yang</format></get-schema>"
            ),
            "protocol invalid-value ".to_owned(),
        ),
    ] {
        assert_eq!(summary(&content), expected, "{content}");
    }
}

#[test]
fn other_documents_than_requests_are_reported() {
    for (message, tag) in [
        (format!("<hello xmlns='{NETCONF}'/>"), "unknown-element"),
        ("<rpc message-id='1'><get/></rpc>".to_owned(), "unknown-namespace"),
        ("<rpc xmlns='urn:x' message-id='1'><get/></rpc>".to_owned(), "unknown-namespace"),
    ] {
        assert_eq!(read(&message).0.operation.unwrap_err().tag.as_str(), tag, "{message}");
    }
}

#[test]
fn request_without_the_namespace_gets_its_attributes_back() {
    for (root, attributes) in [
        ("rpc message-id='7'", " message-id=\"7\""),
        (
            "x:rpc xmlns:x='urn:x' xmlns='urn:y' message-id='7' x:a='b'",
            " message-id=\"7\" xmlns:x=\"urn:x\" x:a=\"b\"",
        ),
    ] {
        let name = root.split(' ').next().unwrap();
        let reply = refusal(&format!("<{root}><get/></{name}>"));
        assert!(reply.starts_with(&format!("<rpc-reply{attributes}><rpc-error>")), "{reply}");
    }
}

#[test]
fn only_the_first_error_is_reported() {
    assert_eq!(
        summary("<get><a/><b/></get><none/>"),
        "protocol unknown-element <bad-element>a</bad-element>"
    );
}

#[test]
fn white_space_around_a_value_does_not_count_however_long() {
    let space = " \n".repeat(MAX_PARAMETER);
    let kill =
        |text: &str| operation(&format!("<kill-session><session-id>{text}</session-id></kill-session>"));
    assert!(kill(&format!("{space}1{space}")).is_ok());
    assert!(kill(&format!("{space}1{space}1{space}")).is_err());
    let schema = |length: usize| {
        operation(&format!(
            "<get-schema xmlns='{NETCONF_MONITORING}'><identifier>{}</identifier></get-schema>",
            "x".repeat(length)
        ))
    };
    assert!(schema(MAX_PARAMETER).is_ok());
    assert!(schema(MAX_PARAMETER + 1).is_err());
}
