//! Tests of the data formats, with the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

mod support;

use portreeve_smi::OwnedValue::{Integer, OctetString};
use support::{fake_agent::FakeAgent, portreeve};

fn agent() -> FakeAgent {
    let text = |text: &str| OctetString(text.as_bytes().to_vec());
    FakeAgent::with(&[
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 1], Integer(1)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 2], Integer(2)),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 1], text("lo")),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 2, 2], text("a, b")),
    ])
}

#[test]
fn walk_prints_variables_as_json_jsonl_or_csv() {
    let agent = agent();
    let ask = |flag: &str| portreeve(&format!("walk {flag} -v2c -c public {} ifDescr", agent.address));
    let lo =
        r#"{"oid":".1.3.6.1.2.1.2.2.1.2.1","name":"IF-MIB::ifDescr.1","type":"OctetString","value":"lo"}"#;
    let ab =
        r#"{"oid":".1.3.6.1.2.1.2.2.1.2.2","name":"IF-MIB::ifDescr.2","type":"OctetString","value":"a, b"}"#;
    ask("--json").expect(0, &format!("[\n{lo},\n{ab}\n]\n"), "");
    ask("--jsonl").expect(0, &format!("{lo}\n{ab}\n"), "");
    ask("--csv").expect(
        0,
        "oid,name,type,value,label\n.1.3.6.1.2.1.2.2.1.2.1,IF-MIB::ifDescr.1,OctetString,lo,\n\
         .1.3.6.1.2.1.2.2.1.2.2,IF-MIB::ifDescr.2,OctetString,\"a, b\",\n",
        "",
    );
}

#[test]
fn table_prints_one_record_per_row() {
    let agent = agent();
    let ask = |flag: &str| portreeve(&format!("table {flag} -v2c -c public {} ifTable", agent.address));
    let (first, second) =
        (r#"{"index":"1","ifIndex":1,"ifDescr":"lo"}"#, r#"{"index":"2","ifIndex":2,"ifDescr":"a, b"}"#);
    ask("--json").expect(0, &format!("[\n{first},\n{second}\n]\n"), "");
    ask("--jsonl").expect(0, &format!("{first}\n{second}\n"), "");
    let csv = ask("--csv").stdout;
    assert!(csv.starts_with("index,ifIndex,ifDescr,ifType,"), "{csv}");
    assert!(csv.contains("\n2,2,\"a, b\",,"), "{csv}");
}

#[test]
fn empty_table_prints_empty_json_array() {
    let agent = agent();
    let line = format!("table --json -v2c -c public {} vacmAccessTable", agent.address);
    portreeve(&line).expect(0, "[]\n", "");
}
