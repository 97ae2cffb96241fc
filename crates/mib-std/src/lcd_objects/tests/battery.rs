//! What holds for every table, asked of each in turn.

use portreeve_lcd::*;
use portreeve_mib::{
    Access, Base, Object,
    modules::{
        community_mib::*, notification_mib::*, target_mib::*, tls_tm_mib::*, transport_address_mib::*,
        usm_mib::*, vacm_mib::*,
    },
};
use portreeve_smi::{ErrorStatus, OidRef, OwnedValue, Value};

use super::agent::*;
use crate::tables::TABLES;

/// A table, a row of it, and what that row cannot do without.
struct Case {
    status: &'static Object,
    storage: &'static Object,
    index: Vec<u32>,
    required: Vec<(&'static Object, OwnedValue)>,
}

fn cases() -> Vec<Case> {
    let text = |text: &str| OwnedValue::OctetString(text.into());
    let oid = |object: &Object| OwnedValue::ObjectId(portreeve_smi::Oid::new(&object.oid()).unwrap());
    vec![
        Case {
            status: &VACM_SECURITY_TO_GROUP_STATUS,
            storage: &VACM_SECURITY_TO_GROUP_STORAGE_TYPE,
            index: [vec![3], counted(b"ops")].concat(),
            required: vec![(&VACM_GROUP_NAME, text("operators"))],
        },
        Case {
            status: &VACM_ACCESS_STATUS,
            storage: &VACM_ACCESS_STORAGE_TYPE,
            index: [counted(b"operators"), counted(b""), vec![0, 3]].concat(),
            required: vec![],
        },
        Case {
            status: &VACM_VIEW_TREE_FAMILY_STATUS,
            storage: &VACM_VIEW_TREE_FAMILY_STORAGE_TYPE,
            index: [counted(b"all"), vec![2, 1, 3]].concat(),
            required: vec![],
        },
        Case {
            status: &SNMP_COMMUNITY_STATUS,
            storage: &SNMP_COMMUNITY_STORAGE_TYPE,
            index: implied(b"c1"),
            required: vec![
                (&SNMP_COMMUNITY_NAME, text("public")),
                (&SNMP_COMMUNITY_SECURITY_NAME, text("guest")),
            ],
        },
        Case {
            status: &SNMP_TARGET_ADDR_ROW_STATUS,
            storage: &SNMP_TARGET_ADDR_STORAGE_TYPE,
            index: implied(b"nms"),
            required: vec![
                (&SNMP_TARGET_ADDR_T_DOMAIN, oid(&TRANSPORT_DOMAIN_UDP_IPV4)),
                (&SNMP_TARGET_ADDR_T_ADDRESS, OwnedValue::OctetString(vec![192, 0, 2, 1, 0, 162])),
                (&SNMP_TARGET_ADDR_PARAMS, text("p")),
            ],
        },
        Case {
            status: &SNMP_TARGET_PARAMS_ROW_STATUS,
            storage: &SNMP_TARGET_PARAMS_STORAGE_TYPE,
            index: implied(b"p"),
            required: vec![
                (&SNMP_TARGET_PARAMS_MP_MODEL, OwnedValue::Integer(3)),
                (&SNMP_TARGET_PARAMS_SECURITY_MODEL, OwnedValue::Integer(3)),
                (&SNMP_TARGET_PARAMS_SECURITY_NAME, text("ops")),
                (&SNMP_TARGET_PARAMS_SECURITY_LEVEL, OwnedValue::Integer(3)),
            ],
        },
        Case {
            status: &SNMP_NOTIFY_ROW_STATUS,
            storage: &SNMP_NOTIFY_STORAGE_TYPE,
            index: implied(b"n"),
            required: vec![],
        },
        Case {
            status: &SNMP_NOTIFY_FILTER_PROFILE_ROW_STATUS,
            storage: &SNMP_NOTIFY_FILTER_PROFILE_STOR_TYPE,
            index: implied(b"p"),
            required: vec![(&SNMP_NOTIFY_FILTER_PROFILE_NAME, text("f"))],
        },
        Case {
            status: &SNMP_NOTIFY_FILTER_ROW_STATUS,
            storage: &SNMP_NOTIFY_FILTER_STORAGE_TYPE,
            index: [counted(b"f"), vec![1, 3, 6]].concat(),
            required: vec![],
        },
        Case {
            status: &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
            storage: &SNMP_TLSTM_CERT_TO_TSN_STORAGE_TYPE,
            index: vec![u32::MAX],
            required: vec![(&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, fingerprint())],
        },
        Case {
            status: &SNMP_TLSTM_PARAMS_ROW_STATUS,
            storage: &SNMP_TLSTM_PARAMS_STORAGE_TYPE,
            index: implied(b"p"),
            required: vec![(&SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT, fingerprint())],
        },
        Case {
            status: &SNMP_TLSTM_ADDR_ROW_STATUS,
            storage: &SNMP_TLSTM_ADDR_STORAGE_TYPE,
            index: implied(b"nms"),
            required: vec![],
        },
        Case {
            status: &USM_USER_STATUS,
            storage: &USM_USER_STORAGE_TYPE,
            index: user_index("new"),
            required: vec![(&USM_USER_CLONE_FROM, template_pointer())],
        },
    ]
}

/// An agent with a user that others can be cloned from: one without keys, so that cloning is all it takes.
fn agent() -> Agent {
    let mut agent = Agent::new();
    agent.change(|tables| {
        let mut template = user("template");
        (template.columns.auth, template.columns.privacy) = (None, None);
        tables.insert(template);
    });
    agent
}

/// A SHA-256 as SnmpTLSFingerprint.
fn fingerprint() -> OwnedValue {
    OwnedValue::OctetString([&[4][..], &[0x5a; 32]].concat())
}

fn template_pointer() -> OwnedValue {
    let name = name_of(&USM_USER_SECURITY_NAME, &user_index("template"));
    OwnedValue::ObjectId(portreeve_smi::Oid::new(&name).unwrap())
}

impl Case {
    fn status<'a>(&'a self, value: Value<'a>) -> Variable<'a> {
        (self.status, &self.index, value)
    }

