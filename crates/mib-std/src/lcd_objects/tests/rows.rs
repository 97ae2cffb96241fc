//! Behavior of individual tables, and of several tables in one request.

use portreeve_lcd::Tables;
use portreeve_mib::modules::{
    community_mib::*, notification_mib::*, target_mib::*, tls_tm_mib::*, transport_address_mib::*,
    vacm_mib::*,
};
use portreeve_smi::{ErrorStatus, OidRef, OwnedValue, SecurityModel, Value};

use super::agent::*;

#[test]
fn set_of_rows_in_several_tables_is_atomic() {
    let mut agent = TestAgent::new();
    let group = [vec![3], counted(b"ops")].concat();
    let community = implied(b"c1");
    let with_community_name = |name| {
        [
            (&VACM_GROUP_NAME, &group[..], Value::OctetString(b"operators")),
            (&SNMP_COMMUNITY_STATUS, &community[..], CREATE_AND_GO),
            (&VACM_SECURITY_TO_GROUP_STATUS, &group[..], CREATE_AND_GO),
            (&SNMP_COMMUNITY_NAME, &community[..], Value::OctetString(b"public")),
            (name, &community[..], Value::OctetString(b"guest")),
        ]
    };
    let failing = with_community_name(&SNMP_COMMUNITY_CONTEXT_NAME);
    assert_eq!(agent.set(&failing), Err((1, ErrorStatus::InconsistentValue)));
    assert_eq!(agent.get(&VACM_GROUP_NAME, &group), None);
    assert_eq!(agent.datastore.state().current().generation, 0);

    agent.set(&with_community_name(&SNMP_COMMUNITY_SECURITY_NAME)).unwrap();
    let lcd = agent.lcd();
    assert_eq!(lcd.group(SecurityModel::USM, b"ops"), Some(&b"operators"[..]));
    assert_eq!(lcd.communities_matching(b"public").len(), 1);
}

#[test]
fn review_l2_row_with_disallowed_weakness_cannot_become_active() {
    let mut agent = TestAgent::with(Tables::default());
    let row = implied(b"c1");
    let with_status = |status| {
        [
            (&SNMP_COMMUNITY_NAME, &row[..], Value::OctetString(b"public")),
            (&SNMP_COMMUNITY_SECURITY_NAME, &row[..], Value::OctetString(b"guest")),
            (&SNMP_COMMUNITY_STATUS, &row[..], status),
        ]
    };
    assert_eq!(agent.set(&with_status(CREATE_AND_GO)), Err((2, ErrorStatus::InconsistentValue)));
    agent.set(&with_status(CREATE_AND_WAIT)).unwrap();
    let activate = (&SNMP_COMMUNITY_STATUS, &row[..], ACTIVE);
    assert_eq!(agent.set(&[activate]), Err((0, ErrorStatus::InconsistentValue)));
    agent.set(&[(&SNMP_COMMUNITY_STATUS, &row, DESTROY)]).unwrap();
}

#[test]
fn review_l2_sha1_certificate_rule_cannot_become_active_unless_allowed() {
    let mut agent = TestAgent::with(Tables::default());
    let mut set = |algorithm: u8, length: usize| {
        let fingerprint = [vec![algorithm], vec![0x5a; length]].concat();
        let row = [7];
        agent.set(&[
            (&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &row, Value::OctetString(&fingerprint)),
            (&SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS, &row, CREATE_AND_GO),
        ])
    };
    assert_eq!(set(2, 20), Err((1, ErrorStatus::InconsistentValue)));
    set(4, 32).unwrap();
}

#[test]
fn set_that_cannot_be_stored_does_not_change_tables() {
    let mut agent = TestAgent::new();
    let group = [vec![3], counted(b"ops")].concat();
    agent.fail_writes();
    let failed = agent.set(&[
        (&VACM_SECURITY_TO_GROUP_STATUS, &group, CREATE_AND_WAIT),
        (&SNMP_NOTIFY_ROW_STATUS, &implied(b"n"), CREATE_AND_GO),
    ]);
    assert_eq!(failed, Err((0, ErrorStatus::CommitFailed)));
    assert_eq!(agent.get(&VACM_SECURITY_TO_GROUP_STATUS, &group), None);
    assert_eq!(agent.get(&SNMP_NOTIFY_ROW_STATUS, &implied(b"n")), None);
}

