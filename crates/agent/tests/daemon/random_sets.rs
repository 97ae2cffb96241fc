//! Random SETs on every writable table: a reload and a crash preserve the result.
//!
//! The test chooses any writable column from the MIB definitions, and a value that is usually valid
//! for the syntax of the column.

use std::collections::BTreeMap;

use portreeve_mib::{
    Base, Object, Syntax,
    modules::{community_mib, notification_mib, snmpv2_mib::SYS_NAME, target_mib, usm_mib, vacm_mib},
};
use portreeve_smi::{Oid, OwnedValue};
use portreeve_snmp_manager::{Operation, Request, Walk, WalkOptions, WalkProgress};

use crate::fixture::{Manager, Random, TestHome};

#[test]
fn random_sets_survive_reload_and_crash() {
    let home = TestHome::with("storms", "");
    let mut random = Random::new(0x5851_f42d_4c95_7f2d);
    let columns = writable_columns();
    let mut agent = home.run();
    let (mut done, mut refused) = (0, 0);
    for _ in 0..4 {
        let mut writer = home.writer();
        for _ in 0..ROUND {
            match send_random_set(&mut writer, &columns, &mut random) {
                true => done += 1,
                false => refused += 1,
            }
        }
        let before = read_all(&home);
        agent.reload_and_wait();
        assert_same(&before, &read_all(&home), "a reload");
        agent.kill();
        agent = home.run();
        assert_same(&before, &read_all(&home), "a crash");
        home.ops().text(&SYS_NAME);
    }
    println!("{done} SETs done, {refused} refused, {} variables", read_all(&home).len());
    assert!(done > 50 && refused > 50, "{done} done, {refused} refused");
    assert!(!agent.log().contains("panicked"), "{}", agent.log());
}

/// Sets some columns of one row; returns true if the SET succeeded.
fn send_random_set(writer: &mut Manager, tables: &[Vec<&'static Object>], random: &mut Random) -> bool {
    let columns = &tables[random.below(tables.len())];
    let index = some_index(columns[0], random);
    let mut request = Request::new(Operation::Set);
    // About every second SET sets all columns, because otherwise no row would become complete.
    let all = random.below(2) == 0;
    for column in columns {
        if all || random.below(3) == 0 {
            let value = some_value(column, column.syntax().unwrap(), random);
            request.push(&[&column.oid()[..], &index].concat(), value.as_value());
        }
    }
    let response = writer.client.request(&request).unwrap();
    !response.is_error() && !response.var_binds().is_empty()
}

/// Returns the writable columns, table by table.
fn writable_columns() -> Vec<Vec<&'static Object>> {
    let mut tables: BTreeMap<Vec<u32>, Vec<&'static Object>> = BTreeMap::new();
    for object in MODULES.iter().flat_map(|module| module.objects) {
        if let Some(row) = object.row().filter(|_| object.max_access().is_writable()) {
            tables.entry(row.oid().to_vec()).or_default().push(*object);
        }
    }
    assert!(tables.len() >= 9, "only {} tables", tables.len());
    tables.into_values().collect()
}

/// Returns the index of one of a few rows, so that rows are hit repeatedly.
fn some_index(column: &Object, random: &mut Random) -> Vec<u32> {
    let index = column.index().unwrap();
    let mut name = Vec::new();
    for (position, object) in index.objects.iter().enumerate() {
        let is_last = position + 1 == index.objects.len();
        let parts: Vec<u32> = match some_value(object, object.syntax().unwrap(), random) {
            OwnedValue::Integer(number) => {
                name.push(number.unsigned_abs());
                continue;
            }
            OwnedValue::OctetString(octets) => octets.into_iter().map(u32::from).collect(),
            OwnedValue::ObjectId(oid) => oid.to_vec(),
            other => panic!("{} is {other:?}", object.name),
        };
        if !(is_last && index.implied) {
            name.push(parts.len() as u32);
        }
        name.extend(parts);
    }
    name
}

/// Returns a value that is usually valid.
fn some_value(object: &Object, syntax: &Syntax, random: &mut Random) -> OwnedValue {
    if object.name.ends_with("StorageType") || object.name.ends_with("StorType") {
        // The value is nonVolatile(3): a volatile row would be lost in the crash, as specified.
        return OwnedValue::Integer(3);
    }
    match syntax.base {
        Base::Integer32 if !syntax.labels().is_empty() => {
            let labels = syntax.labels();
            OwnedValue::Integer(labels[random.below(labels.len())].1)
        }
        Base::Integer32 => OwnedValue::Integer(1 + random.below(3) as i32),
        Base::Unsigned32 | Base::Gauge32 => OwnedValue::Gauge32(random.below(1000) as u32),
        Base::OctetString | Base::Bits => {
            let shortest = syntax.limits().first().map_or(0, |(shortest, _)| *shortest as usize);
            let letter = b"abc"[random.below(3)];
            OwnedValue::OctetString(vec![letter; shortest.max(random.below(4))])
        }
        Base::ObjectIdentifier => {
            let arcs: [&[u32]; 4] = [&[0, 0], &[1, 3, 6, 1], &[1, 3, 6, 1, 6, 1, 1], &[1, 3]];
            OwnedValue::ObjectId(Oid::new(arcs[random.below(4)]).unwrap())
        }
        other => panic!("{} is {other:?}", object.name),
    }
}

/// Reads every instance of every column of these tables.
fn read_all(home: &TestHome) -> BTreeMap<Vec<u32>, OwnedValue> {
    let mut manager = home.reader();
    let mut found = BTreeMap::new();
    let columns = MODULES.iter().flat_map(|module| module.objects).filter(|object| object.row().is_some());
    for column in columns.filter(|column| column.max_access().is_readable()) {
        let mut walk =
            Walk::new(&column.oid(), WalkOptions { max_repetitions: Some(30), ..WalkOptions::default() });
        let mut request = Request::new(Operation::Get);
        loop {
            walk.next_request(&mut request);
            let response = manager.client.request(&request).unwrap();
            let progress = walk.accept(&response, |bind| {
                let mut name = portreeve_smi::OidBuf::new();
                bind.name.decode_into(&mut name);
                found.insert(name.to_vec(), OwnedValue::from(bind.value));
            });
            if let WalkProgress::Done(_) = progress.unwrap() {
                break;
            }
        }
    }
    found
}

fn assert_same(before: &BTreeMap<Vec<u32>, OwnedValue>, after: &BTreeMap<Vec<u32>, OwnedValue>, what: &str) {
    for (name, value) in before {
        assert_eq!(after.get(name), Some(value), "{name:?} after {what}");
    }
    for name in after.keys() {
        assert!(before.contains_key(name), "{name:?} appeared after {what}");
    }
}

const ROUND: usize = 200;

static MODULES: [&portreeve_mib::Module; 5] = [
    &usm_mib::MODULE,
    &vacm_mib::MODULE,
    &community_mib::MODULE,
    &target_mib::MODULE,
    &notification_mib::MODULE,
];
