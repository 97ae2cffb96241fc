use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol, password_to_key};
use portreeve_smi::{
    EngineBoots, OidRef, Value,
    ber::{ForwardWriter, Reader},
};
use portreeve_snmp_engine::security::usm::{PeerClock, PeerClocks, UsmIncomingContext, process_incoming_msg};
use portreeve_snmp_message::{CommunityMessage, Pdu, ScopedPdu, ScopedPduData, V3Message};

use super::*;
use crate::UsmUser;

const SEED: u64 = 0x1234_5678_9abc_def0;
const UP_TIME: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 3, 0];
const TRAP_OID: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0];
const LINK_DOWN: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 3];

fn sender() -> EngineId {
    "80007ed9040102030405060708".parse().unwrap()
}

fn clock() -> ClockReading {
    ClockReading { boots: EngineBoots::new(7).unwrap(), time: 4242 }
}

fn encoded() -> Vec<u8> {
    let mut octets = [0; 256];
    let mut writer = ForwardWriter::new(&mut octets);
    writer.var_bind(UP_TIME, &Value::TimeTicks(42)).unwrap();
    writer.var_bind(TRAP_OID, &Value::ObjectId(OidRef::Arcs(LINK_DOWN))).unwrap();
    writer.written().to_vec()
}

fn variables(octets: &[u8]) -> VarBinds<'_> {
    VarBinds::from_validated(octets, 2)
}

fn trap_v1(var_binds: VarBinds<'_>) -> TrapV1<'_> {
    let enterprise = OidRef::Arcs(&[1, 3, 6, 1, 4, 1, 8072]);
    TrapV1 { enterprise, agent_address: [192, 0, 2, 7], generic: 6, specific: 17, time_stamp: 42, var_binds }
}

fn encoder(credentials: Credentials) -> TrapEncoder {
    with_options(credentials, &SessionOptions::default())
}

fn with_options(credentials: Credentials, options: &SessionOptions) -> TrapEncoder {
    TrapEncoder::new(credentials, sender(), options, SEED).unwrap()
}

fn user(level: SecurityLevel) -> UsmUser {
    let (auth, privacy) = (Secret::from("authentic phrase"), Secret::from("private phrase"));
    match level {
        SecurityLevel::NoAuthNoPriv => UsmUser::unauthenticated(b"ops"),
        SecurityLevel::AuthNoPriv => UsmUser::with_auth(b"ops", AuthProtocol::HmacSha256_192, &auth).unwrap(),
        SecurityLevel::AuthPriv => {
            let (auth, privacy) = ((AuthProtocol::HmacSha256_192, &auth), (PrivProtocol::Aes128, &privacy));
            UsmUser::with_privacy(b"ops", auth, privacy).unwrap()
        }
    }
}

#[test]
fn v2c_trap_has_community_and_variables() {
    let octets = encoded();
    let mut encoder = encoder(Credentials::V2c(Secret::from("public")));
    let mut request_ids = Vec::new();
    for _ in 0..2 {
        let message = encoder.encode(ClockReading::default(), variables(&octets)).unwrap();
        let mut message = CommunityMessage::parse(message).unwrap();
        assert_eq!(message.community, b"public");
        let pdu = Pdu::parse(&mut message.pdu).unwrap();
        assert_eq!((pdu.pdu_type, pdu.error_status, pdu.error_index), (PduType::TrapV2, 0, 0));
        assert_eq!(pdu.var_binds.encoded(), octets);
        request_ids.push(pdu.request_id);
    }
    assert_ne!(request_ids[0], request_ids[1]);
}

#[test]
fn v1_trap_has_the_fields_of_the_trap() {
    let octets = encoded();
    let mut encoder = encoder(Credentials::V1(Secret::from("public")));
    let message = encoder.encode_v1(&trap_v1(variables(&octets))).unwrap();
    let mut message = CommunityMessage::parse(message).unwrap();
    let trap = TrapV1::parse(&mut message.pdu).unwrap();
    assert_eq!(*trap.enterprise.to_buf(), [1, 3, 6, 1, 4, 1, 8072]);
    let fields = (trap.agent_address, trap.generic, trap.specific, trap.time_stamp);
    assert_eq!(fields, ([192, 0, 2, 7], 6, 17, 42));
    assert_eq!(trap.var_binds.encoded(), octets);
}

#[test]
fn each_version_refuses_the_other_form_of_traps() {
    let octets = encoded();
    let mut v1 = encoder(Credentials::V1(Secret::from("public")));
    assert_eq!(v1.encode(clock(), variables(&octets)).unwrap_err(), InvalidRequestError::TrapV2InV1);
    let mut v2 = encoder(Credentials::V2c(Secret::from("public")));
    let error = v2.encode_v1(&trap_v1(variables(&octets))).unwrap_err();
    assert_eq!(error, InvalidRequestError::TrapV1InV2);
    let mut octets = [0; 64];
    let mut writer = ForwardWriter::new(&mut octets);
    writer.var_bind(UP_TIME, &Value::Counter64(1)).unwrap();
    let counter = VarBinds::from_validated(writer.written(), 1);
    assert_eq!(v1.encode_v1(&trap_v1(counter)).unwrap_err(), InvalidRequestError::Counter64InV1);
}

/// The receiver's view of the sender's user.
struct Receiver(Arc<UserKeys>);

impl UserLookup for Receiver {
    fn user(&self, engine_id: &[u8], user_name: &[u8]) -> Option<&Arc<UserKeys>> {
        (engine_id == sender().as_bytes() && user_name == b"ops").then_some(&self.0)
    }
}

impl PeerClocks for Receiver {
    fn get(&self, engine_id: &[u8]) -> Option<PeerClock> {
        (engine_id == sender().as_bytes()).then(PeerClock::default)
    }

    fn set(&mut self, _: &[u8], learned: PeerClock) {
        assert_eq!(learned.reading(Timestamp::ZERO), clock());
    }
}

fn receiver() -> Receiver {
    let key = |phrase: &str| password_to_key(AuthProtocol::HmacSha256_192, &Secret::from(phrase)).unwrap();
    let engine_id = sender();
    let auth = key("authentic phrase").localize(engine_id.as_bytes());
    let privacy = key("private phrase").localize_for(PrivProtocol::Aes128, engine_id.as_bytes());
    let auth = AuthKey::new(AuthProtocol::HmacSha256_192, auth.expose()).unwrap();
    let privacy = PrivKey::new(PrivProtocol::Aes128, privacy.expose()).unwrap();
    Receiver(Arc::new(UserKeys::new(b"ops", Some(auth), Some(privacy))))
}

#[test]
fn usm_trap_is_authentic_with_the_keys_and_the_clock_of_the_sender() {
    let octets = encoded();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let options = SessionOptions { context_name: b"vlan".to_vec(), ..SessionOptions::default() };
        let mut encoder = with_options(Credentials::V3(user(level)), &options);
        let mut message = encoder.encode(clock(), variables(&octets)).unwrap().to_vec();
        let parsed = V3Message::parse(&message).unwrap();
        assert_eq!(parsed.header.flags.level(), Some(level));
        assert!(!parsed.header.flags.is_reportable());
        let (users, mut peers) = (receiver(), receiver());
        let own = "80007ed904ffffffffffffffff".parse().unwrap();
        let mut context = UsmIncomingContext {
            local: AuthoritativeEngine { engine_id: own, clock: ClockReading::default() },
            users: &users,
            peers: &mut peers,
            now: Timestamp::ZERO,
        };
        let incoming = process_incoming_msg(&mut context, &mut message, &parsed, level)
            .unwrap_or_else(|rejected| panic!("{:?}", rejected.reason));
        assert!(!incoming.authoritative);
        let scoped_pdu = incoming.scoped_pdu.clone();
        let mut scoped = ScopedPdu::parse(&mut Reader::new(&message[scoped_pdu])).unwrap();
        assert_eq!((scoped.context_engine_id, scoped.context_name), (sender().as_bytes(), &b"vlan"[..]));
        let pdu = Pdu::parse(&mut scoped.pdu).unwrap();
        assert_eq!((pdu.pdu_type, pdu.var_binds.encoded()), (PduType::TrapV2, &octets[..]));
    }
}

