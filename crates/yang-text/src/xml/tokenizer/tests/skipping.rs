use super::*;

/// Returns the names of the elements that start, skipping each element named `skip` at its start,
/// and the rest of each element that contains an empty element `rest`.
fn starts_without_skipped(document: &str, chunk: usize) -> String {
    let (mut tokenizer, mut starts) = (Tokenizer::new(), String::new());
    let mut after_rest = false;
    for mut octets in document.as_bytes().chunks(chunk) {
        loop {
            let name = match tokenizer.next_event(&mut octets).unwrap() {
                None => break,
                Some(Event::Start(start)) => start.name.local.to_owned(),
                Some(Event::Text(text)) => text.to_owned(),
                Some(Event::End(_)) => {
                    if std::mem::take(&mut after_rest) {
                        tokenizer.skip_element();
                    }
                    "/".to_owned()
                }
            };
            after_rest |= name == "rest";
            starts.push_str(&name);
            if name == "skip" {
                tokenizer.skip_element();
            }
        }
    }
    tokenizer.finish().unwrap();
    starts
}

#[test]
fn skipped_element_causes_no_event_and_its_end_neither() {
    let cases = [
        ("<a><skip/><b/></a>", "askipb//"),
        ("<a><skip></skip>1</a>", "askip1/"),
        ("<a><skip x='1'>2<skip>3</skip><c/>&amp;<![CDATA[4]]]]></skip>5</a>", "askip5/"),
        ("<skip><a/></skip>", "skip"),
        ("<a><b><rest/>1<c>2</c></b>3</a>", "abrest/3/"),
        ("<a><rest/></a>", "arest/"),
    ];
    for (document, starts) in cases {
        for chunk in [1, 2, 3, 100] {
            assert_eq!(starts_without_skipped(document, chunk), starts, "{document:?}");
        }
    }
}

#[test]
fn skipped_element_is_still_checked() {
    for document in ["<b></c>", "<b x='1' x='2'>", "&unknown;", "\u{1}", "<p:b>", "<!D", "]]>"] {
        let document = format!("<a>{document}");
        let (mut tokenizer, mut octets) = (Tokenizer::new(), document.as_bytes());
        tokenizer.next_event(&mut octets).unwrap().unwrap();
        tokenizer.skip_element();
        let error = tokenizer.next_event(&mut octets).map(|_| ()).unwrap_err();
        assert_eq!(Some(error), trace_whole(&document).1, "{document:?}");
    }
}

#[test]
fn skipping_without_an_open_element_skips_nothing() {
    let (mut tokenizer, mut octets) = (Tokenizer::new(), &b"<a/>"[..]);
    tokenizer.skip_element();
    assert!(matches!(tokenizer.next_event(&mut octets), Ok(Some(Event::Start(_)))));
    assert!(matches!(tokenizer.next_event(&mut octets), Ok(Some(Event::End(_)))));
    tokenizer.skip_element();
    assert!(matches!(tokenizer.next_event(&mut octets), Ok(None)));
    tokenizer.finish().unwrap();
}
