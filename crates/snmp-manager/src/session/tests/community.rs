use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, Value};
use portreeve_snmp_message::{CommunityMessage, Pdu, PduType};

use super::{agent::community_message, *};

const V1: MessageProcessingModel = MessageProcessingModel::V1;
const V2C: MessageProcessingModel = MessageProcessingModel::V2c;

fn v2c() -> TestSession {
    TestSession::new(Credentials::V2c(Secret::from("public")))
}

fn send_request(session: &mut TestSession, operation: Operation) -> ReceivedRequest {
    session.request(operation);
    ReceivedRequest::of_community(&session.poll_message().unwrap())
}

fn message(response: &FakeResponse) -> Vec<u8> {
    community_message(V2C, "public", response)
}

#[test]
fn response_completes_its_request() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    session.receive(message(&FakeResponse::to(&request)));
    let response = session.result().unwrap().unwrap();
    assert_eq!(response.var_binds().iter().next().unwrap().value, Value::Integer(42));
    assert_eq!(session.session.next_timeout(), None);
}

#[test]
fn inform_is_confirmed_by_a_response_with_the_same_names() {
    let mut session = v2c();
    session.request(Operation::Inform);
    let sent = session.poll_message().unwrap();
    let mut parsed = CommunityMessage::parse(&sent).unwrap();
    assert_eq!(Pdu::parse(&mut parsed.pdu).unwrap().pdu_type, PduType::InformRequest);
    let request = ReceivedRequest::of_community(&sent);
    let mut other = FakeResponse::to(&request);
    other.binds[0].0 = OTHER.to_vec();
    session.assert_dropped(message(&other), DropReason::WrongObjects);
    session.receive(message(&FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
}

#[test]
fn inform_over_v1_is_refused() {
    let mut session = TestSession::new(Credentials::V1(Secret::from("public")));
    session.request(Operation::Inform);
    let error = RequestError::InvalidRequest(InvalidRequestError::InformInV1);
    assert_eq!(session.result().unwrap().unwrap_err(), error);
    assert_eq!(session.poll_message(), None);
}

#[test]
fn m1_response_with_wrong_request_id_is_dropped() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    let mut response = FakeResponse::to(&request);
    response.request_id += 1;
    session.assert_dropped(message(&response), DropReason::UnknownRequest);
    session.receive(message(&FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
}

#[test]
fn m1_duplicate_response_is_dropped() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    session.receive(message(&FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
    session.assert_dropped(message(&FakeResponse::to(&request)), DropReason::UnknownRequest);
}

#[test]
fn m2_response_with_wrong_community_is_dropped() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    session.assert_dropped(
        community_message(V2C, "Public", &FakeResponse::to(&request)),
        DropReason::WrongCommunity,
    );
}

#[test]
fn m3_response_with_wrong_version_is_dropped() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    session.assert_dropped(
        community_message(V1, "public", &FakeResponse::to(&request)),
        DropReason::WrongVersion,
    );
}

#[test]
fn m5_response_with_unrequested_objects_is_dropped() {
    for operation in [Operation::Get, Operation::Set] {
        let mut session = v2c();
        let request = send_request(&mut session, operation);
        let mut response = FakeResponse::to(&request);
        response.binds[0].0 = OTHER.to_vec();
        session.assert_dropped(message(&response), DropReason::WrongObjects);
        response.binds.clear();
        session.assert_dropped(message(&response), DropReason::WrongObjects);
        response.binds = vec![(NAME.to_vec(), 1), (OTHER.to_vec(), 2)];
        session.assert_dropped(message(&response), DropReason::WrongObjects);
    }
}

#[test]
fn m11_huge_error_status_and_index_are_returned_as_unknown() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    let response =
        FakeResponse { error_status: i32::MAX, error_index: i32::MAX, ..FakeResponse::to(&request) };
    session.receive(message(&response));
    let response = session.result().unwrap().unwrap();
    assert!(response.is_error());
    assert_eq!((response.error_status(), response.error_index()), (None, None));
}

#[test]
fn request_pdu_or_malformed_message_is_dropped() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    let response = FakeResponse { pdu_type: PduType::GetRequest, ..FakeResponse::to(&request) };
    session.assert_dropped(message(&response), DropReason::NotAResponse);
    session.assert_dropped(b"rubbish".to_vec(), DropReason::Malformed);
    let whole = message(&FakeResponse::to(&request));
    for length in 0..whole.len() {
        session.assert_dropped(whole[..length].to_vec(), DropReason::Malformed);
    }
}