#[test]
fn two_encrypted_traps_differ_in_message_id_and_salt() {
    let octets = encoded();
    let mut encoder = encoder(Credentials::V3(user(SecurityLevel::AuthPriv)));
    let mut parts = || {
        let message = encoder.encode(clock(), variables(&octets)).unwrap().to_vec();
        let parsed = V3Message::parse(&message).unwrap();
        let ScopedPduData::Encrypted(range) = parsed.data else { panic!("expected an encrypted message") };
        (parsed.header.msg_id, message[range].to_vec())
    };
    let (first, second) = (parts(), parts());
    assert_ne!(first.0, second.0);
    assert_ne!(first.1, second.1);
}

#[test]
fn tsm_trap_is_not_reportable_and_names_the_context_engine() {
    let octets = encoded();
    let context_engine_id = "80007ed904aaaaaaaaaaaaaaaa".parse().unwrap();
    let options = SessionOptions { context_engine_id: Some(context_engine_id), ..SessionOptions::default() };
    let mut encoder = with_options(Credentials::Transport, &options);
    let message = encoder.encode(clock(), variables(&octets)).unwrap();
    let parsed = V3Message::parse(message).unwrap();
    assert_eq!(parsed.header.security_model, SecurityModel::TSM);
    assert_eq!(parsed.header.flags.level(), Some(SecurityLevel::AuthPriv));
    assert!(!parsed.header.flags.is_reportable());
    let ScopedPduData::Plaintext(range) = parsed.data else { panic!("expected plaintext") };
    let scoped = ScopedPdu::parse(&mut Reader::new(&message[range])).unwrap();
    assert_eq!(scoped.context_engine_id, context_engine_id.as_bytes());
}

#[test]
fn trap_above_the_maximum_size_is_refused() {
    let octets = encoded();
    let mut encoder = encoder(Credentials::V2c(Secret::from("public")));
    let length = encoder.encode(clock(), variables(&octets)).unwrap().len();
    for (max_message_size, fits) in [(length, true), (length - 1, false)] {
        let options = SessionOptions { max_message_size, ..SessionOptions::default() };
        let mut encoder = with_options(Credentials::V2c(Secret::from("public")), &options);
        let result = encoder.encode(clock(), variables(&octets));
        assert_eq!(result.is_ok(), fits, "{max_message_size}");
    }
}
