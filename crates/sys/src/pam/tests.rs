use super::*;

/// Calls what modules would call, as they would.
fn ask(asked: &[(c_int, Option<&CStr>)], answerer: &mut Answerer<'_>) -> (c_int, Vec<Option<Vec<u8>>>) {
    let messages: Vec<_> = asked
        .iter()
        .map(|(style, text)| RawMessage { style: *style, text: text.map_or(ptr::null(), CStr::as_ptr) })
        .collect();
    let pointers: Vec<_> = messages.iter().map(ptr::from_ref).collect();
    let mut responses = ptr::null_mut();
    let mut answerer: &mut Answerer<'_> = answerer;
    let data = (&raw mut answerer).cast();
    let count = c_int::try_from(asked.len()).unwrap_or(-1);
    let code = converse(count, pointers.as_ptr(), &raw mut responses, data);
    let mut read = Vec::new();
    if let Some(first) = NonNull::new(responses) {
        let responses = Responses { first, count: asked.len() };
        for index in 0..asked.len() {
            // SAFETY: there are as many responses as messages, and each text is null or ends in NUL.
            let text = unsafe { (*responses.first.add(index).as_ptr()).text };
            // SAFETY: as above.
            read.push((!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()));
        }
    }
    (code, read)
}

const FAILED: (c_int, Vec<Option<Vec<u8>>>) = (19, Vec::new());

#[test]
fn answers_go_to_the_messages_that_ask() {
    let mut seen = Vec::new();
    let asked = [(4, Some(c"hello")), (1, Some(c"Password: ")), (3, None), (2, Some(c"Name: "))];
    let answered = ask(&asked, &mut |messages| {
        seen.extend_from_slice(messages);
        Some(vec![Secret::from("word"), Secret::from("")])
    });
    assert_eq!(answered, (0, vec![None, Some(b"word".to_vec()), None, Some(Vec::new())]));
    let styles: Vec<_> = seen.iter().map(|message| (message.style, message.text.as_str())).collect();
    let expected = [
        (PamStyle::Notice, "hello"),
        (PamStyle::Hidden, "Password: "),
        (PamStyle::Error, ""),
        (PamStyle::Shown, "Name: "),
    ];
    assert_eq!(styles, expected);
}

#[test]
fn what_does_not_answer_the_questions_answers_nothing() {
    let question = [(1, Some(c"Password: "))];
    assert_eq!(ask(&question, &mut |_| None), FAILED);
    assert_eq!(ask(&question, &mut |_| Some(Vec::new())), FAILED);
    assert_eq!(ask(&question, &mut |_| Some(vec![Secret::from("a"), Secret::from("b")])), FAILED);
    assert_eq!(ask(&question, &mut |_| Some(vec![Secret::from("a\0b")])), FAILED);
    assert_eq!(ask(&[(7, None)], &mut |_| Some(vec![Secret::from("")])), FAILED);
    assert_eq!(ask(&[], &mut |_| Some(Vec::new())), FAILED);
    assert_eq!(ask(&[(4, None); 33], &mut |_| Some(Vec::new())), FAILED);
}

#[test]
fn a_panic_ends_at_the_border() {
    let question = [(1, Some(c"Password: "))];
    assert_eq!(ask(&question, &mut |_| std::panic::resume_unwind(Box::new(()))), FAILED);
}

#[test]
fn failures_have_the_library_s_words() {
    assert!(!PamCode::AUTHENTICATION.to_string().is_empty());
    assert_ne!(PamCode::AUTHENTICATION.to_string(), PamCode::ACCOUNT_EXPIRED.to_string());
}
