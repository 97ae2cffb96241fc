use portreeve_yang_text::xml::{Event, NcName, Tokenizer, Writer};

use super::ReplyTag;
use crate::names::{NETCONF, NETCONF_TEXT};

/// Returns the reply to `rpc` with an `ok` element.
fn reply(rpc: &str) -> String {
    let mut tokenizer = Tokenizer::new();
    let mut octets = rpc.as_bytes();
    let Some(Event::Start(start)) = tokenizer.next_event(&mut octets).unwrap() else { panic!("{rpc}") };
    let tag = ReplyTag::of_request(start);
    let mut writer = Writer::new();
    tag.write(&mut writer);
    writer.start(NETCONF_TEXT, NcName::from_static("ok"));
    writer.end();
    writer.end();
    String::from_utf8(writer.output().to_vec()).unwrap()
}

//= rfc6241#4.1-p2
//= type=test
#[test]
fn attributes_and_prefixes_of_the_request_are_returned() {
    for (rpc, expected) in [
        (
            format!("<rpc xmlns='{NETCONF}' message-id='101'>"),
            format!("<rpc-reply xmlns=\"{NETCONF}\" message-id=\"101\"><ok/></rpc-reply>"),
        ),
        (
            format!("<rpc message-id='1' xmlns='{NETCONF}' xmlns:ex='urn:ex' ex:user-id='fred' b=''>"),
            format!(
                "<rpc-reply xmlns=\"{NETCONF}\" xmlns:ex=\"urn:ex\" message-id=\"1\" \
                 ex:user-id=\"fred\" b=\"\"><ok/></rpc-reply>"
            ),
        ),
        (
            format!("<nc:rpc xmlns:nc='{NETCONF}' message-id='1'>"),
            format!(
                "<rpc-reply xmlns=\"{NETCONF}\" xmlns:nc=\"{NETCONF}\" message-id=\"1\"><ok/></rpc-reply>"
            ),
        ),
        (
            format!("<nc:rpc xmlns='urn:d' xmlns:nc='{NETCONF}' message-id='1'>"),
            format!(
                "<nc:rpc-reply xmlns=\"urn:d\" xmlns:nc=\"{NETCONF}\" message-id=\"1\">\
                 <ok xmlns=\"{NETCONF}\"/></nc:rpc-reply>"
            ),
        ),
    ] {
        assert_eq!(reply(&rpc), expected, "{rpc}");
    }
}

#[test]
fn returned_values_cannot_end_the_message_or_the_tag() {
    let rpc = format!("<rpc xmlns='{NETCONF}' message-id=']]&gt;]]&gt;\"&lt;&amp;&#10;'>");
    assert_eq!(
        reply(&rpc),
        format!(
            "<rpc-reply xmlns=\"{NETCONF}\" message-id=\"]]&gt;]]&gt;&quot;&lt;&amp;&#10;\"><ok/></rpc-reply>"
        )
    );
}

#[test]
fn reply_without_request_has_no_attributes() {
    let mut writer = Writer::new();
    ReplyTag::default().write(&mut writer);
    writer.end();
    assert_eq!(writer.output(), format!("<rpc-reply xmlns=\"{NETCONF}\"/>").as_bytes());
}
