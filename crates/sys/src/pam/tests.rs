use super::*;

/// Calls the conversation function as a module would.
fn call_conversation(
    messages_in: &[(c_int, Option<&CStr>)],
    conversation: &mut ConversationFn<'_>,
) -> (c_int, Vec<Option<Vec<u8>>>) {
    let messages: Vec<_> = messages_in
        .iter()
        .map(|(style, text)| RawMessage { style: *style, text: text.map_or(ptr::null(), CStr::as_ptr) })
        .collect();
    let pointers: Vec<_> = messages.iter().map(ptr::from_ref).collect();
    let mut responses = ptr::null_mut();
    let mut conversation: &mut ConversationFn<'_> = conversation;
    let data = (&raw mut conversation).cast();
    let count = c_int::try_from(messages_in.len()).unwrap_or(-1);
    let code = converse(count, pointers.as_ptr(), &raw mut responses, data);
    let mut read = Vec::new();
    if let Some(first) = NonNull::new(responses) {
        let responses = ResponseArray { first, count: messages_in.len() };
        for index in 0..messages_in.len() {
            // SAFETY: there are as many responses as messages, and each text is null or ends in
            // NUL.
            let text = unsafe { (*responses.first.add(index).as_ptr()).text };
            // SAFETY: the text is not null here, so it ends in NUL.
            read.push((!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes().to_vec()));
        }
    }
    (code, read)
}

const FAILED: (c_int, Vec<Option<Vec<u8>>>) = (19, Vec::new());

#[test]
fn pam_conversation_returns_answers_at_positions_of_prompts() {
    let mut received = Vec::new();
    let messages_in = [(4, Some(c"hello")), (1, Some(c"Password: ")), (3, None), (2, Some(c"Name: "))];
    let result = call_conversation(&messages_in, &mut |messages| {
        received.extend_from_slice(messages);
        Some(vec![Secret::from("word"), Secret::from("")])
    });
    assert_eq!(result, (0, vec![None, Some(b"word".to_vec()), None, Some(Vec::new())]));
    let styles: Vec<_> = received.iter().map(|message| (message.style, message.text.as_str())).collect();
    let expected = [
        (PamStyle::TextInfo, "hello"),
        (PamStyle::PromptEchoOff, "Password: "),
        (PamStyle::ErrorMsg, ""),
        (PamStyle::PromptEchoOn, "Name: "),
    ];
    assert_eq!(styles, expected);
}

#[test]
fn conversation_fails_on_invalid_messages_or_answers() {
    let prompt = [(1, Some(c"Password: "))];
    assert_eq!(call_conversation(&prompt, &mut |_| None), FAILED);
    assert_eq!(call_conversation(&prompt, &mut |_| Some(Vec::new())), FAILED);
    assert_eq!(call_conversation(&prompt, &mut |_| Some(vec![Secret::from("a"), Secret::from("b")])), FAILED);
    assert_eq!(call_conversation(&prompt, &mut |_| Some(vec![Secret::from("a\0b")])), FAILED);
    assert_eq!(call_conversation(&[(7, None)], &mut |_| Some(vec![Secret::from("")])), FAILED);
    assert_eq!(call_conversation(&[], &mut |_| Some(Vec::new())), FAILED);
    assert_eq!(call_conversation(&[(4, None); 33], &mut |_| Some(Vec::new())), FAILED);
}

#[test]
fn conversation_fails_when_callback_panics() {
    let prompt = [(1, Some(c"Password: "))];
    assert_eq!(call_conversation(&prompt, &mut |_| std::panic::resume_unwind(Box::new(()))), FAILED);
}

#[test]
fn pam_errors_have_distinct_texts() {
    assert!(!PamError::AUTHENTICATION_FAILED.to_string().is_empty());
    assert_ne!(PamError::AUTHENTICATION_FAILED.to_string(), PamError::ACCOUNT_EXPIRED.to_string());
}
