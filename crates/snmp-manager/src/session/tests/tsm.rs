use portreeve_mib::modules::{framework_mib::SNMP_ENGINE_ID, mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS};
use portreeve_smi::{
    EngineId, SecurityLevel, SecurityModel, Value,
    ber::{ForwardWriter, Reader, ReverseWriter, Tag},
};
use portreeve_snmp_message::{
    HeaderData, MsgFlags, Pdu, PduType, ScopedPdu, ScopedPduData, V3Message, prepend_pdu, prepend_scoped_pdu,
    prepend_v3_message,
};

use super::*;
use crate::RejectReason;
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

#[test]
fn engine_id_is_queried_once_before_first_request() {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let request = SentRequest::read(&session.poll_message().unwrap());
    assert_eq!(request.context, EngineId::LOCAL.as_bytes());
    assert_eq!(request.name, [SNMP_ENGINE_ID.arcs(), &[0]].concat());
    session.receive(request.response().value(Value::OctetString(ENGINE)).message());
    let request = SentRequest::read(&session.poll_message().unwrap());
    assert_eq!((request.context.as_slice(), request.name.as_slice()), (ENGINE, &NAME[..]));
    session.receive(request.response().message());
    assert!(session.result().unwrap().is_ok());
    assert_eq!(session.session.engine_id().unwrap().as_bytes(), ENGINE);
    session.request(Operation::Get);
    assert_eq!(SentRequest::read(&session.poll_message().unwrap()).name, NAME);
}

//= rfc5591#4.2-2
//= rfc5591#4.2-3
//= rfc5591#4.2-4
//= type=test
#[test]
fn tsm_messages_have_auth_priv_flags_and_no_security_parameters() {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let message = session.poll_message().unwrap();
    let parsed = V3Message::parse(&message).unwrap();
    assert_eq!(parsed.header.flags, MsgFlags::new(AuthPriv, true));
    assert_eq!(parsed.header.security_model, SecurityModel::TSM);
    assert!(parsed.security_parameters.is_empty());
}

#[test]
fn configured_engine_id_is_not_queried() {
    let engine = Some(EngineId::new(ENGINE).unwrap());
    let known = SessionOptions { security_engine_id: engine, ..SessionOptions::default() };
    let context = SessionOptions { context_engine_id: engine, ..SessionOptions::default() };
    for options in [known, context] {
        let mut session = TestSession::with_options(Credentials::Transport, options);
        session.request(Operation::Get);
        assert_eq!(SentRequest::read(&session.poll_message().unwrap()).context, ENGINE);
    }
}

#[test]
fn local_engine_id_is_used_if_agent_does_not_return_its_own() {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let request = SentRequest::read(&session.poll_message().unwrap());
    session.receive(request.response().value(Value::NoSuchObject).message());
    let request = SentRequest::read(&session.poll_message().unwrap());
    assert_eq!(request.context, EngineId::LOCAL.as_bytes());
    // The agent may respond with its own engine ID instead of the local one.
    session.receive(request.response().from(ENGINE).message());
    assert!(session.result().unwrap().is_ok());
    assert_eq!(session.session.engine_id(), None);
}

#[test]
fn m1_response_with_wrong_msg_id_or_request_id_is_dropped() {
    let (mut session, request) = send_request();
    let wrong = SentRequest { msg_id: request.msg_id ^ 1, ..request.clone() };
    session.assert_dropped(wrong.response().message(), DropReason::UnknownRequest);
    let wrong = SentRequest { request_id: request.request_id ^ 1, ..request };
    session.assert_dropped(wrong.response().message(), DropReason::UnknownRequest);
}

#[test]
fn m3_response_with_wrong_version_or_security_model_is_dropped() {
    let (mut session, request) = send_request();
    let usm = FakeMessage { model: SecurityModel::USM, ..request.response() };
    session.assert_dropped(usm.message(), DropReason::WrongSecurityModel);
    let response = super::FakeResponse {
        pdu_type: PduType::Response,
        request_id: request.request_id,
        error_status: 0,
        error_index: 0,
        binds: vec![(NAME.to_vec(), 42)],
    };
    let v2c = super::agent::community_message(MessageProcessingModel::V2c, "public", &response);
    session.assert_dropped(v2c, DropReason::WrongVersion);
}

#[test]
fn m5_response_with_wrong_engine_id_or_objects_is_dropped() {
    let (mut session, request) = send_request();
    session.assert_dropped(request.response().from(OTHER_ENGINE).message(), DropReason::WrongContext);
    let other = SentRequest { name: OTHER.to_vec(), ..request };
    session.assert_dropped(other.response().message(), DropReason::WrongObjects);
}