    fn with_required<'a>(&'a self, value: Value<'a>) -> Vec<Variable<'a>> {
        let required =
            self.required.iter().map(|(object, value)| (*object, &self.index[..], value.as_value()));
        required.chain([self.status(value)]).collect()
    }

    fn columns(&self) -> Vec<&'static Object> {
        let table = TABLES.iter().find(|table| table.objects().contains(&self.status)).unwrap();
        table.objects()
    }

    fn writable_columns(&self) -> Vec<&'static Object> {
        self.columns().into_iter().filter(|column| column.max_access() == Access::ReadCreate).collect()
    }
}

#[test]
fn there_is_a_case_for_every_table() {
    assert_eq!(cases().len(), TABLES.len());
}

#[test]
fn create_and_go_makes_an_active_row_whatever_the_order_of_variables() {
    for case in cases() {
        for reversed in [false, true] {
            let mut agent = agent();
            let mut variables = case.with_required(CREATE_AND_GO);
            if reversed {
                variables.reverse();
            }
            assert_eq!(agent.set(&variables), Ok(()), "{}", case.status.name);
            assert_eq!(agent.integer(case.status, &case.index), Some(1));
            assert_eq!(agent.integer(case.storage, &case.index), Some(StorageType::NonVolatile as i32));
            for (object, value) in case.required.iter().filter(|(object, _)| *object != &USM_USER_CLONE_FROM)
            {
                assert_eq!(agent.get(object, &case.index).as_ref(), Some(value), "{}", object.name);
            }
        }
    }
}

