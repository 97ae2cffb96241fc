use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, Value};
use portreeve_snmp_message::PduType;

use super::{agent::community_message, *};

const V1: MessageProcessingModel = MessageProcessingModel::V1;
const V2C: MessageProcessingModel = MessageProcessingModel::V2c;

fn v2c() -> Desk {
    Desk::new(Credentials::V2c(Secret::from("public")))
}

fn asked(desk: &mut Desk, operation: Operation) -> Question {
    desk.ask(operation);
    Question::of_community(&desk.sends().unwrap())
}

fn message(answer: &Answer) -> Vec<u8> {
    community_message(V2C, "public", answer)
}

#[test]
fn a_response_ends_its_request() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    desk.hears(message(&Answer::to(&question)));
    let response = desk.ended().unwrap().unwrap();
    assert_eq!(response.var_binds().iter().next().unwrap().value, Value::Integer(42));
    assert_eq!(desk.session.next_timeout(), None);
}

#[test]
fn m1_a_wrong_request_id_is_not_the_answer() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    let mut answer = Answer::to(&question);
    answer.request_id += 1;
    desk.ignores(message(&answer), Ignored::UnknownRequest);
    desk.hears(message(&Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
}

#[test]
fn m1_a_duplicate_answers_nothing_more() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    desk.hears(message(&Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
    desk.ignores(message(&Answer::to(&question)), Ignored::UnknownRequest);
}

#[test]
fn m2_a_wrong_community_is_not_the_answer() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    desk.ignores(community_message(V2C, "Public", &Answer::to(&question)), Ignored::OtherCommunity);
}

#[test]
fn m3_a_wrong_version_is_not_the_answer() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    desk.ignores(community_message(V1, "public", &Answer::to(&question)), Ignored::OtherVersion);
}

#[test]
fn m5_an_answer_about_other_objects_is_not_the_answer() {
    for operation in [Operation::Get, Operation::Set] {
        let mut desk = v2c();
        let question = asked(&mut desk, operation);
        let mut answer = Answer::to(&question);
        answer.binds[0].0 = OTHER.to_vec();
        desk.ignores(message(&answer), Ignored::OtherObjects);
        answer.binds.clear();
        desk.ignores(message(&answer), Ignored::OtherObjects);
        answer.binds = vec![(NAME.to_vec(), 1), (OTHER.to_vec(), 2)];
        desk.ignores(message(&answer), Ignored::OtherObjects);
    }
}

#[test]
fn m11_huge_error_fields_are_taken_for_what_they_are() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    let answer = Answer { error_status: i32::MAX, error_index: i32::MAX, ..Answer::to(&question) };
    desk.hears(message(&answer));
    let response = desk.ended().unwrap().unwrap();
    assert!(response.is_error());
    assert_eq!((response.error_status(), response.error_index()), (None, None));
}

#[test]
fn a_request_or_rubbish_is_not_the_answer() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    let answer = Answer { pdu_type: PduType::GetRequest, ..Answer::to(&question) };
    desk.ignores(message(&answer), Ignored::NotAResponse);
    desk.ignores(b"rubbish".to_vec(), Ignored::Malformed);
    let whole = message(&Answer::to(&question));
    for length in 0..whole.len() {
        desk.ignores(whole[..length].to_vec(), Ignored::Malformed);
    }
}

//= rfc3413#3.1-3
//= type=test
#[test]
fn silence_is_met_with_the_policys_retries_and_then_an_error() {
    let retry = RetryPolicy::fixed(Duration::from_millis(500), 2);
    let options = SessionOptions { retry, ..SessionOptions::default() };
    let mut desk = Desk::with_options(Credentials::V2c(Secret::from("public")), options);
    desk.ask(Operation::Get);
    let first = desk.sends().unwrap();
    for _ in 0..2 {
        desk.waits(Duration::from_millis(499));
        assert_eq!(desk.sends(), None);
        desk.waits(Duration::from_millis(1));
        assert_eq!(desk.sends().as_ref(), Some(&first));
    }
    desk.waits(Duration::from_millis(500));
    assert_eq!(desk.sends(), None);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Timeout(None));
    assert_eq!(desk.session.next_timeout(), None);
}

#[test]
fn a_late_answer_to_the_first_sending_counts() {
    let mut desk = v2c();
    let question = asked(&mut desk, Operation::Get);
    desk.waits(Duration::from_secs(1));
    desk.hears(message(&Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
    assert_eq!(desk.sends(), None);
}

#[test]
fn a_timeout_tells_what_was_ignored() {
    let options =
        SessionOptions { retry: RetryPolicy::fixed(Duration::from_secs(1), 0), ..SessionOptions::default() };
    let mut desk = Desk::with_options(Credentials::V2c(Secret::from("public")), options);
    let question = asked(&mut desk, Operation::Get);
    desk.hears(community_message(V2C, "else", &Answer::to(&question)));
    desk.waits(Duration::from_secs(1));
    let expected = RequestError::Timeout(Some(Ignored::OtherCommunity));
    assert_eq!(desk.ended().unwrap().unwrap_err(), expected);
}

//= rfc3412#7.2-10b
//= type=test
#[test]
fn several_requests_may_be_on_their_way_and_end_in_any_order() {
    let mut desk = v2c();
    let first = desk.ask(Operation::Get);
    let second = desk.ask(Operation::Get);
    let mut sent = Vec::new();
    while let Some(message) = desk.session.poll_output(desk.now) {
        sent.push(Question::of_community(message));
    }
    assert_eq!(sent.len(), 2);
    for (index, handle) in [(1, second), (0, first)] {
        desk.hears(message(&Answer::to(&sent[index])));
        let event = desk.session.poll_event().unwrap();
        assert_eq!(event.handle, handle);
        assert!(event.result.is_ok());
    }
}

//= rfc3584#4.2.1-p1
//= type=test
#[test]
fn what_version_1_lacks_is_not_sent() {
    let mut desk = Desk::new(Credentials::V1(Secret::from("public")));
    desk.ask(Operation::GetBulk { non_repeaters: 0, max_repetitions: 10 });
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Misuse(Misuse::BulkInV1));
    let mut request = Request::new(Operation::Set);
    request.push(&NAME, Value::Counter64(1));
    desk.session.request(&request);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Misuse(Misuse::Counter64InV1));
    assert_eq!(desk.sends(), None);
}

//= rfc3412#7.1-9c
//= type=test
#[test]
fn a_request_longer_than_a_message_may_be_is_refused() {
    let mut desk = v2c();
    let mut request = Request::new(Operation::Set);
    request.push(&NAME, Value::OctetString(&vec![0; 70_000]));
    desk.session.request(&request);
    assert_eq!(desk.sends(), None);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Misuse(Misuse::TooLong));
}