#[test]
fn m14_engine_id_is_queried_at_most_twice() {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let mut discoveries = 0;
    while let Some(message) = session.poll_message() {
        let request = SentRequest::read(&message);
        if request.name == NAME {
            session.receive(request.report());
        } else {
            discoveries += 1;
            session.receive(request.response().value(Value::OctetString(ENGINE)).message());
        }
        assert!(discoveries < 10);
    }
    assert_eq!(discoveries, 2);
    assert_eq!(
        session.result().unwrap().unwrap_err(),
        RequestError::Rejected(RejectReason::UnknownPduHandler)
    );
}

#[test]
fn m15_response_at_lower_security_level_is_dropped() {
    let (mut session, request) = send_request();
    for level in [NoAuthNoPriv, AuthNoPriv] {
        let response = FakeMessage { level, ..request.response() };
        session.assert_dropped(response.message(), DropReason::LowerSecurityLevel(level));
    }
}

#[test]
fn m16_invalid_engine_id_is_not_learned() {
    for odd in [&[0x80, 0, 0, 1][..], &[7; 33], &[0; 9]] {
        let mut session = TestSession::new(Credentials::Transport);
        session.request(Operation::Get);
        let request = SentRequest::read(&session.poll_message().unwrap());
        session.assert_dropped(
            request.response().value(Value::OctetString(odd)).message(),
            DropReason::InvalidEngineIdLength,
        );
        assert!(session.session.engine_id().is_none());
    }
}

#[test]
fn report_in_reply_to_engine_id_query_ends_the_request() {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let report = SentRequest::read(&session.poll_message().unwrap()).report();
    session.receive(report);
    assert_eq!(
        session.result().unwrap().unwrap_err(),
        RequestError::Rejected(RejectReason::UnknownPduHandler)
    );
}

/// Returns a session with a request in flight, and the request.
fn send_request() -> (TestSession, SentRequest) {
    let mut session = TestSession::new(Credentials::Transport);
    session.request(Operation::Get);
    let request = SentRequest::read(&session.poll_message().unwrap());
    session.receive(request.response().value(Value::OctetString(ENGINE)).message());
    let request = SentRequest::read(&session.poll_message().unwrap());
    (session, request)
}

/// The content of a message sent by the session.
#[derive(Clone, Debug)]
struct SentRequest {
    msg_id: i32,
    request_id: i32,
    context: Vec<u8>,
    name: Vec<u32>,
}

impl SentRequest {
    fn read(message: &[u8]) -> Self {
        let parsed = V3Message::parse(message).unwrap();
        let ScopedPduData::Plaintext(range) = parsed.data else { panic!("it is encrypted") };
        let mut reader = Reader::new(&message[range]);
        let mut scoped = ScopedPdu::parse(&mut reader).unwrap();
        let pdu = Pdu::parse(&mut scoped.pdu).unwrap();
        Self {
            msg_id: parsed.header.msg_id,
            request_id: pdu.request_id,
            context: scoped.context_engine_id.to_vec(),
            name: pdu.var_binds.iter().next().unwrap().name.to_buf().to_vec(),
        }
    }

    fn response(&self) -> FakeMessage<'static> {
        let value = Value::Integer(42);
        let (model, level) = (SecurityModel::TSM, AuthPriv);
        FakeMessage { to: self.clone(), pdu_type: PduType::Response, value, model, level }
    }

    fn report(&self) -> Vec<u8> {
        let name = [SNMP_UNKNOWN_PDU_HANDLERS.arcs(), &[0]].concat();
        let to = Self { name, ..self.clone() };
        let response = to.response();
        FakeMessage { pdu_type: PduType::Report, value: Value::Counter32(1), ..response }.message()
    }
}

/// A message that the test's agent sends.
struct FakeMessage<'v> {
    to: SentRequest,
    pdu_type: PduType,
    value: Value<'v>,
    model: SecurityModel,
    level: SecurityLevel,
}

impl<'v> FakeMessage<'v> {
    fn value<'w>(self, value: Value<'w>) -> FakeMessage<'w> {
        let Self { to, pdu_type, model, level, .. } = self;
        FakeMessage { to, pdu_type, value, model, level }
    }

    fn from(mut self, engine: &[u8]) -> Self {
        self.to.context = engine.to_vec();
        self
    }

    fn message(self) -> Vec<u8> {
        let (mut list, mut buffer) = ([0; 512], [0; 1024]);
        let mut forward = ForwardWriter::new(&mut list);
        forward.var_bind(&self.to.name, &self.value).unwrap();
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.raw(forward.written()).unwrap();
        prepend_pdu(&mut writer, self.pdu_type, self.to.request_id, 0, 0).unwrap();
        prepend_scoped_pdu(&mut writer, &self.to.context, b"").unwrap();
        writer.header(Tag::OCTET_STRING, 0).unwrap();
        let header = HeaderData {
            msg_id: self.to.msg_id,
            max_size: 65507,
            flags: MsgFlags::new(self.level, false),
            security_model: self.model,
        };
        prepend_v3_message(&mut writer, &header).unwrap();
        writer.written().to_vec()
    }
}
