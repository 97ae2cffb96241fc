use portreeve_yang_text::xml::Writer;

use super::{ErrorInfo, ErrorPath, ErrorTag, ErrorType, RpcError, Severity};
use crate::names::{NETCONF, QualifiedName};

fn written(error: &RpcError) -> String {
    let mut writer = Writer::new();
    error.write(&mut writer);
    let text = String::from_utf8(writer.output().to_vec()).unwrap();
    text.replace(&format!(" xmlns=\"{NETCONF}\""), "")
}

fn name(namespace: &str, local: &str) -> QualifiedName {
    QualifiedName { namespace: namespace.into(), local: local.into() }
}

#[test]
fn error_without_details_has_three_elements() {
    assert_eq!(
        written(&RpcError::new(ErrorType::Application, ErrorTag::DataMissing)),
        "<rpc-error><error-type>application</error-type><error-tag>data-missing</error-tag>\
         <error-severity>error</error-severity></rpc-error>"
    );
}

//= rfc6241#4.3-p1
//= type=test
#[test]
fn all_elements_are_written_in_the_order_of_the_schema() {
    let mut error = RpcError::new(ErrorType::Application, ErrorTag::InvalidValue)
        .with_app_tag("too-long")
        .with_path(ErrorPath {
            xpath: "/t:top/t:mtu[t:name='<']".to_owned(),
            prefixes: vec![("t".to_owned(), "urn:t".to_owned())],
        })
        .with_message("25000 > 9192");
    error.severity = Severity::Warning;
    error.info = vec![ErrorInfo::SessionId(0), ErrorInfo::MissingChoice("how".into())];
    assert_eq!(
        written(&error),
        "<rpc-error><error-type>application</error-type><error-tag>invalid-value</error-tag>\
         <error-severity>warning</error-severity><error-app-tag>too-long</error-app-tag>\
         <error-path xmlns:t=\"urn:t\">/t:top/t:mtu[t:name='&lt;']</error-path>\
         <error-message xml:lang=\"en\">25000 &gt; 9192</error-message>\
         <error-info><session-id>0</session-id>\
         <missing-choice xmlns=\"urn:ietf:params:xml:ns:yang:1\">how</missing-choice></error-info>\
         </rpc-error>"
    );
}

//= rfc6241#A-p1
//= type=test
#[test]
fn each_constructor_adds_the_information_that_its_tag_demands() {
    let (attribute, element) = (|| name("", "a"), || name(NETCONF, "e"));
    let both = "<error-info><bad-attribute>a</bad-attribute><bad-element>e</bad-element></error-info>";
    let one = "<error-info><bad-element>e</bad-element></error-info>";
    for (error, tag, info) in [
        (
            RpcError::missing_attribute(ErrorType::Protocol, attribute(), element()),
            "missing-attribute",
            both.to_owned(),
        ),
        (
            RpcError::bad_attribute(ErrorType::Protocol, attribute(), element()),
            "bad-attribute",
            both.to_owned(),
        ),
        (
            RpcError::unknown_attribute(ErrorType::Protocol, attribute(), element()),
            "unknown-attribute",
            both.to_owned(),
        ),
        (RpcError::missing_element(ErrorType::Protocol, element()), "missing-element", one.to_owned()),
        (RpcError::bad_element(ErrorType::Protocol, element()), "bad-element", one.to_owned()),
        (RpcError::unknown_element(ErrorType::Protocol, element()), "unknown-element", one.to_owned()),
        (
            RpcError::unknown_namespace(ErrorType::Protocol, name("urn:&", "e")),
            "unknown-namespace",
            "<error-info><bad-element xmlns:bad=\"urn:&amp;\">bad:e</bad-element>\
             <bad-namespace>urn:&amp;</bad-namespace></error-info>"
                .to_owned(),
        ),
        (
            RpcError::lock_denied(454),
            "lock-denied",
            "<error-info><session-id>454</session-id></error-info>".to_owned(),
        ),
        (RpcError::malformed_message(), "malformed-message", String::new()),
    ] {
        let error_type = error.error_type.as_str();
        assert_eq!(
            written(&error),
            format!(
                "<rpc-error><error-type>{error_type}</error-type><error-tag>{tag}</error-tag>\
                 <error-severity>error</error-severity>{info}</rpc-error>"
            )
        );
    }
}

#[test]
fn characters_that_xml_cannot_contain_are_replaced() {
    let error = RpcError::new(ErrorType::Rpc, ErrorTag::OperationFailed).with_message("a\u{0}b<\u{ffff}");
    assert!(
        written(&error).contains("<error-message xml:lang=\"en\">a\u{fffd}b&lt;\u{fffd}</error-message>")
    );
}