#[test]
fn create_and_go_without_what_is_required_makes_nothing() {
    for case in cases().into_iter().filter(|case| !case.required.is_empty()) {
        for left_out in 0..case.required.len() {
            let mut agent = agent();
            let mut variables = case.with_required(CREATE_AND_GO);
            variables.remove(left_out);
            let blamed = variables.len() - 1;
            assert_eq!(
                agent.set(&variables),
                Err((blamed, ErrorStatus::InconsistentValue)),
                "{}",
                case.status.name
            );
            assert_eq!(agent.get(case.status, &case.index), None);
        }
    }
}

#[test]
fn create_and_wait_goes_from_not_ready_to_active_step_by_step() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&[case.status(CREATE_AND_WAIT)]).unwrap();
        for (object, value) in &case.required {
            assert_eq!(agent.integer(case.status, &case.index), Some(3), "{}", case.status.name);
            if *object != &USM_USER_CLONE_FROM {
                assert_eq!(agent.get(object, &case.index), None, "{} has no value yet", object.name);
            }
            assert_eq!(agent.set(&[case.status(ACTIVE)]), Err((0, ErrorStatus::InconsistentValue)));
            assert_eq!(agent.set(&[case.status(NOT_IN_SERVICE)]), Err((0, ErrorStatus::InconsistentValue)));
            agent.set(&[(object, &case.index, value.as_value())]).unwrap();
        }
        assert_eq!(agent.integer(case.status, &case.index), Some(2), "{}", case.status.name);
        agent.set(&[case.status(ACTIVE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn a_row_can_be_taken_out_of_service_and_put_back() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        agent.set(&[case.status(NOT_IN_SERVICE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(2));
        agent.set(&[case.status(ACTIVE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn an_existing_row_cannot_be_created_again() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        for action in [CREATE_AND_GO, CREATE_AND_WAIT] {
            assert_eq!(agent.set(&[case.status(action)]), Err((0, ErrorStatus::InconsistentValue)));
        }
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn destroy_removes_a_row_and_nothing_is_left_of_it() {
    for case in cases() {
        let mut agent = agent();
        let records = agent.records.clone();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        assert_eq!(agent.records.len(), records.len() + 1, "{}", case.status.name);
        agent.set(&[case.status(DESTROY)]).unwrap();
        for column in case.columns() {
            assert_eq!(agent.get(column, &case.index), None, "{}", column.name);
        }
        assert_eq!(agent.records, records);
        // Once more is no error: the row is not there, as was wanted.
        assert_eq!(agent.set(&[case.status(DESTROY)]), Ok(()));
    }
}

#[test]
fn a_row_that_does_not_exist_cannot_be_activated_or_changed() {
    for case in cases() {
        let mut agent = agent();
        for action in [ACTIVE, NOT_IN_SERVICE] {
            assert_eq!(agent.set(&[case.status(action)]), Err((0, ErrorStatus::InconsistentValue)));
        }
        let volatile = (case.storage, &case.index[..], Value::Integer(2));
        assert_eq!(agent.set(&[volatile]), Err((0, ErrorStatus::InconsistentName)), "{}", case.storage.name);
    }
}

#[test]
fn not_ready_cannot_be_written() {
    for case in cases() {
        assert_eq!(agent().set(&[case.status(Value::Integer(3))]), Err((0, ErrorStatus::WrongValue)));
    }
}

#[test]
fn two_different_actions_on_one_row_contradict_each_other() {
    for case in cases() {
        let mut variables = case.with_required(CREATE_AND_GO);
        variables.push(case.status(DESTROY));
        let blamed = variables.len() - 1;
        assert_eq!(agent().set(&variables), Err((blamed, ErrorStatus::InconsistentValue)));
        variables.pop();
        variables.push(case.status(CREATE_AND_GO));
        assert_eq!(agent().set(&variables), Ok(()), "the same action twice is one");
    }
}

#[test]
fn a_row_survives_a_restart_unless_it_is_volatile() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        let mut again = agent.restarted();
        for column in case.columns() {
            assert_eq!(again.get(column, &case.index), agent.get(column, &case.index), "{}", column.name);
        }
        agent.set(&[(case.storage, &case.index, Value::Integer(2))]).unwrap();
        assert_eq!(agent.restarted().get(case.status, &case.index), None);
        agent.set(&[(case.storage, &case.index, Value::Integer(3))]).unwrap();
        assert_eq!(agent.restarted().integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn a_row_under_construction_survives_a_restart_as_such() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&[case.status(CREATE_AND_WAIT)]).unwrap();
        let expected = agent.integer(case.status, &case.index);
        assert_eq!(agent.restarted().integer(case.status, &case.index), expected);
    }
}

#[test]
fn every_column_refuses_every_other_type() {
    let values = [
        Value::Integer(1),
        Value::OctetString(b"abcdef"),
        Value::Null,
        Value::ObjectId(OidRef::Arcs(&[0, 0])),
        Value::IpAddress([127, 0, 0, 1]),
        Value::Counter32(1),
        Value::Gauge32(1),
        Value::TimeTicks(1),
        Value::Opaque(b"x"),
        Value::Counter64(1),
    ];
    for case in cases() {
        for column in case.writable_columns() {
            let tag = column.syntax().unwrap().base.tag();
            for value in values.iter().filter(|value| value.tag() != tag) {
                let outcome = agent().set(&[(column, &case.index, *value)]);
                assert_eq!(outcome, Err((0, ErrorStatus::WrongType)), "{} {value:?}", column.name);
            }
        }
    }
}

#[test]
fn every_column_refuses_lengths_and_numbers_out_of_its_range() {
    for case in cases() {
        for column in case.writable_columns() {
            let syntax = column.syntax().unwrap();
            let allowed =
                |number: i64| syntax.limits().iter().any(|(low, high)| (*low..=*high).contains(&number));
            match syntax.base {
                Base::OctetString if !syntax.limits().is_empty() => {
                    for length in (0..400_usize).filter(|length| !allowed(*length as i64)) {
                        let octets = vec![b'a'; length];
                        let outcome = agent().set(&[(column, &case.index, Value::OctetString(&octets))]);
                        assert_eq!(outcome, Err((0, ErrorStatus::WrongLength)), "{} {length}", column.name);
                    }
                }
                Base::Integer32 => {
                    let edges = [i32::MIN, -1, 0, 1, 2, 3, 4, 5, 6, 7, 255, 256, 483, 484, i32::MAX];
                    let labelled = |number| syntax.label(number).is_some();
                    let is_bad = |number: &i32| match (syntax.labels().is_empty(), syntax.limits().is_empty())
                    {
                        (false, _) => !labelled(*number),
                        (true, false) => !allowed(i64::from(*number)),
                        (true, true) => false,
                    };
                    for number in edges.into_iter().filter(is_bad) {
                        let outcome = agent().set(&[(column, &case.index, Value::Integer(number))]);
                        assert_eq!(outcome, Err((0, ErrorStatus::WrongValue)), "{} {number}", column.name);
                    }
                }
                _ => {}
            }
        }
    }
}

#[test]
fn columns_of_text_refuse_what_is_no_utf8() {
    for case in cases() {
        let is_text = |column: &&'static Object| {
            column.syntax().and_then(|syntax| syntax.convention).is_some_and(|convention| {
                ["SnmpAdminString", "SnmpTagValue", "SnmpTagList"].contains(&convention.name)
            })
        };
        for column in case.writable_columns().into_iter().filter(is_text) {
            let outcome = agent().set(&[(column, &case.index, Value::OctetString(b"a\xff"))]);
            assert_eq!(outcome, Err((0, ErrorStatus::WrongValue)), "{}", column.name);
        }
    }
}

#[test]
fn no_row_is_made_under_an_index_that_cannot_be() {
    for case in cases() {
        let mut bad: Vec<Vec<u32>> = vec![vec![], vec![u32::MAX], vec![u32::MAX, 97], vec![33; 34]];
        for at in 0..case.index.len() {
            let mut index = case.index.clone();
            index[at] = u32::MAX;
            bad.push(index);
        }
        bad.push([&case.index[..], &[97; 90]].concat());
        for index in bad {
            let key = portreeve_smi::Oid::new(&index).unwrap();
            let outcome = agent().set(&[(case.status, &index, CREATE_AND_WAIT)]);
            // Subtrees are arcs of any size, priorities any number; everything else is octets and small numbers.
            let may_be = [
                &VACM_VIEW_TREE_FAMILY_STATUS,
                &SNMP_NOTIFY_FILTER_ROW_STATUS,
                &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
            ]
            .contains(&case.status)
                && outcome.is_ok();
            assert!(
                may_be || outcome == Err((0, ErrorStatus::NoCreation)),
                "{} {key}: {outcome:?}",
                case.status.name
            );
        }
    }
}

/// Makes every row of a table one of the configuration file's.
fn freeze<C: Columns>(tables: &mut Tables) {
    let rows: Vec<_> = C::table(tables).iter().cloned().collect();
    for row in rows {
        tables.insert(Row::clone(&row).into_active(StorageType::ReadOnly));
    }
}

#[test]
fn rows_of_the_configuration_file_refuse_every_change() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        agent.change(|tables| {
            freeze::<User>(tables);
            freeze::<Group>(tables);
            freeze::<portreeve_lcd::Access>(tables);
            freeze::<ViewFamily>(tables);
            freeze::<Community>(tables);
            freeze::<TargetAddress>(tables);
            freeze::<TargetParams>(tables);
            freeze::<Notify>(tables);
            freeze::<NotifyFilterProfile>(tables);
            freeze::<NotifyFilter>(tables);
            freeze::<CertToName>(tables);
            freeze::<TlsParams>(tables);
            freeze::<TlsAddress>(tables);
        });
        for action in [ACTIVE, NOT_IN_SERVICE, DESTROY, CREATE_AND_GO] {
            let outcome = agent.set(&[case.status(action)]);
            assert_eq!(outcome, Err((0, ErrorStatus::NotWritable)), "{}", case.status.name);
        }
        for (object, value) in &case.required {
            let outcome = agent.set(&[(object, &case.index, value.as_value())]);
            assert_eq!(outcome, Err((0, ErrorStatus::NotWritable)), "{}", object.name);
        }
        assert_eq!(agent.integer(case.storage, &case.index), Some(StorageType::ReadOnly as i32));
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn managers_make_no_rows_that_they_could_not_unmake() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        for (number, status) in [
            (1, ErrorStatus::WrongValue),
            (4, ErrorStatus::InconsistentValue),
            (5, ErrorStatus::InconsistentValue),
        ] {
            let outcome = agent.set(&[(case.storage, &case.index, Value::Integer(number))]);
            assert_eq!(outcome, Err((0, status)), "{} {number}", case.storage.name);
        }
    }
}

#[test]
fn a_storm_of_actions_never_leaves_a_row_half_done() {
    let cases = cases();
    let mut agent = agent();
    let mut seed = 11_u32;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    for _ in 0..3000 {
        let case = &cases[draw(cases.len())];
        let mut variables = Vec::new();
        for (object, value) in &case.required {
            if draw(2) == 0 {
                variables.push((*object, &case.index[..], value.as_value()));
            }
        }
        if draw(4) != 0 {
            let action = [ACTIVE, NOT_IN_SERVICE, CREATE_AND_GO, CREATE_AND_WAIT, DESTROY][draw(5)];
            variables.insert(draw(variables.len() + 1), case.status(action));
        }
        let before = agent.integer(case.status, &case.index);
        let outcome = agent.set(&variables);
        let after = agent.integer(case.status, &case.index);
        if outcome.is_err() {
            assert_eq!(before, after);
        }
        if matches!(after, Some(1 | 2)) {
            for (object, _) in &case.required {
                assert!(agent.get(object, &case.index).is_some(), "{} is missing", object.name);
            }
        }
        let stored = agent.records.len();
        let rows: usize = cases.iter().map(|case| agent.walk(case.status).len()).sum();
        assert_eq!(stored, rows - 1, "every row but the template is stored");
    }
}
