//! Changes that every table rejects: values of a wrong type or range, invalid indexes, and changes
//! of readOnly rows.

use portreeve_lcd::*;
use portreeve_mib::{
    Base, Object,
    modules::{notification_mib::*, tls_tm_mib::*, vacm_mib::*},
};
use portreeve_smi::{ErrorStatus, OidRef, Value};

use super::super::agent::*;
use super::cases::{agent, cases};

#[test]
fn set_of_row_status_to_not_ready_is_rejected() {
    for case in cases() {
        assert_eq!(agent().set(&[case.status(Value::Integer(3))]), Err((0, ErrorStatus::WrongValue)));
    }
}

#[test]
fn columns_reject_values_of_other_types() {
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
fn columns_reject_lengths_and_numbers_out_of_range() {
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
                    let labeled = |number| syntax.label(number).is_some();
                    let is_bad = |number: &i32| match (syntax.labels().is_empty(), syntax.limits().is_empty())
                    {
                        (false, _) => !labeled(*number),
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
fn text_columns_reject_invalid_utf8() {
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
fn row_with_invalid_index_is_not_created() {
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
            // Subtrees consist of arbitrary arcs, and priorities are arbitrary numbers. All other
            // parts of an index are octets or small numbers.
            let accepts_any_arc = [
                &VACM_VIEW_TREE_FAMILY_STATUS,
                &SNMP_NOTIFY_FILTER_ROW_STATUS,
                &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
            ]
            .contains(&case.status)
                && outcome.is_ok();
            assert!(
                accepts_any_arc || outcome == Err((0, ErrorStatus::NoCreation)),
                "{} {key}: {outcome:?}",
                case.status.name
            );
        }
    }
}

/// Makes every row of a table readOnly, as if it were defined in the configuration file.
fn freeze<C: Columns>(tables: &mut Tables) {
    let rows: Vec<_> = C::table(tables).iter().cloned().collect();
    for row in rows {
        tables.insert(Row::clone(&row).into_active(StorageType::ReadOnly));
    }
}

#[test]
fn read_only_rows_reject_every_change() {
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
fn storage_type_can_be_set_only_to_volatile_or_non_volatile() {
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
