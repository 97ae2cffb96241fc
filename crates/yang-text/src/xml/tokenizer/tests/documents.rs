use super::*;

/// Documents and their events.
pub(super) const DOCUMENTS: &[(&str, &str)] = &[
    // Declarations, white space and comments around the root.
    ("<a/>", "<{}a></>"),
    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><a/>", "<{}a></>"),
    ("\n<?xml version='1.0' encoding='utf-8' standalone='yes'?>\r\n<a/>\n", "<{}a></>"),
    ("<?xml version=\"1.1\" ?><a/>", "<{}a></>"),
    ("<?xml\tversion = \"1.0\"\n?><a/>", "<{}a></>"),
    ("\u{feff}<?xml version=\"1.0\"?><a/>", "<{}a></>"),
    ("<!-- <b> & -> - ]]> \u{fffd} --><a/><!----> ", "<{}a></>"),
    // Tags.
    ("<a></a>", "<{}a></>"),
    ("<a ></a \r\n\t>", "<{}a></>"),
    ("<a  />", "<{}a></>"),
    ("<_a-1.b\u{b7}\u{e9}/>", "<{}_a-1.b\u{b7}\u{e9}></>"),
    ("<\u{10000}/>", "<{}\u{10000}></>"),
    ("<a><b><c/></b><b/></a>", "<{}a><{}b><{}c></></><{}b></></>"),
    // Attributes.
    ("<a b=\"1\" c = '2'\n d=\"'>/\" e='\"'/>", r#"<{}a {}b="1" {}c="2" {}d="'>/" {}e="\""></>"#),
    ("<a b='x\r\ny\rz\tt\nu'/>", r#"<{}a {}b="x y z t u"></>"#),
    (
        "<a b='&#13;&#10;&#9;&lt;&amp;&quot;&apos;&gt;&#x1F600;'/>",
        "<{}a {}b=\"\\r\\n\\t<&\\\"'>\u{1f600}\"></>",
    ),
    ("<a b=''/>", r#"<{}a {}b=""></>"#),
    // Texts.
    ("<a>x</a>", "<{}a>x</>"),
    ("<a> \n x</a>", "<{}a> \\n x</>"),
    ("<a>x<!-- y -->z</a>", "<{}a>xz</>"),
    ("<a>1\r\n2\r3\n4\r\r\n5\r</a>", "<{}a>1\\n2\\n3\\n4\\n\\n5\\n</>"),
    ("<a>\r&#10;\r<b/>\n</a>", "<{}a>\\n\\n\\n<{}b></>\\n</>"),
    ("<a>&lt;&amp;&gt;&quot;&apos;&#65;&#x42;&#x10ffff;&#13;</a>", "<{}a><&>\\\"\\'AB\\u{10ffff}\\r</>"),
    ("<a>]]&gt; ]] > ] ]></a>", "<{}a>]]> ]] > ] ]></>"),
    ("<a>]]<!---->></a>", "<{}a>]]></>"),
    ("<a>]&#93;></a>", "<{}a>]]></>"),
    (
        "<a>\u{fffd}\u{ff5d}\u{7f}\u{85}\u{d7ff}\u{e000}\t</a>",
        "<{}a>\u{fffd}\u{ff5d}\\u{7f}\\u{85}\\u{d7ff}\\u{e000}\\t</>",
    ),
    ("<a>é€\u{1f600}</a>", "<{}a>é€\u{1f600}</>"),
    // CDATA sections.
    ("<a><![CDATA[]]></a>", "<{}a></>"),
    ("<a>1<![CDATA[<b>&amp;\r\n]]>2</a>", "<{}a>1<b>&amp;\\n2</>"),
    ("<a><![CDATA[]]]]><![CDATA[>]]>]]]]</a>", "<{}a>]]>]]]]</>"),
    ("<a><![CDATA[]>]]x]]]></a>", "<{}a>]>]]x]</>"),
    ("<a>]]<![CDATA[>\r]]>\n</a>", "<{}a>]]>\\n\\n</>"),
    // Namespaces.
    ("<a xmlns='u'><b/><c xmlns=''><d/></c></a>", "<{u}a><{u}b></><{}c><{}d></></></>"),
    ("<p:a xmlns:p='u' p:b='1' b='2'/>", r#"<{u}a {u}b="1" {}b="2"></>"#),
    ("<a xmlns='u' b='1'/>", r#"<{u}a {}b="1"></>"#),
    ("<a xmlns:p='u'><p:b xmlns:p='v'/><p:b/></a>", "<{}a><{v}b></><{u}b></></>"),
    ("<a p:b='1' xmlns:p='&lt;'/>", r#"<{}a {<}b="1"></>"#),
    ("<a xml:lang='en'/>", r#"<{}a {http://www.w3.org/XML/1998/namespace}lang="en"></>"#),
    ("<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>", "<{}a></>"),
    ("<a xmlnsx='1'/>", r#"<{}a {}xmlnsx="1"></>"#),
];

#[test]
fn tokenizer_reports_events_of_well_formed_documents() {
    for (document, events) in DOCUMENTS {
        assert_eq!(trace_whole(document), ((*events).to_owned(), None), "{document:?}");
    }
}

#[test]
fn scope_resolves_prefixes_of_the_element_until_its_end() {
    let document = "<a xmlns='u' xmlns:p='v'><b xmlns:p='w' xmlns:q='x' xmlns=''>t</b></a>";
    let (mut tokenizer, mut octets, mut scopes) = (Tokenizer::new(), document.as_bytes(), Vec::new());
    while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
        if let Event::Start(Start { scope, .. }) | Event::End(End { scope, .. }) = event {
            let bindings: Vec<_> = scope.bindings().map(|(prefix, uri)| format!("{prefix}={uri}")).collect();
            let found = ["", "p", "q", "r"].map(|prefix| scope.resolve(prefix).unwrap_or("-")).join(" ");
            scopes.push((bindings.join(" "), found));
        }
    }
    let outer = ("=u p=v".to_owned(), "u v - -".to_owned());
    let inner = ("p=w q=x".to_owned(), "- w x -".to_owned());
    assert_eq!(scopes, [outer.clone(), inner.clone(), inner, outer]);
}

#[test]
fn prefix_of_element_and_attribute_is_reported_as_written() {
    let (mut tokenizer, mut octets) = (Tokenizer::new(), &b"<p:a xmlns:p='u' xmlns:q='u' q:b=''/>"[..]);
    let Some(Event::Start(start)) = tokenizer.next_event(&mut octets).unwrap() else { panic!() };
    assert_eq!((start.prefix, start.attributes.len()), ("p", 1));
    assert_eq!(start.attributes.iter().next().unwrap().prefix, "q");
}

#[test]
fn tokenizer_reads_another_document_after_reset() {
    let mut tokenizer = Tokenizer::new();
    for document in [&b"<a xmlns:p='u'><b>text &a"[..], b"<a>\xff", b"\xef\xbb", b"<p:a xmlns:p='v'>]</p:a>"]
    {
        tokenizer.reset();
        let (mut octets, mut events) = (document, String::new());
        while let Ok(Some(event)) = tokenizer.next_event(&mut octets) {
            append_event(event, &mut events);
        }
        if document.ends_with(b"</p:a>") {
            tokenizer.finish().unwrap();
            assert_eq!(events, "<{v}a>]</>");
        }
    }
}
