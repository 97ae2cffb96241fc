//! Users created, changed and destroyed over SNMP, as their clients see it (RFC 3414 §5, RFC 3415).

use std::time::Duration;

use portreeve_crypto::{AuthProtocol, LocalizedKey, PrivProtocol, make_key_change, password_to_key};
use portreeve_mib::{
    Object,
    modules::{
        community_mib::{SNMP_COMMUNITY_NAME, SNMP_COMMUNITY_SECURITY_NAME, SNMP_COMMUNITY_STATUS},
        framework_mib::SNMP_ENGINE_ID,
        snmpv2_mib::{SYS_CONTACT, SYS_NAME, SYSTEM},
        usm_mib::*,
        vacm_mib::*,
    },
};
use portreeve_secret::Secret;
use portreeve_smi::{ErrorStatus, OidRef, OwnedValue, Value};
use portreeve_snmp_manager::{
    ClientError, Credentials, Operation, RejectReason, Request, RequestError, RetryPolicy, UsmUser,
};

use crate::fixture::{Manager, OPS, OPS_AUTH, OPS_PRIV, Outcome, TestHome};

#[test]
fn user_created_by_set_works_at_once_and_after_restart() {
    let home = TestHome::with("users-made", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    made.text(&SYS_NAME);
    made.set_text(&SYS_CONTACT, "made over SNMP").unwrap();
    agent.end();
    let agent = home.run();
    // The session learns the new engineBoots, like a client that keeps running when the agent
    // restarts.
    made.text(&SYS_NAME);
    as_made(&home, AUTH, PRIV).text(&SYS_NAME);
    agent.reload_and_wait();
    made.text(&SYS_NAME);
}

/// `[weak]` also applies to rows made by SET: if it does not allow communities, new rows are
/// refused, and existing ones have no effect.
#[test]
fn review_l2_community_made_by_set_works_only_if_setting_weak_allows_it() {
    let home = TestHome::new("users-l2-community");
    home.write(&minimal_config(&home, "\"communities\""));
    let agent = home.run();
    make_community(&mut home.ops()).unwrap();
    home.with_community("made").text(&SYS_NAME);
    home.write(&minimal_config(&home, ""));
    agent.reload_and_wait();
    assert!(try_community(&home).is_err());
    agent.end();
    let agent = home.run();
    assert!(try_community(&home).is_err());
    let row = b"row".map(u32::from);
    home.ops().set(&[(&SNMP_COMMUNITY_STATUS, &row, Value::Integer(DESTROY))]).unwrap();
    assert_eq!(make_community(&mut home.ops()), Err((ErrorStatus::InconsistentValue, 3)));
    home.write(&minimal_config(&home, "\"communities\""));
    agent.reload_and_wait();
    make_community(&mut home.ops()).unwrap();
    home.with_community("made").text(&SYS_NAME);
}

#[test]
fn review_l2_no_auth_access_row_works_only_if_setting_weak_allows_it() {
    let home = TestHome::new("users-l2-access");
    home.write(&minimal_config(&home, "\"noAuthNoPriv\""));
    let agent = home.run();
    make_access(&mut home.ops(), "ops", 3);
    assert_eq!(unauthenticated_status(&home), ErrorStatus::NoError);
    home.write(&minimal_config(&home, ""));
    agent.reload_and_wait();
    assert_eq!(unauthenticated_status(&home), ErrorStatus::AuthorizationError);
    home.ops().text(&SYS_NAME);
}

/// A user who can read community strings could use one of them to write values.
#[test]
fn review_m6_default_view_of_reader_excludes_community_strings() {
    let reader = OPS.replace("access = \"write\"\nview = \"all\"\n", "access = \"read\"\n");
    let home = TestHome::with("users-m6", &reader.replace("\"ops\"", "\"watch\""));
    let _agent = home.run();
    let user = UsmUser::with_privacy(
        b"watch",
        (AuthProtocol::HmacSha256_192, &Secret::from(OPS_AUTH)),
        (PrivProtocol::Aes128, &Secret::from(OPS_PRIV)),
    );
    let mut watch = Manager::open(&home.udp(), Credentials::V3(user.unwrap()));
    watch.text(&SYS_NAME);
    let index: Vec<u32> = b"community-2".iter().map(|octet| u32::from(*octet)).collect();
    assert_eq!(watch.get(&SNMP_COMMUNITY_NAME, &index), OwnedValue::NoSuchObject);
    assert_eq!(home.ops().get(&SNMP_COMMUNITY_NAME, &index), OwnedValue::from(Value::OctetString(b"change")));
}

#[test]
fn key_change_applies_at_once_and_after_restart() {
    let home = TestHome::with("users-changed", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut old = as_made(&home, AUTH, PRIV);
    old.text(&SYS_NAME);
    // The user changes its own key, for which it needs only its old key.
    let change = change(&auth_key(AUTH, &engine_id), &auth_key("signs for another", &engine_id));
    let row = user_index(&engine_id, NAME);
    old.set(&[(&USM_USER_OWN_AUTH_KEY_CHANGE, &row, Value::OctetString(&change))]).unwrap();
    assert_refused(&mut old, RejectReason::WrongDigest);
    assert_refused(&mut as_made(&home, AUTH, PRIV), RejectReason::WrongDigest);
    as_made(&home, "signs for another", PRIV).text(&SYS_NAME);
    agent.kill();
    let _agent = home.run();
    assert_refused(&mut as_made(&home, AUTH, PRIV), RejectReason::WrongDigest);
    as_made(&home, "signs for another", PRIV).text(&SYS_NAME);
}

#[test]
fn destroyed_user_is_unknown_at_once_and_after_restart() {
    let home = TestHome::with("users-destroyed", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    make_user(&mut home.ops(), &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    made.text(&SYS_NAME);
    let row = user_index(&engine_id, NAME);
    home.ops().set(&[(&USM_USER_STATUS, &row, Value::Integer(DESTROY))]).unwrap();
    assert_refused(&mut made, RejectReason::UnknownUserName);
    agent.kill();
    let _agent = home.run();
    assert_refused(&mut as_made(&home, AUTH, PRIV), RejectReason::UnknownUserName);
}

#[test]
fn vacm_rows_made_over_snmp_apply_at_once_and_after_restart() {
    let home = TestHome::with("users-view", "");
    let agent = home.run();
    let engine_id = home.reader().octets(&SNMP_ENGINE_ID);
    let mut ops = home.ops();
    make_user(&mut ops, &engine_id);
    let mut made = as_made(&home, AUTH, PRIV);
    assert!(matches!(made.get(&SNMP_ENGINE_ID, &[0]), OwnedValue::OctetString(_)));
    // Moves the user into a separate group, which may only read the system group.
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
    agent.reload_and_wait();
    is_narrowed(&mut made);
    agent.kill();
    let _agent = home.run();
    is_narrowed(&mut made);
    home.ops().set(&[(&VACM_ACCESS_STATUS, &access, Value::Integer(DESTROY))]).unwrap();
    made.set_text(&SYS_NAME, "no").unwrap_err();
}

#[test]
fn user_is_denied_access_when_its_group_row_is_destroyed() {
    let home = TestHome::with("users-groupless", "");
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

/// Returns a configuration with the user `ops` and these weak choices.
fn minimal_config(home: &TestHome, weak: &str) -> String {
    format!(
        "[agent]\nstate-dir = \"state\"\nworkers = 2\n[weak]\nallow = [{weak}]\n\
         [[listen]]\naddress = \"127.0.0.1:{}\"\n{OPS}",
        home.port
    )
}

/// Creates the community `made`, which may read everything.
fn make_community(ops: &mut Manager) -> Outcome {
    let row = b"row".map(u32::from);
    ops.set(&[
        (&SNMP_COMMUNITY_NAME, &row, Value::OctetString(b"made")),
        (&SNMP_COMMUNITY_SECURITY_NAME, &row, Value::OctetString(b"made")),
        (&SNMP_COMMUNITY_STATUS, &row, Value::Integer(CREATE_AND_GO)),
    ])?;
    let row = [vec![2], index(b"made")].concat();
    // This SET fails if the rows exist already: they remain when the community is destroyed.
    let _ = ops.set(&[
        (&VACM_GROUP_NAME, &row, Value::OctetString(b"made")),
        (&VACM_SECURITY_TO_GROUP_STATUS, &row, Value::Integer(CREATE_AND_GO)),
    ]);
    make_access(ops, "made", 2);
    Ok(())
}

/// Lets a group read everything at noAuthNoPriv with this security model.
fn make_access(ops: &mut Manager, group: &str, model: u32) {
    let row = [index(group.as_bytes()), vec![0, model, 1]].concat();
    let _ = ops.set(&[
        (&VACM_ACCESS_READ_VIEW_NAME, &row, Value::OctetString(b"all")),
        (&VACM_ACCESS_STATUS, &row, Value::Integer(CREATE_AND_GO)),
    ]);
}

/// Reads sysName with the community `made`.
fn try_community(home: &TestHome) -> Result<OwnedValue, ClientError> {
    let credentials = Credentials::V2c(Secret::from("made"));
    Manager::with(&home.udp(), credentials, RetryPolicy::fixed(Duration::from_millis(300), 0))
        .try_get(&SYS_NAME, &[0])
}

/// Returns the error-status of a GET of sysName by `ops` at noAuthNoPriv.
fn unauthenticated_status(home: &TestHome) -> ErrorStatus {
    let user = UsmUser::unauthenticated(b"ops");
    let mut manager = Manager::open(&home.udp(), Credentials::V3(user));
    let request = Request::read(Operation::Get, [instance(&SYS_NAME, &[0])]);
    manager.client.request(&request).unwrap().error_status().unwrap()
}

/// Clones `ops` as [`NAME`], with different keys and the same rights.
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

fn as_made(home: &TestHome, auth: &str, privacy: &str) -> Manager {
    let (auth, privacy) = (Secret::from(auth), Secret::from(privacy));
    let user =
        UsmUser::with_privacy(NAME.as_bytes(), (SIGNING, &auth), (PrivProtocol::Aes128, &privacy)).unwrap();
    Manager::open(&home.udp(), Credentials::V3(user))
}

fn assert_refused(manager: &mut Manager, refusal: RejectReason) {
    let error = manager.try_get(&SYS_NAME, &[0]).unwrap_err();
    assert_eq!(error.to_string(), RequestError::Rejected(refusal).to_string());
}

fn auth_key(pass_phrase: &str, engine_id: &[u8]) -> Vec<u8> {
    let master = password_to_key(SIGNING, &Secret::from(pass_phrase)).unwrap();
    master.localize(engine_id).expose().to_vec()
}

fn priv_key(pass_phrase: &str, engine_id: &[u8]) -> Vec<u8> {
    let master = password_to_key(SIGNING, &Secret::from(pass_phrase)).unwrap();
    master.localize_for(PrivProtocol::Aes128, engine_id).expose().to_vec()
}

/// Returns a KeyChange value.
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
