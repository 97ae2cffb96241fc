use std::sync::Arc;

use portreeve_mib::{
    Instrumentation, Lookup, Object, ServedObjects,
    modules::{if_mib::IF_DESCR, snmpv2_mib::SYS_CONTACT},
};
use portreeve_smi::{Oid, OidBuf};
use portreeve_yang::{NodeId, TypeKind};

use crate::{YangObjects, test_schema::TestSchema};

/// Objects of the agent.
struct BuiltIn;

impl Instrumentation for BuiltIn {
    fn objects(&self) -> Vec<&'static Object> {
        vec![&SYS_CONTACT, &IF_DESCR]
    }

    fn subtrees(&self) -> Vec<Oid> {
        vec!["1.3.6.1.4.1.99.5".parse().unwrap()]
    }

    fn get(&mut self, _: usize, _: &[u32]) -> Lookup<'_> {
        Lookup::Absent
    }

    fn next(&mut self, _: usize, _: &[u32], _: &mut OidBuf) -> Lookup<'_> {
        Lookup::Absent
    }
}

/// Returns the problems of leafs with these identifiers.
fn problems(identifiers: &[&str]) -> Vec<String> {
    let mut schema = TestSchema::new("m");
    for (number, oid) in identifiers.iter().enumerate() {
        let leaf = schema.leaf(NodeId::ROOT, &format!("leaf{number}"), TypeKind::Boolean, "");
        schema.extend(leaf, "ietf-yang-smiv2", "oid", oid);
    }
    let others = ServedObjects::new(vec![Box::new(BuiltIn)]).unwrap();
    match YangObjects::new(Arc::new(schema.build()), &others) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.to_string().lines().map(str::to_owned).collect(),
    }
}

#[test]
fn identifiers_of_two_leafs_that_overlap_are_problems() {
    assert_eq!(problems(&["1.3.6.1.4.1.1.1", "1.3.6.1.4.1.1.2", "1.3.6.1.4.1.1.10"]), [""; 0]);
    assert_eq!(
        problems(&["1.3.6.1.4.1.1.2", "1.3.6.1.4.1.1.1", "1.3.6.1.4.1.1.2"]),
        ["test.yang:30: /m:leaf2: the object identifier 1.3.6.1.4.1.1.2 is that of test.yang:10"]
    );
    assert_eq!(
        problems(&["1.3.6.1.4.1.1.2.3", "1.3.6.1.4.1.1", "1.3.6.1.4.1.1.1"]),
        [
            "test.yang:30: /m:leaf2: the object identifier 1.3.6.1.4.1.1.1 is below that of test.yang:20",
            "test.yang:10: /m:leaf0: the object identifier 1.3.6.1.4.1.1.2.3 is below that of test.yang:20",
        ]
    );
}

#[test]
fn identifiers_of_the_agent_are_problems() {
    assert_eq!(
        problems(&["1.3.6.1.2.1.1.4"]),
        ["test.yang:10: /m:leaf0: the object identifier 1.3.6.1.2.1.1.4 is that of sysContact in SNMPv2-MIB"]
    );
    assert_eq!(
        problems(&["1.3.6.1.2.1.1.4.7"]),
        [
            "test.yang:10: /m:leaf0: the object identifier 1.3.6.1.2.1.1.4.7 is below that of sysContact in SNMPv2-MIB"
        ]
    );
    assert_eq!(
        problems(&["1.3.6.1.2.1.2.2"]),
        ["test.yang:10: /m:leaf0: the object identifier 1.3.6.1.2.1.2.2 is above that of ifDescr in IF-MIB"]
    );
    assert_eq!(
        problems(&["1.3.6.1.4.1.99.5.1"]),
        [
            "test.yang:10: /m:leaf0: the object identifier 1.3.6.1.4.1.99.5.1 is below that of 1.3.6.1.4.1.99.5"
        ]
    );
    assert_eq!(problems(&["1.3.6.1.2.1.1.3", "1.3.6.1.2.1.1.5", "1.3.6.1.4.1.99.6"]), [""; 0]);
}
