use super::*;
use XmlErrorReason::*;

/// Documents with an error: events before it, reason, line, column.
pub(super) const ERRORS: &[(&[u8], &str, XmlErrorReason, u64, u64)] = &[
    // Declarations and other markup.
    (b"<!DOCTYPE a><a/>", "", DocumentType, 1, 3),
    (b"<a><!ENTITY", "<{}a>", UnknownMarkup, 1, 6),
    (b"<a><![CDAT", "<{}a>", UnexpectedEnd, 1, 4),
    (b"<a><![INCLUDE[", "<{}a>", UnknownMarkup, 1, 7),
    (b"<?xml-stylesheet href=''?><a/>", "", ProcessingInstruction, 1, 6),
    (b"<?pi?><a/>", "", ProcessingInstruction, 1, 3),
    (b"<a><?xml version='1.0'?></a>", "<{}a>", InvalidDeclaration, 1, 4),
    (b"<!----><?xml version='1.0'?><a/>", "", InvalidDeclaration, 1, 8),
    (b"<?xml version='1.0'?><?xml version='1.0'?><a/>", "", InvalidDeclaration, 1, 22),
    (b"<?xml version='2.0'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml version='1.'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml version='1.0' standalone='maybe'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml encoding='UTF-8'?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml version='1.0'><a/>", "", InvalidDeclaration, 1, 1),
    (b"<?xml ?><a/>", "", InvalidDeclaration, 1, 1),
    (b"<a><!-- x -- y --></a>", "<{}a>", HyphensInComment, 1, 13),
    (b"<a><!----->", "<{}a>", HyphensInComment, 1, 10),
    // The document as a whole.
    (b"", "", UnexpectedEnd, 1, 1),
    (b" \n ", "", UnexpectedEnd, 2, 2),
    (b"<a>", "<{}a>", UnexpectedEnd, 1, 4),
    (b"<a><b></b>", "<{}a><{}b></>", UnexpectedEnd, 1, 11),
    (b"<a", "", UnexpectedEnd, 1, 1),
    (b"<a/><!--", "<{}a></>", UnexpectedEnd, 1, 9),
    (b"<a>\n&am", "<{}a>\\n", UnexpectedEnd, 2, 1),
    (b"<a>\xc3", "<{}a>", UnexpectedEnd, 1, 4),
    (b"x<a/>", "", TextOutsideRoot, 1, 1),
    (b"<a/>&lt;", "<{}a></>", TextOutsideRoot, 1, 5),
    (b"<a/>\n<![CDATA[]]>", "<{}a></>", TextOutsideRoot, 2, 1),
    (b"<a/>\0", "<{}a></>", TextOutsideRoot, 1, 5),
    (b"\xef\xbb<a/>", "", TextOutsideRoot, 1, 3),
    (b"<a/> \xef\xbb\xbf", "<{}a></>", TextOutsideRoot, 1, 6),
    (b"<a/><b/>", "<{}a></>", SecondRoot, 1, 5),
    (b"<a/><b x=''>", "<{}a></>", SecondRoot, 1, 5),
    // Tags.
    (b"<a></b>", "<{}a>", MismatchedEnd, 1, 4),
    (b"<a>\n<b></a></b>", "<{}a>\\n<{}b>", MismatchedEnd, 2, 4),
    (b"</a>", "", MismatchedEnd, 1, 1),
    (b"<a></a></a>", "<{}a></>", MismatchedEnd, 1, 8),
    (b"<a></ a>", "<{}a>", MismatchedEnd, 1, 4),
    (b"<a></>", "<{}a>", MismatchedEnd, 1, 4),
    (b"<p:a xmlns:p='u' xmlns:q='u'></q:a>", "<{u}a>", MismatchedEnd, 1, 30),
    (b"<>", "", InvalidTag, 1, 2),
    (b"<<a/>", "", InvalidTag, 1, 2),
    (b"< a/>", "", InvalidName, 1, 1),
    (b"<1/>", "", InvalidName, 1, 1),
    (b"<-a>", "", InvalidName, 1, 1),
    (b"<a\x01/>", "", InvalidName, 1, 1),
    (b"<a\xc3\x97/>", "", InvalidName, 1, 1),
    (b"<a:/>", "", InvalidName, 1, 1),
    (b"<:a/>", "", InvalidName, 1, 1),
    (b"<xml:a:b/>", "", InvalidName, 1, 1),
    (b"<a/ >", "", InvalidName, 1, 1),
    (b"<a b/>", "", InvalidTag, 1, 5),
    (b"<a b=1/>", "", InvalidTag, 1, 7),
    (b"<a b='1'c='2'/>", "", InvalidTag, 1, 9),
    (b"<a =''/>", "", InvalidName, 1, 4),
    (b"<a 1=''/>", "", InvalidName, 1, 4),
    (b"<a b='<'/>", "", InvalidTag, 1, 7),
    (b"<a b='\x01'/>", "", InvalidCharacter, 1, 7),
    (b"<a b='&#1;'/>", "", InvalidCharacter, 1, 7),
    (b"<a b='x&y;'/>", "", InvalidReference, 1, 8),
    (b"<a b='&lt'/>", "", InvalidReference, 1, 7),
    (b"<a\n b='\xff'/>", "", InvalidUtf8, 2, 5),
    (b"<a b='' b=''/>", "", DuplicateAttribute, 1, 1),
    (b"<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "", DuplicateAttribute, 1, 1),
    (b"<a xmlns:p='u' xmlns:p='v'/>", "", DuplicateAttribute, 1, 16),
    (b"<a xmlns='u' xmlns='u'/>", "", DuplicateAttribute, 1, 14),
    // Namespaces.
    (b"<p:a/>", "", UnboundPrefix, 1, 1),
    (b"<a><b xmlns:p='u'/><p:b/></a>", "<{}a><{}b></>", UnboundPrefix, 1, 20),
    (b"<a p:b=''/>", "", UnboundPrefix, 1, 1),
    (b"<xmlns:a/>", "", UnboundPrefix, 1, 1),
    (b"<a xmlns:p=''/>", "", InvalidBinding, 1, 4),
    (b"<a xmlns:=''/>", "", InvalidName, 1, 4),
    (b"<a xmlns:xmlns='u'/>", "", InvalidBinding, 1, 4),
    (b"<a xmlns:xml='u'/>", "", InvalidBinding, 1, 4),
    (b"<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>", "", InvalidBinding, 1, 4),
    (b"<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "", InvalidBinding, 1, 4),
    (b"<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", "", InvalidBinding, 1, 4),
    // Texts.
    (b"<a>x]]>y</a>", "<{}a>x]]", SectionEndInText, 1, 7),
    (b"<a>]]]>y</a>", "<{}a>]]]", SectionEndInText, 1, 7),
    (b"<a>x\x00</a>", "<{}a>x", InvalidCharacter, 1, 5),
    (b"<a>\x1f</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>\n\xef\xbf\xbe</a>", "<{}a>\\n", InvalidCharacter, 2, 1),
    (b"<a>x\xef\xbf\xbf</a>", "<{}a>x", InvalidCharacter, 1, 5),
    (b"<a><![CDATA[x\x0b]]></a>", "<{}a>x", InvalidCharacter, 1, 14),
    (b"<a><!--x\x0c--></a>", "<{}a>", InvalidCharacter, 1, 9),
    (b"<a>&#0;</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>&#xD800;</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>&#x110000;</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>&#4294967361;</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>&#xfffe;</a>", "<{}a>", InvalidCharacter, 1, 4),
    (b"<a>&nbsp;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>&;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>&#;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>&#x;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>&#X41;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>&#+65;</a>", "<{}a>", InvalidReference, 1, 4),
    (b"<a>x & y</a>                ", "<{}a>x ", InvalidReference, 1, 6),
    (b"<a>x\xff</a>", "<{}a>x", InvalidUtf8, 1, 5),
    (b"<a>\xc3<", "<{}a>", InvalidUtf8, 1, 4),
    (b"<a>\xc3\x01", "<{}a>", InvalidUtf8, 1, 4),
    (b"<a>\xc0\xaf</a>", "<{}a>", InvalidUtf8, 1, 4),
    (b"<a>\xed\xa0\x80</a>", "<{}a>", InvalidUtf8, 1, 4),
    (b"<a>\xf4\x90\x80\x80</a>", "<{}a>", InvalidUtf8, 1, 4),
    (b"<a><!--\x80--></a>", "<{}a>", InvalidUtf8, 1, 8),
];

#[test]
fn tokenizer_reports_reason_and_position_of_errors() {
    for (document, events, reason, line, column) in ERRORS {
        let (before, error) = trace_whole(document);
        let document = String::from_utf8_lossy(document);
        let XmlError { position, reason: found } =
            error.unwrap_or_else(|| panic!("{document:?} is accepted"));
        let expected = (*events, *reason, *line, *column);
        assert_eq!((before.as_str(), found, position.line, position.column), expected, "{document:?}");
    }
}

#[test]
fn offset_of_an_error_counts_octets_of_all_lines() {
    let (_, error) = trace_whole("<a>\r\né\n</b>");
    assert_eq!(error.unwrap().position, Position { line: 3, column: 1, offset: 8 });
    assert_eq!(error.unwrap().to_string(), "line 3, column 1: end tag does not match the start tag");
}

#[test]
fn tokenizer_repeats_its_error() {
    let mut tokenizer = Tokenizer::new();
    let error = tokenizer.next_event(&mut &b"<!D"[..]).unwrap_err();
    assert_eq!(tokenizer.next_event(&mut &b"<a/>"[..]).unwrap_err(), error);
    assert_eq!(tokenizer.finish(), Err(error));
}
