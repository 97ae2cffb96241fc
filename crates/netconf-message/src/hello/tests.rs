use super::{
    Capability, ClientHello, HelloError, HelloReader, MAX_CAPABILITIES, MAX_CAPABILITY, MAX_HELLO,
    ModuleCapability, Version, write_hello,
};
use crate::names::NETCONF;

fn read(hello: &str, piece: usize) -> Result<ClientHello, HelloError> {
    let mut reader = HelloReader::default();
    for piece in hello.as_bytes().chunks(piece) {
        reader.push(piece)?;
    }
    reader.finish()
}

fn hello(capabilities: &[&str]) -> String {
    let capabilities: String =
        capabilities.iter().map(|uri| format!("<capability>{uri}</capability>")).collect();
    format!("<hello xmlns=\"{NETCONF}\"><capabilities>{capabilities}</capabilities></hello>")
}

//= rfc6241#8.1-p1
//= type=test
//= rfc6241#8.1-p2
//= type=test
#[test]
fn highest_common_version_is_used() {
    let (old, new) = ("urn:ietf:params:netconf:base:1.0", "urn:ietf:params:netconf:base:1.1");
    for (capabilities, expected) in [
        (&[old][..], Ok(Version::V1_0)),
        (&[new], Ok(Version::V1_1)),
        (&[new, old], Ok(Version::V1_1)),
        (&[old, new], Ok(Version::V1_1)),
        // Only the part before parameters counts.
        (&["urn:ietf:params:netconf:base:1.1?x=y"], Ok(Version::V1_1)),
        (&["urn:ietf:params:netconf:base:1.10"], Err(HelloError::NoCommonVersion)),
        (&["urn:ietf:params:netconf:base:1.2"], Err(HelloError::NoCommonVersion)),
        (&[], Err(HelloError::NoCommonVersion)),
    ] {
        let text = hello(capabilities);
        assert_eq!(read(&text, text.len()).map(|hello| hello.version), expected, "{capabilities:?}");
    }
}

#[test]
fn hello_of_a_client_is_read_in_any_pieces() {
    // The prefix, the line feed before the declaration and white space in texts occur in practice.
    let text = format!(
        "\n<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nc:hello xmlns:nc=\"{NETCONF}\">\n\
         <nc:capabilities>\n<nc:capability>\n urn:ietf:params:netconf:base:1.1\n</nc:capability>\
         <nc:capability>urn:x?a=1&amp;b=2</nc:capability><nc:capability/><nc:other><nc:capability>no\
         </nc:capability></nc:other></nc:capabilities><new xmlns=\"urn:y\"/></nc:hello>\n"
    );
    for piece in [1, 2, 7, text.len()] {
        let hello = read(&text, piece).unwrap();
        assert_eq!(hello.version, Version::V1_1);
        let expected: [Box<str>; 2] = ["urn:ietf:params:netconf:base:1.1".into(), "urn:x?a=1&b=2".into()];
        assert_eq!(hello.capabilities, expected);
    }
}

//= rfc6241#8.1-p4
//= type=test
#[test]
fn session_id_of_a_client_is_refused() {
    let text = hello(&["urn:ietf:params:netconf:base:1.1"]);
    let text = text.replace("</hello>", "<session-id>4</session-id></hello>");
    assert_eq!(read(&text, text.len()), Err(HelloError::SessionId));
}

#[test]
fn other_first_messages_are_refused() {
    let other_namespace = hello(&["urn:ietf:params:netconf:base:1.1"]).replace(NETCONF, "urn:x");
    for text in
        [format!("<rpc xmlns=\"{NETCONF}\" message-id=\"1\"/>"), "<hello/>".to_owned(), other_namespace]
    {
        assert_eq!(read(&text, text.len()), Err(HelloError::NotHello), "{text}");
    }
}

#[test]
fn malformed_hello_is_refused() {
    let text = hello(&[]);
    for text in ["", "x", "<hello", text.trim_end_matches("</hello>")] {
        assert!(matches!(read(text, 100), Err(HelloError::Xml(_))), "{text}");
    }
}

//= rfc6241#8-p1
//= type=test
#[test]
fn capabilities_beyond_the_limits_are_ignored() {
    let longest = format!("urn:{}", "x".repeat(MAX_CAPABILITY - 4));
    let too_long = format!("{longest}x");
    let text = hello(&[&too_long, &longest, "urn:ietf:params:netconf:base:1.0"]);
    let kept = read(&text, text.len()).unwrap().capabilities;
    assert_eq!(kept.iter().map(|uri| uri.len()).collect::<Vec<_>>(), [MAX_CAPABILITY, 32]);

    let mut many = vec!["urn:x"; MAX_CAPABILITIES];
    many.push("urn:ietf:params:netconf:base:1.1");
    let text = hello(&many);
    let hello = read(&text, text.len()).unwrap();
    assert_eq!((hello.capabilities.len(), hello.version), (MAX_CAPABILITIES, Version::V1_1));
}

#[test]
fn hello_longer_than_the_limit_is_refused() {
    let text = hello(&["urn:ietf:params:netconf:base:1.1"]);
    let longest = format!("{text}{}", " ".repeat(MAX_HELLO - text.len()));
    assert!(read(&longest, 1000).is_ok());
    assert_eq!(read(&format!("{longest} "), 1000), Err(HelloError::TooLong));
}

//= rfc6241#8.1-p3
//= type=test
#[test]
fn written_hello_contains_capabilities_and_session_id() {
    let capability = Capability {
        uri: "urn:ietf:params:netconf:capability:with-defaults:1.0",
        parameters: &[("basic-mode", "explicit"), ("also-supported", "report-all,trim")],
    };
    let octets = write_hello(["urn:ietf:params:netconf:base:1.1", &capability.to_string(), "\u{1}"], 4711);
    let expected = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<hello xmlns=\"{NETCONF}\"><capabilities>\
         <capability>urn:ietf:params:netconf:base:1.1</capability>\
         <capability>urn:ietf:params:netconf:capability:with-defaults:1.0?basic-mode=explicit&amp;\
         also-supported=report-all,trim</capability></capabilities>\
         <session-id>4711</session-id></hello>"
    );
    assert_eq!(String::from_utf8(octets).unwrap(), expected);
}

#[test]
fn capability_of_a_module_lists_only_parameters_with_values() {
    let mut module = ModuleCapability {
        namespace: "urn:example:a",
        name: "example-a",
        revision: None,
        features: &[],
        deviations: &[],
    };
    assert_eq!(module.to_string(), "urn:example:a?module=example-a");
    module.revision = Some("2026-01-31");
    module.features = &["f", "g"];
    module.deviations = &["d"];
    assert_eq!(
        module.to_string(),
        "urn:example:a?module=example-a&revision=2026-01-31&features=f,g&deviations=d"
    );
    module.namespace = "http://example.com/?a";
    assert!(module.to_string().starts_with("http://example.com/?a&module=example-a&"));
}

#[test]
fn values_of_parameters_are_escaped() {
    let capability = Capability { uri: "urn:x", parameters: &[("id", "a b&c=%\u{e9}"), ("n", "1")] };
    assert_eq!(capability.to_string(), "urn:x?id=a%20b%26c%3D%25%C3%A9&n=1");
}
