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
use crate::Refusal;
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

#[test]
fn the_engine_is_asked_for_its_name_once_and_then_for_what_is_wanted() {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let question = Asked::read(&desk.sends().unwrap());
    assert_eq!(question.context, EngineId::LOCAL.as_bytes());
    assert_eq!(question.name, [SNMP_ENGINE_ID.arcs(), &[0]].concat());
    desk.hears(question.answer().value(Value::OctetString(ENGINE)).message());
    let question = Asked::read(&desk.sends().unwrap());
    assert_eq!((question.context.as_slice(), question.name.as_slice()), (ENGINE, &NAME[..]));
    desk.hears(question.answer().message());
    assert!(desk.ended().unwrap().is_ok());
    assert_eq!(desk.session.engine_id().unwrap().as_bytes(), ENGINE);
    desk.ask(Operation::Get);
    assert_eq!(Asked::read(&desk.sends().unwrap()).name, NAME);
}

//= rfc5591#4.2-2
//= rfc5591#4.2-3
//= rfc5591#4.2-4
//= type=test
#[test]
fn messages_say_auth_priv_and_carry_no_security_parameters() {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let message = desk.sends().unwrap();
    let parsed = V3Message::parse(&message).unwrap();
    assert_eq!(parsed.header.flags, MsgFlags::new(AuthPriv, true));
    assert_eq!(parsed.header.security_model, SecurityModel::TSM);
    assert!(parsed.security_parameters.is_empty());
}

#[test]
fn a_known_engine_is_not_looked_for() {
    let engine = Some(EngineId::new(ENGINE).unwrap());
    let known = SessionOptions { security_engine_id: engine, ..SessionOptions::default() };
    let context = SessionOptions { context_engine_id: engine, ..SessionOptions::default() };
    for options in [known, context] {
        let mut desk = Desk::with_options(Credentials::Transport, options);
        desk.ask(Operation::Get);
        assert_eq!(Asked::read(&desk.sends().unwrap()).context, ENGINE);
    }
}

#[test]
fn an_agent_that_hides_its_name_is_asked_by_the_one_that_stands_for_it() {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let question = Asked::read(&desk.sends().unwrap());
    desk.hears(question.answer().value(Value::NoSuchObject).message());
    let question = Asked::read(&desk.sends().unwrap());
    assert_eq!(question.context, EngineId::LOCAL.as_bytes());
    // It may answer in its own name.
    desk.hears(question.answer().from(ENGINE).message());
    assert!(desk.ended().unwrap().is_ok());
    assert_eq!(desk.session.engine_id(), None);
}

#[test]
fn m1_a_wrong_msg_id_or_request_id_is_not_the_answer() {
    let (mut desk, question) = asked();
    let wrong = Asked { msg_id: question.msg_id ^ 1, ..question.clone() };
    desk.ignores(wrong.answer().message(), Ignored::UnknownRequest);
    let wrong = Asked { request_id: question.request_id ^ 1, ..question };
    desk.ignores(wrong.answer().message(), Ignored::UnknownRequest);
}

#[test]
fn m3_another_version_or_security_model_is_not_the_answer() {
    let (mut desk, question) = asked();
    let usm = Said { model: SecurityModel::USM, ..question.answer() };
    desk.ignores(usm.message(), Ignored::OtherSecurityModel);
    let answer = super::Answer {
        pdu_type: PduType::Response,
        request_id: question.request_id,
        error_status: 0,
        error_index: 0,
        binds: vec![(NAME.to_vec(), 42)],
    };
    let v2c = super::agent::community_message(MessageProcessingModel::V2c, "public", &answer);
    desk.ignores(v2c, Ignored::OtherVersion);
}

#[test]
fn m5_an_answer_about_something_else_is_not_the_answer() {
    let (mut desk, question) = asked();
    desk.ignores(question.answer().from(OTHER_ENGINE).message(), Ignored::OtherEngine);
    let other = Asked { name: OTHER.to_vec(), ..question };
    desk.ignores(other.answer().message(), Ignored::OtherObjects);
}

#[test]
fn m14_the_engine_is_not_looked_for_more_than_twice() {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let mut discoveries = 0;
    while let Some(message) = desk.sends() {
        let question = Asked::read(&message);
        if question.name == NAME {
            desk.hears(question.report());
        } else {
            discoveries += 1;
            desk.hears(question.answer().value(Value::OctetString(ENGINE)).message());
        }
        assert!(discoveries < 10);
    }
    assert_eq!(discoveries, 2);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::UnknownPduHandler));
}

#[test]
fn m15_an_answer_that_claims_less_protection_is_not_the_answer() {
    let (mut desk, question) = asked();
    for level in [NoAuthNoPriv, AuthNoPriv] {
        let answer = Said { level, ..question.answer() };
        desk.ignores(answer.message(), Ignored::LowerSecurityLevel(level));
    }
}

#[test]
fn m16_an_engine_id_of_an_odd_length_is_not_learnt() {
    for odd in [&[0x80, 0, 0, 1][..], &[7; 33], &[0; 9]] {
        let mut desk = Desk::new(Credentials::Transport);
        desk.ask(Operation::Get);
        let question = Asked::read(&desk.sends().unwrap());
        desk.ignores(question.answer().value(Value::OctetString(odd)).message(), Ignored::OddEngineId);
        assert!(desk.session.engine_id().is_none());
    }
}

#[test]
fn an_agent_that_refuses_to_be_found_ends_the_request() {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let report = Asked::read(&desk.sends().unwrap()).report();
    desk.hears(report);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::UnknownPduHandler));
}

/// A session whose request is on its way.
fn asked() -> (Desk, Asked) {
    let mut desk = Desk::new(Credentials::Transport);
    desk.ask(Operation::Get);
    let question = Asked::read(&desk.sends().unwrap());
    desk.hears(question.answer().value(Value::OctetString(ENGINE)).message());
    let question = Asked::read(&desk.sends().unwrap());
    (desk, question)
}

/// What a message of the session asks.
#[derive(Clone, Debug)]
struct Asked {
    msg_id: i32,
    request_id: i32,
    context: Vec<u8>,
    name: Vec<u32>,
}

impl Asked {
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

    fn answer(&self) -> Said<'static> {
        let value = Value::Integer(42);
        let (model, level) = (SecurityModel::TSM, AuthPriv);
        Said { to: self.clone(), pdu_type: PduType::Response, value, model, level }
    }

    fn report(&self) -> Vec<u8> {
        let name = [SNMP_UNKNOWN_PDU_HANDLERS.arcs(), &[0]].concat();
        let to = Self { name, ..self.clone() };
        let answer = to.answer();
        Said { pdu_type: PduType::Report, value: Value::Counter32(1), ..answer }.message()
    }
}

/// What an agent says.
struct Said<'v> {
    to: Asked,
    pdu_type: PduType,
    value: Value<'v>,
    model: SecurityModel,
    level: SecurityLevel,
}

impl<'v> Said<'v> {
    fn value<'w>(self, value: Value<'w>) -> Said<'w> {
        let Self { to, pdu_type, model, level, .. } = self;
        Said { to, pdu_type, value, model, level }
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