//= rfc3413#3.1-3
//= type=test
#[test]
fn request_is_retransmitted_then_times_out() {
    let retry = RetryPolicy::fixed(Duration::from_millis(500), 2);
    let options = SessionOptions { retry, ..SessionOptions::default() };
    let mut session = TestSession::with_options(Credentials::V2c(Secret::from("public")), options);
    session.request(Operation::Get);
    let first = session.poll_message().unwrap();
    for _ in 0..2 {
        session.advance(Duration::from_millis(499));
        assert_eq!(session.poll_message(), None);
        session.advance(Duration::from_millis(1));
        assert_eq!(session.poll_message().as_ref(), Some(&first));
    }
    session.advance(Duration::from_millis(500));
    assert_eq!(session.poll_message(), None);
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Timeout(None));
    assert_eq!(session.session.next_timeout(), None);
}

#[test]
fn late_response_is_accepted_and_cancels_retransmission() {
    let mut session = v2c();
    let request = send_request(&mut session, Operation::Get);
    session.advance(Duration::from_secs(1));
    session.receive(message(&FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
    assert_eq!(session.poll_message(), None);
}

#[test]
fn timeout_error_contains_reason_of_last_dropped_response() {
    let options =
        SessionOptions { retry: RetryPolicy::fixed(Duration::from_secs(1), 0), ..SessionOptions::default() };
    let mut session = TestSession::with_options(Credentials::V2c(Secret::from("public")), options);
    let request = send_request(&mut session, Operation::Get);
    session.receive(community_message(V2C, "else", &FakeResponse::to(&request)));
    session.advance(Duration::from_secs(1));
    let expected = RequestError::Timeout(Some(DropReason::WrongCommunity));
    assert_eq!(session.result().unwrap().unwrap_err(), expected);
}

//= rfc3412#7.2-10b
//= type=test
#[test]
fn concurrent_requests_complete_in_any_order() {
    let mut session = v2c();
    let first = session.request(Operation::Get);
    let second = session.request(Operation::Get);
    let mut sent = Vec::new();
    while let Some(message) = session.session.poll_output(session.now) {
        sent.push(ReceivedRequest::of_community(message));
    }
    assert_eq!(sent.len(), 2);
    for (index, handle) in [(1, second), (0, first)] {
        session.receive(message(&FakeResponse::to(&sent[index])));
        let event = session.session.poll_event().unwrap();
        assert_eq!(event.handle, handle);
        assert!(event.result.is_ok());
    }
}

//= rfc3584#4.2.1-p1
//= type=test
#[test]
fn getbulk_and_counter64_are_rejected_in_snmpv1_requests() {
    let mut session = TestSession::new(Credentials::V1(Secret::from("public")));
    session.request(Operation::GetBulk { non_repeaters: 0, max_repetitions: 10 });
    assert_eq!(
        session.result().unwrap().unwrap_err(),
        RequestError::InvalidRequest(InvalidRequestError::BulkInV1)
    );
    let mut request = Request::new(Operation::Set);
    request.push(&NAME, Value::Counter64(1));
    session.session.request(&request);
    assert_eq!(
        session.result().unwrap().unwrap_err(),
        RequestError::InvalidRequest(InvalidRequestError::Counter64InV1)
    );
    assert_eq!(session.poll_message(), None);
}

//= rfc3412#7.1-9c
//= type=test
#[test]
fn request_exceeding_max_message_size_is_rejected() {
    let mut session = v2c();
    let mut request = Request::new(Operation::Set);
    request.push(&NAME, Value::OctetString(&vec![0; 70_000]));
    session.session.request(&request);
    assert_eq!(session.poll_message(), None);
    assert_eq!(
        session.result().unwrap().unwrap_err(),
        RequestError::InvalidRequest(InvalidRequestError::TooLong)
    );
}
