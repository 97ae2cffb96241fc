//! usmUserTable: cloning users and changing keys (RFC 3414 §5).

use portreeve_crypto::{AuthProtocol, LocalizedKey, make_key_change};
use portreeve_mib::{
    Object,
    modules::{usm_aes_mib::*, usm_hmac_sha2_mib::*, usm_mib::*},
};
use portreeve_smi::{ErrorStatus, Oid, OidRef, OwnedValue, SecurityModel, Value};

use super::agent::*;

/// Returns a KeyChange value from `old` to `new` with SHA-256.
fn key_change(old: &[u8], new: &[u8]) -> Vec<u8> {
    let key = |octets| LocalizedKey::from_octets(octets).unwrap();
    let random = vec![0x5a; old.len()];
    make_key_change(AuthProtocol::HmacSha256_192, &key(old), &key(new), &random).unwrap()
}

fn auth_key(agent: &TestAgent, name: &str) -> Vec<u8> {
    let lcd = agent.lcd();
    lcd.user(&engine_id(), name.as_bytes()).unwrap().auth.as_ref().unwrap().key.expose().to_vec()
}

fn priv_key(agent: &TestAgent, name: &str) -> Vec<u8> {
    let lcd = agent.lcd();
    lcd.user(&engine_id(), name.as_bytes()).unwrap().privacy.as_ref().unwrap().key.expose().to_vec()
}

fn agent_with(names: &[&str]) -> TestAgent {
    let mut agent = TestAgent::new();
    agent.change(|tables| names.iter().for_each(|name| tables.insert(user(name))));
    agent
}

fn pointer_to(name: &str) -> Oid {
    Oid::new(&name_of(&USM_USER_SECURITY_NAME, &user_index(name))).unwrap()
}

fn oid_of(object: &Object) -> Oid {
    Oid::new(&object.oid()).unwrap()
}

#[test]
fn cloned_user_can_be_activated_after_its_keys_are_changed() {
    let mut agent = agent_with(&["template"]);
    let index = user_index("new");
    let template = pointer_to("template");
    let clone = (&USM_USER_CLONE_FROM, &index[..], Value::ObjectId(OidRef::Arcs(&template)));
    let status = |status| (&USM_USER_STATUS, &index[..], status);

    agent.set(&[clone, status(CREATE_AND_WAIT)]).unwrap();
    assert_eq!(agent.integer(&USM_USER_STATUS, &index), Some(3));
    assert_eq!(
        agent.get(&USM_USER_AUTH_PROTOCOL, &index),
        Some(OwnedValue::ObjectId(oid_of(&USM_HMAC192_SHA256_AUTH_PROTOCOL)))
    );
    assert_eq!(auth_key(&agent, "new"), [7; 32]);
    assert_eq!(agent.set(&[status(ACTIVE)]), Err((0, ErrorStatus::InconsistentValue)));

    let auth = key_change(&[7; 32], &[1; 32]);
    agent.set(&[(&USM_USER_AUTH_KEY_CHANGE, &index, Value::OctetString(&auth))]).unwrap();
    assert_eq!(agent.integer(&USM_USER_STATUS, &index), Some(3), "the privacy key is still the template's");
    let privacy = key_change(&[8; 16], &[2; 16]);
    agent.set(&[(&USM_USER_PRIV_KEY_CHANGE, &index, Value::OctetString(&privacy))]).unwrap();
    assert_eq!(agent.integer(&USM_USER_STATUS, &index), Some(2));
    agent.set(&[status(ACTIVE)]).unwrap();

    assert_eq!(auth_key(&agent, "new"), [1; 32]);
    assert_eq!(priv_key(&agent, "new"), [2; 16]);
    assert_eq!(auth_key(&agent, "template"), [7; 32]);
    assert_eq!(agent.octets(&USM_USER_SECURITY_NAME, &index).unwrap(), b"new");
    assert_eq!(
        agent.get(&USM_USER_CLONE_FROM, &index),
        Some(OwnedValue::ObjectId(Oid::new(&[0, 0]).unwrap()))
    );
    assert_eq!(auth_key(&agent.restarted(), "new"), [1; 32]);
}

#[test]
fn user_with_keys_is_created_in_one_request() {
    let mut agent = agent_with(&["template"]);
    let index = user_index("new");
    let template = pointer_to("template");
    let (auth, privacy) = (key_change(&[7; 32], &[1; 32]), key_change(&[8; 16], &[2; 16]));
    let request = [
        (&USM_USER_PRIV_KEY_CHANGE, &index[..], Value::OctetString(&privacy)),
        (&USM_USER_AUTH_KEY_CHANGE, &index[..], Value::OctetString(&auth)),
        (&USM_USER_STATUS, &index[..], CREATE_AND_GO),
        (&USM_USER_CLONE_FROM, &index[..], Value::ObjectId(OidRef::Arcs(&template))),
    ];
    assert_eq!(agent.set(&request[1..]), Err((1, ErrorStatus::InconsistentValue)));
    agent.set(&request).unwrap();
    assert_eq!(agent.integer(&USM_USER_STATUS, &index), Some(1));
}

