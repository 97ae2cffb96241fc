//! A user made, changed and destroyed over SNMP, as its clients see it (RFC 3414 §5, RFC 3415).

use portreeve_crypto::{AuthProtocol, LocalizedKey, PrivProtocol, make_key_change, password_to_key};
use portreeve_mib::{
    Object,
    modules::{
        framework_mib::SNMP_ENGINE_ID,
        snmpv2_mib::{SYS_CONTACT, SYS_NAME, SYSTEM},
        usm_mib::*,
        vacm_mib::*,
    },
};
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, OidRef, OwnedValue, Value};
use portreeve_snmp_manager::{Credentials, Operation, Refusal, Request, RequestError, UsmUser};

use crate::fixture::{Home, Manager, OPS_AUTH, OPS_PRIV};

#[test]
fn a_user_made_over_snmp_works_at_once_and_after_a_restart() {
    let home = Home::with("users-made", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    made.text(&SYS_NAME);
    made.set_text(&SYS_CONTACT, "made over SNMP").unwrap();
    agent.end();
    let agent = home.run();
    // The session has learnt the new boots, as a client that outlives the agent does.
    made.text(&SYS_NAME);
    as_made(&home, AUTH, PRIV).text(&SYS_NAME);
    agent.hang_up();
    made.text(&SYS_NAME);
}

#[test]
fn a_changed_key_counts_at_once_and_the_old_one_never_again() {
    let home = Home::with("users-changed", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut old = as_made(&home, AUTH, PRIV);
    old.text(&SYS_NAME);
    // By the user itself, who needs no more than its own old key.
    let change = change(&auth_key(AUTH, &engine_id), &auth_key("signs for another", &engine_id));
    let row = user_index(&engine_id, NAME);
    old.set(&[(&USM_USER_OWN_AUTH_KEY_CHANGE, &row, Value::OctetString(&change))]).unwrap();
    assert_refused(&mut old, Refusal::WrongDigest);
    assert_refused(&mut as_made(&home, AUTH, PRIV), Refusal::WrongDigest);
    as_made(&home, "signs for another", PRIV).text(&SYS_NAME);
    agent.kill();
    let _agent = home.run();
    assert_refused(&mut as_made(&home, AUTH, PRIV), Refusal::WrongDigest);
    as_made(&home, "signs for another", PRIV).text(&SYS_NAME);
}

#[test]
fn a_destroyed_user_is_unknown_at_once_and_after_a_restart() {
    let home = Home::with("users-destroyed", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    made.text(&SYS_NAME);
    let row = user_index(&engine_id, NAME);
    home.ops().set(&[(&USM_USER_STATUS, &row, Value::Integer(DESTROY))]).unwrap();
    assert_refused(&mut made, Refusal::UnknownUserName);
    agent.kill();
    let _agent = home.run();
    assert_refused(&mut as_made(&home, AUTH, PRIV), Refusal::UnknownUserName);
}

#[test]
fn views_and_access_made_over_snmp_count_at_once_and_after_a_restart() {
    let home = Home::with("users-view", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    let mut ops = home.ops();
    make_user(&mut ops, &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    assert!(matches!(made.get(&SNMP_ENGINE_ID, &[0]), OwnedValue::OctetString(_)));
    // From now on it is in a group of its own, which sees no more than the system group and changes nothing.
    let create = Value::Integer(CREATE_AND_GO);
    let subtree = SYSTEM.oid();
    let arcs = std::iter::once(subtree.len() as u32).chain(subtree.iter().copied());
    let view: Vec<u32> = index(b"narrow").into_iter().chain(arcs).collect();
    let access = [index(b"narrowed"), index(b""), vec![3, 3]].concat();
    let narrow = Value::OctetString(b"narrow");
    ops.set(&[(&VACM_VIEW_TREE_FAMILY_STATUS, &view, create)]).unwrap();
    ops.set(&[(&VACM_ACCESS_READ_VIEW_NAME, &access, narrow), (&VACM_ACCESS_STATUS, &access, create)])
        .unwrap();
    let group = Value::OctetString(b"narrowed");
    ops.set(&[(&VACM_GROUP_NAME, &group_index(NAME), group)]).unwrap();
    let is_narrowed = |made: &mut Manager| {
        made.text(&SYS_NAME);
        assert_eq!(made.get(&SNMP_ENGINE_ID, &[0]), OwnedValue::NoSuchObject);
        assert_eq!(made.set_text(&SYS_NAME, "no"), Err((ErrorStatus::NoAccess, 1)));
    };
    is_narrowed(&mut made);
    agent.hang_up();
    is_narrowed(&mut made);
    agent.kill();
    let _agent = home.run();
    is_narrowed(&mut made);
    home.ops().set(&[(&VACM_ACCESS_STATUS, &access, Value::Integer(DESTROY))]).unwrap();
    made.set_text(&SYS_NAME, "no").unwrap_err();
}

#[test]
fn a_user_whose_group_row_is_destroyed_may_do_nothing_any_more() {
    let home = Home::with("users-groupless", "");
    let _agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    made.text(&SYS_NAME);
    let row = group_index(NAME);
    home.ops().set(&[(&VACM_SECURITY_TO_GROUP_STATUS, &row, Value::Integer(DESTROY))]).unwrap();
    assert!(made.set_text(&SYS_NAME, "no").is_err());
    let request = Request::read(Operation::Get, [instance(&SYS_NAME, &[0])]);
    let response = made.client.request(&request).unwrap();
    assert_eq!(response.error_status(), Some(ErrorStatus::AuthorizationError));
}

/// Clones `ops`, gives the clone keys of its own and the same rights, as `ops` would.
fn make_user(ops: &mut Manager, engine_id: &[u8]) {
    let row = user_index(engine_id, NAME);
    let template = instance(&USM_USER_SECURITY_NAME, &user_index(engine_id, "ops"));
    ops.set(&[
        (&USM_USER_CLONE_FROM, &row, Value::ObjectId(OidRef::Arcs(&template))),
        (&USM_USER_STATUS, &row, Value::Integer(CREATE_AND_WAIT)),
    ])
    .unwrap();
    let auth = change(&auth_key(OPS_AUTH, engine_id), &auth_key(AUTH, engine_id));
    let privacy = change(&priv_key(OPS_PRIV, engine_id), &priv_key(PRIV, engine_id));
    ops.set(&[(&USM_USER_AUTH_KEY_CHANGE, &row, Value::OctetString(&auth))]).unwrap();
    ops.set(&[(&USM_USER_PRIV_KEY_CHANGE, &row, Value::OctetString(&privacy))]).unwrap();
    ops.set(&[(&USM_USER_STATUS, &row, Value::Integer(ACTIVE))]).unwrap();
    let OwnedValue::OctetString(group) = ops.get(&VACM_GROUP_NAME, &group_index("ops")) else {
        panic!("ops has no group")
    };
    let row = group_index(NAME);
    ops.set(&[
        (&VACM_GROUP_NAME, &row, Value::OctetString(&group)),
        (&VACM_SECURITY_TO_GROUP_STATUS, &row, Value::Integer(CREATE_AND_GO)),
    ])
    .unwrap();
}

fn as_made(home: &Home, auth: &str, privacy: &str) -> Manager {
    let (auth, privacy) = (Secret::from(auth), Secret::from(privacy));
    let user =
        UsmUser::with_privacy(NAME.as_bytes(), (SIGNING, &auth), (PrivProtocol::Aes128, &privacy)).unwrap();
    Manager::open(&home.udp(), Credentials::V3(user))
}

fn assert_refused(manager: &mut Manager, refusal: Refusal) {
    let error = manager.try_get(&SYS_NAME, &[0]).unwrap_err();
    assert_eq!(error.to_string(), RequestError::Refused(refusal).to_string());
}

fn auth_key(pass_phrase: &str, engine_id: &[u8]) -> Vec<u8> {
    let master = password_to_key(SIGNING, &Secret::from(pass_phrase)).unwrap();
    master.localize(engine_id).expose().to_vec()
}

fn priv_key(pass_phrase: &str, engine_id: &[u8]) -> Vec<u8> {
    let master = password_to_key(SIGNING, &Secret::from(pass_phrase)).unwrap();
    master.localize_for(PrivProtocol::Aes128, engine_id).expose().to_vec()
}

/// A KeyChange value.
fn change(old: &[u8], new: &[u8]) -> Vec<u8> {
    let key = |octets| LocalizedKey::from_octets(octets).unwrap();
    make_key_change(SIGNING, &key(old), &key(new), &vec![0x5a; old.len()]).unwrap()
}

fn user_index(engine_id: &[u8], name: &str) -> Vec<u32> {
    [index(engine_id), index(name.as_bytes())].concat()
}

fn group_index(name: &str) -> Vec<u32> {
    [vec![3], index(name.as_bytes())].concat()
}

fn index(octets: &[u8]) -> Vec<u32> {
    std::iter::once(octets.len() as u32).chain(octets.iter().map(|octet| u32::from(*octet))).collect()
}

fn instance(object: &Object, row: &[u32]) -> Vec<u32> {
    [&object.oid()[..], row].concat()
}

const SIGNING: AuthProtocol = AuthProtocol::HmacSha256_192;
const NAME: &str = "made";
const AUTH: &str = "signs for made";
const PRIV: &str = "hides for made";

const ACTIVE: i32 = 1;
const CREATE_AND_GO: i32 = 4;
const CREATE_AND_WAIT: i32 = 5;
const DESTROY: i32 = 6;