#[test]
fn group_name_of_active_row_can_be_changed() {
    let mut agent = TestAgent::new();
    let index = [vec![3], counted(b"ops")].concat();
    let name = |name| (&VACM_GROUP_NAME, &index[..], Value::OctetString(name));
    agent.set(&[name(b"a"), (&VACM_SECURITY_TO_GROUP_STATUS, &index, CREATE_AND_GO)]).unwrap();
    agent.set(&[name(b"b")]).unwrap();
    assert_eq!(agent.lcd().group(SecurityModel::USM, b"ops"), Some(&b"b"[..]));
}

#[test]
fn view_changes_take_effect_immediately() {
    let mut agent = TestAgent::new();
    let index = [counted(b"v"), vec![3, 1, 3, 6]].concat();
    agent
        .set(&[
            (&VACM_VIEW_TREE_FAMILY_MASK, &index, Value::OctetString(&[0xc0])),
            (&VACM_VIEW_TREE_FAMILY_STATUS, &index, CREATE_AND_GO),
        ])
        .unwrap();
    let lcd = agent.lcd();
    assert!(lcd.view(b"v").unwrap().contains(&[1, 3, 9]));
    agent.set(&[(&VACM_VIEW_TREE_FAMILY_TYPE, &index, Value::Integer(2))]).unwrap();
    assert!(!agent.lcd().view(b"v").unwrap().contains(&[1, 3, 9]));
}

#[test]
fn context_engine_id_of_community_defaults_to_local_and_is_validated() {
    let mut agent = TestAgent::new();
    let index = implied(b"c1");
    agent.set(&[(&SNMP_COMMUNITY_STATUS, &index, CREATE_AND_WAIT)]).unwrap();
    let value = agent.octets(&SNMP_COMMUNITY_CONTEXT_ENGINE_ID, &index).unwrap();
    assert_eq!(value, engine_id().as_bytes());
    let set = |octets| (&SNMP_COMMUNITY_CONTEXT_ENGINE_ID, &index[..], Value::OctetString(octets));
    assert_eq!(agent.set(&[set(&[0; 5])]), Err((0, ErrorStatus::WrongValue)));
    assert_eq!(agent.set(&[set(&[0xff; 32])]), Err((0, ErrorStatus::WrongValue)));
    agent.set(&[set(b"other")]).unwrap();
    assert_eq!(agent.octets(&SNMP_COMMUNITY_CONTEXT_ENGINE_ID, &index).unwrap(), b"other");
}

/// Returns the variables that create a complete target address.
fn target<'a>(index: &'a [u32], address: &'a [u8], status: Value<'a>) -> Vec<Variable<'a>> {
    const UDP_IPV4: [u32; 9] = [1, 3, 6, 1, 2, 1, 100, 1, 1];
    vec![
        (&SNMP_TARGET_ADDR_T_DOMAIN, index, Value::ObjectId(OidRef::Arcs(&UDP_IPV4))),
        (&SNMP_TARGET_ADDR_T_ADDRESS, index, Value::OctetString(address)),
        (&SNMP_TARGET_ADDR_PARAMS, index, Value::OctetString(b"p")),
        (&SNMP_TARGET_ADDR_ROW_STATUS, index, status),
    ]
}

#[test]
fn address_and_mask_of_target_cannot_be_changed_while_row_is_active() {
    let mut agent = TestAgent::new();
    let index = implied(b"nms");
    agent.set(&target(&index, &[192, 0, 2, 1, 0, 162], CREATE_AND_GO)).unwrap();
    let address = (&SNMP_TARGET_ADDR_T_ADDRESS, &index[..], Value::OctetString(&[192, 0, 2, 2, 0, 162]));
    let mask = (&SNMP_TARGET_ADDR_T_MASK, &index[..], Value::OctetString(&[255; 6]));
    let status = |status| (&SNMP_TARGET_ADDR_ROW_STATUS, &index[..], status);
    for variable in [address, mask] {
        assert_eq!(agent.set(&[variable]), Err((0, ErrorStatus::InconsistentValue)));
        assert_eq!(agent.set(&[status(ACTIVE), variable]), Err((1, ErrorStatus::InconsistentValue)));
    }
    assert_eq!(agent.set(&[(&SNMP_TARGET_ADDR_TIMEOUT, &index, Value::Integer(100))]), Ok(()));
    assert_eq!(agent.set(&[address, status(NOT_IN_SERVICE), mask]), Ok(()));
    assert_eq!(agent.set(&[status(ACTIVE)]), Ok(()));
}