#[test]
fn clone_from_is_rejected_when_template_user_is_missing_or_inactive() {
    let mut agent = agent_with(&["template"]);
    let index = user_index("new");
    let clone_from = |pointer: &Oid| {
        let pointer = pointer.clone();
        let index = index.clone();
        move |agent: &mut TestAgent| {
            agent.set(&[
                (&USM_USER_CLONE_FROM, &index, Value::ObjectId(OidRef::Arcs(&pointer))),
                (&USM_USER_STATUS, &index, CREATE_AND_WAIT),
            ])
        }
    };
    for pointer in
        [pointer_to("missing"), Oid::new(&[0, 0]).unwrap(), oid_of(&USM_USER_ENTRY), pointer_to("new")]
    {
        assert_eq!(clone_from(&pointer)(&mut agent), Err((0, ErrorStatus::InconsistentName)), "{pointer}");
    }
    agent.set(&[(&USM_USER_STATUS, &user_index("template"), NOT_IN_SERVICE)]).unwrap();
    let pointer = pointer_to("template");
    assert_eq!(clone_from(&pointer)(&mut agent), Err((0, ErrorStatus::InconsistentName)));
}

#[test]
fn clone_from_has_no_effect_on_user_that_was_already_cloned() {
    let mut agent = agent_with(&["template", "ops"]);
    let template = pointer_to("template");
    let change = key_change(&[7; 32], &[1; 32]);
    let index = user_index("ops");
    agent.set(&[(&USM_USER_AUTH_KEY_CHANGE, &index, Value::OctetString(&change))]).unwrap();
    agent.set(&[(&USM_USER_CLONE_FROM, &index, Value::ObjectId(OidRef::Arcs(&template)))]).unwrap();
    assert_eq!(auth_key(&agent, "ops"), [1; 32]);
}

#[test]
fn key_change_fails_before_user_is_cloned() {
    let mut agent = TestAgent::new();
    let index = user_index("new");
    agent.set(&[(&USM_USER_STATUS, &index, CREATE_AND_WAIT)]).unwrap();
    for object in [&USM_USER_AUTH_KEY_CHANGE, &USM_USER_PRIV_KEY_CHANGE] {
        let outcome = agent.set(&[(object, &index, Value::OctetString(&[0; 64]))]);
        assert_eq!(outcome, Err((0, ErrorStatus::InconsistentName)));
    }
}

#[test]
fn key_change_takes_effect_immediately() {
    let mut agent = agent_with(&["ops"]);
    let index = user_index("ops");
    let first = key_change(&[7; 32], &[1; 32]);
    agent.set(&[(&USM_USER_AUTH_KEY_CHANGE, &index, Value::OctetString(&first))]).unwrap();
    assert_eq!(auth_key(&agent, "ops"), [1; 32]);
    assert_eq!(agent.octets(&USM_USER_AUTH_KEY_CHANGE, &index).unwrap(), b"");
    // A second change is relative to the new key.
    let second = key_change(&[1; 32], &[9; 32]);
    agent.set(&[(&USM_USER_AUTH_KEY_CHANGE, &index, Value::OctetString(&second))]).unwrap();
    assert_eq!(auth_key(&agent, "ops"), [9; 32]);
    assert_eq!(auth_key(&agent.restarted_with_change(), "ops"), [9; 32]);
}

impl TestAgent {
    fn restarted_with_change(&mut self) -> Self {
        assert_eq!(self.records().len(), 1);
        self.restarted()
    }
}

#[test]
fn key_change_of_wrong_length_is_rejected() {
    let mut agent = agent_with(&["ops"]);
    for (object, good) in [(&USM_USER_AUTH_KEY_CHANGE, 64), (&USM_USER_PRIV_KEY_CHANGE, 32)] {
        for length in (0..200).filter(|length| *length != good) {
            let octets = vec![1; length];
            let outcome = agent.set(&[(object, &user_index("ops"), Value::OctetString(&octets))]);
            assert_eq!(outcome, Err((0, ErrorStatus::WrongLength)), "{} {length}", object.name);
        }
    }
}