#[test]
fn lengths_of_target_address_and_mask_must_match_transport_domain() {
    let mut agent = TestAgent::new();
    let index = implied(b"nms");
    let short = target(&index, &[192, 0, 2, 1], CREATE_AND_GO);
    assert_eq!(agent.set(&short), Err((3, ErrorStatus::InconsistentValue)));
    let mut masked = target(&index, &[192, 0, 2, 1, 0, 162], CREATE_AND_GO);
    masked.push((&SNMP_TARGET_ADDR_T_MASK, &index, Value::OctetString(&[255; 4])));
    assert_eq!(agent.set(&masked), Err((3, ErrorStatus::InconsistentValue)));
    masked.pop();
    masked.push((&SNMP_TARGET_ADDR_T_MASK, &index, Value::OctetString(&[255; 6])));
    assert_eq!(agent.set(&masked), Ok(()));
    assert_eq!(name_of(&TRANSPORT_DOMAIN_UDP_IPV4, &[])[..], [1, 3, 6, 1, 2, 1, 100, 1, 1]);
}

#[test]
fn columns_of_augmenting_table_exist_only_while_base_row_exists() {
    let mut agent = TestAgent::new();
    let index = implied(b"nms");
    agent.set(&target(&index, &[192, 0, 2, 1, 0, 162], CREATE_AND_GO)).unwrap();
    assert_eq!(agent.integer(&SNMP_TARGET_ADDR_MMS, &index), Some(484));
    assert_eq!(agent.octets(&SNMP_TARGET_ADDR_T_MASK, &index), Some(vec![]));
    assert_eq!(agent.integer(&SNMP_TARGET_ADDR_TIMEOUT, &index), Some(1500));
    assert_eq!(agent.integer(&SNMP_TARGET_ADDR_RETRY_COUNT, &index), Some(3));
    agent.set(&[(&SNMP_TARGET_ADDR_ROW_STATUS, &index, DESTROY)]).unwrap();
    assert_eq!(agent.get(&SNMP_TARGET_ADDR_MMS, &index), None);
}

#[test]
fn tag_rejects_delimiters_and_tag_list_accepts_single_delimiters_only() {
    let mut agent = TestAgent::new();
    let index = implied(b"nms");
    agent.set(&target(&index, &[192, 0, 2, 1, 0, 162], CREATE_AND_GO)).unwrap();
    for (list, is_good) in [
        (&b""[..], true),
        (b"a", true),
        (b"a b\tc", true),
        (b" a", false),
        (b"a ", false),
        (b"a  b", false),
        (b"\x0b", false),
    ] {
        let outcome = agent.set(&[(&SNMP_TARGET_ADDR_TAG_LIST, &index, Value::OctetString(list))]);
        let expected = if is_good { Ok(()) } else { Err((0, ErrorStatus::WrongValue)) };
        assert_eq!(outcome, expected, "{list:?}");
    }
    let outcome = agent.set(&[(&SNMP_NOTIFY_TAG, &implied(b"n"), Value::OctetString(b"a b"))]);
    assert_eq!(outcome, Err((0, ErrorStatus::WrongValue)));
}

#[test]
fn target_params_reject_unsupported_message_and_security_models() {
    let mut agent = TestAgent::new();
    let index = implied(b"p");
    agent.set(&[(&SNMP_TARGET_PARAMS_ROW_STATUS, &index, CREATE_AND_WAIT)]).unwrap();
    for (object, number) in [(&SNMP_TARGET_PARAMS_MP_MODEL, 2), (&SNMP_TARGET_PARAMS_SECURITY_MODEL, 9)] {
        let outcome = agent.set(&[(object, &index, Value::Integer(number))]);
        assert_eq!(outcome, Err((0, ErrorStatus::InconsistentValue)));
    }
    let any = (&SNMP_TARGET_PARAMS_SECURITY_MODEL, &index[..], Value::Integer(0));
    assert_eq!(agent.set(&[any]), Err((0, ErrorStatus::WrongValue)));
}

#[test]
fn last_value_takes_effect_when_set_contains_column_twice() {
    let mut agent = TestAgent::new();
    let index = implied(b"n");
    let tag = |tag| (&SNMP_NOTIFY_TAG, &index[..], Value::OctetString(tag));
    agent.set(&[tag(b"a"), (&SNMP_NOTIFY_ROW_STATUS, &index, CREATE_AND_GO), tag(b"b")]).unwrap();
    assert_eq!(agent.get(&SNMP_NOTIFY_TAG, &index), Some(OwnedValue::OctetString(b"b".into())));
}