#[test]
fn own_key_change_is_accepted_only_from_same_user_over_usm() {
    let mut agent = agent_with(&["ops", "other"]);
    let auth = key_change(&[7; 32], &[1; 32]);
    let privacy = key_change(&[8; 16], &[2; 16]);
    let (own, other) = (user_index("ops"), user_index("other"));
    for (object, change) in
        [(&USM_USER_OWN_AUTH_KEY_CHANGE, &auth), (&USM_USER_OWN_PRIV_KEY_CHANGE, &privacy)]
    {
        let change = Value::OctetString(change);
        assert_eq!(agent.set(&[(object, &other, change)]), Err((0, ErrorStatus::NoAccess)));
        for model in [SecurityModel::TSM, SecurityModel::SNMP_V2C] {
            agent.security_model = model;
            assert_eq!(agent.set(&[(object, &own, change)]), Err((0, ErrorStatus::NoAccess)));
        }
        agent.security_model = SecurityModel::USM;
        assert_eq!(agent.set(&[(object, &own, change)]), Ok(()));
    }
    assert_eq!((auth_key(&agent, "ops"), priv_key(&agent, "ops")), (vec![1; 32], vec![2; 16]));
    assert_eq!((auth_key(&agent, "other"), priv_key(&agent, "other")), (vec![7; 32], vec![8; 16]));
}

#[test]
fn own_key_change_fails_when_user_not_in_service() {
    let mut agent = agent_with(&["ops"]);
    let index = user_index("ops");
    agent.set(&[(&USM_USER_STATUS, &index, NOT_IN_SERVICE)]).unwrap();
    let change = key_change(&[7; 32], &[1; 32]);
    let outcome = agent.set(&[(&USM_USER_OWN_AUTH_KEY_CHANGE, &index, Value::OctetString(&change))]);
    assert_eq!(outcome, Err((0, ErrorStatus::InconsistentValue)));
}

#[test]
fn auth_and_priv_protocols_of_user_can_be_removed_but_not_replaced() {
    let mut agent = agent_with(&["ops"]);
    let index = user_index("ops");
    let set = |object, protocol: &'static Object| {
        let protocol = oid_of(protocol);
        let index = index.clone();
        move |agent: &mut TestAgent| agent.set(&[(object, &index, Value::ObjectId(OidRef::Arcs(&protocol)))])
    };
    let auth = &USM_USER_AUTH_PROTOCOL;
    let privacy = &USM_USER_PRIV_PROTOCOL;
    let inconsistent = Err((0, ErrorStatus::InconsistentValue));
    assert_eq!(set(auth, &USM_NO_AUTH_PROTOCOL)(&mut agent), inconsistent);
    assert_eq!(set(auth, &USM_HMAC_MD5_AUTH_PROTOCOL)(&mut agent), inconsistent);
    assert_eq!(set(privacy, &USM_DES_PRIV_PROTOCOL)(&mut agent), inconsistent);
    assert_eq!(set(auth, &USM_AES_CFB128_PROTOCOL)(&mut agent), Err((0, ErrorStatus::WrongValue)));
    assert_eq!(set(auth, &USM_HMAC192_SHA256_AUTH_PROTOCOL)(&mut agent), Ok(()));
    assert_eq!(set(privacy, &USM_NO_PRIV_PROTOCOL)(&mut agent), Ok(()));
    assert_eq!(set(privacy, &USM_AES_CFB128_PROTOCOL)(&mut agent), inconsistent);
    assert_eq!(set(auth, &USM_NO_AUTH_PROTOCOL)(&mut agent), Ok(()));
    let lcd = agent.lcd();
    let row = lcd.user(&engine_id(), b"ops").unwrap();
    assert!(row.auth.is_none() && row.privacy.is_none() && row.is_active());
}

#[test]
fn key_change_of_user_without_protocol_is_ignored() {
    let mut agent = TestAgent::new();
    agent.change(|tables| {
        let mut row = user("plain");
        (row.columns.auth, row.columns.privacy) = (None, None);
        tables.insert(row);
    });
    let index = user_index("plain");
    for object in [&USM_USER_AUTH_KEY_CHANGE, &USM_USER_PRIV_KEY_CHANGE] {
        assert_eq!(agent.set(&[(object, &index, Value::OctetString(b"whatever"))]), Ok(()));
    }
}

#[test]
fn set_of_user_public_value_and_key_change_is_atomic() {
    let mut agent = agent_with(&["ops"]);
    let index = user_index("ops");
    let change = key_change(&[7; 32], &[1; 32]);
    let request = |change| {
        [
            (&USM_USER_PUBLIC, &index[..], Value::OctetString(b"note")),
            (&USM_USER_AUTH_KEY_CHANGE, &index[..], Value::OctetString(change)),
        ]
    };
    assert_eq!(agent.set(&request(&change[1..])), Err((1, ErrorStatus::WrongLength)));
    assert_eq!(agent.octets(&USM_USER_PUBLIC, &index).unwrap(), b"");
    agent.set(&request(&change)).unwrap();
    assert_eq!(agent.octets(&USM_USER_PUBLIC, &index).unwrap(), b"note");
}
