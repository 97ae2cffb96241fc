//! The result of each changing operation in each state of locks and candidate.

use crate::test_server::{Client, TestServer, tags};

const EDIT: &str = "<config><top xmlns='urn:example'><tag>b</tag></top></config>";

/// The states before the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// A session has locked this datastore, and changed the candidate if it is that.
    Locked(Holder, &'static str),
    /// The candidate is modified, and nothing is locked.
    Modified,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    /// The session that requests the operation.
    Own,
    Other,
}

const STATES: [Before; 6] = [
    Before::Nothing,
    Before::Locked(Holder::Own, "running"),
    Before::Locked(Holder::Other, "running"),
    Before::Locked(Holder::Own, "candidate"),
    Before::Locked(Holder::Other, "candidate"),
    Before::Modified,
];

fn prepare(before: Before) -> (TestServer, Client) {
    let mut server = TestServer::new();
    let (mut own, mut other) = (server.client("root"), server.client("root"));
    let change = "<edit-config><target><candidate/></target><config><top xmlns='urn:example'><tag>a</tag></top></config></edit-config>";
    match before {
        Before::Nothing => {}
        Before::Modified => assert!(tags(&other.request(&mut server, change)).is_empty()),
        Before::Locked(holder, datastore) => {
            let client = if holder == Holder::Own { &mut own } else { &mut other };
            let lock = format!("<lock><target><{datastore}/></target></lock>");
            assert!(tags(&client.request(&mut server, &lock)).is_empty());
            if datastore == "candidate" {
                assert!(tags(&client.request(&mut server, change)).is_empty());
            }
        }
    }
    (server, own)
}

#[test]
fn operations_depend_on_locks_and_the_candidate() {
    let edit = |target: &str| format!("<edit-config><target><{target}/></target>{EDIT}</edit-config>");
    let copy = |target: &str, source: &str| {
        format!("<copy-config><target><{target}/></target><source>{source}</source></copy-config>")
    };
    let of =
        |operation: &str, target: &str| format!("<{operation}><target><{target}/></target></{operation}>");
    // The columns are the states: nothing, running locked by itself and by the other, the candidate
    // locked and changed by itself and by the other, the candidate changed by the other.
    for (operation, results) in [
        (of("lock", "running"), ["", "lock-denied", "lock-denied", "", "", ""]),
        (of("lock", "candidate"), ["", "", "", "lock-denied", "lock-denied", "lock-denied"]),
        (
            of("unlock", "running"),
            [
                "operation-failed",
                "",
                "operation-failed",
                "operation-failed",
                "operation-failed",
                "operation-failed",
            ],
        ),
        (
            of("unlock", "candidate"),
            [
                "operation-failed",
                "operation-failed",
                "operation-failed",
                "",
                "operation-failed",
                "operation-failed",
            ],
        ),
        (edit("running"), ["", "", "in-use", "", "", ""]),
        (edit("candidate"), ["", "", "", "", "in-use", ""]),
        (copy("running", EDIT), ["", "", "in-use", "", "", ""]),
        (copy("running", "<candidate/>"), ["", "", "in-use", "", "", ""]),
        (copy("candidate", EDIT), ["", "", "", "", "in-use", ""]),
        (copy("candidate", "<running/>"), ["", "", "", "", "in-use", ""]),
        ("<commit/>".to_owned(), ["", "", "in-use", "", "in-use", ""]),
        ("<discard-changes/>".to_owned(), ["", "", "", "", "in-use", ""]),
        ("<validate><source><candidate/></source></validate>".to_owned(), [""; 6]),
        ("<get-config><source><candidate/></source></get-config>".to_owned(), [""; 6]),
        (of("delete-config", "running"), ["unknown-element"; 6]),
    ] {
        for (before, expected) in STATES.into_iter().zip(results) {
            let (mut server, mut client) = prepare(before);
            let reply = client.request(&mut server, &operation);
            assert_eq!(tags(&reply).join(" "), expected, "{operation} with {before:?}: {reply}");
        }
    }
}

/// Sessions with random operations: each request is answered, and the running configuration stays
/// valid.
#[test]
fn random_operations_leave_a_valid_configuration() {
    let operations = [
        "<lock><target><running/></target></lock>",
        "<lock><target><candidate/></target></lock>",
        "<unlock><target><running/></target></unlock>",
        "<unlock><target><candidate/></target></unlock>",
        "<commit/>",
        "<discard-changes/>",
        "<validate><source><candidate/></source></validate>",
        "<copy-config><target><candidate/></target><source><running/></source></copy-config>",
        "<copy-config><target><running/></target><source><candidate/></source></copy-config>",
    ];
    let contents = [
        "<interface><name>a</name><mtu>1</mtu></interface>",
        "<interface><name>b</name><mtu>2</mtu></interface>",
        "<interface nc:operation='remove'><name>a</name></interface>",
        "<interface nc:operation='delete'><name>b</name></interface>",
        "<main-interface>a</main-interface>",
        "<main-interface nc:operation='remove'/>",
        "<udp nc:operation='replace'/>",
        "<udp><port>1</port></udp>",
        "<unix>x</unix>",
        "<tag>a</tag>",
        "<tag nc:operation='remove'>a</tag>",
        "<rule><id>1</id><action>x</action></rule>",
        "<rule nc:operation='remove'><id>1</id></rule>",
    ];
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |count: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(random >> 33).unwrap() % count
    };
    let mut server = TestServer::new();
    let mut clients: Vec<_> = (0..3).map(|_| server.client("root")).collect();
    let (mut done, mut failed) = (0, 0);
    for step in 0..1000 {
        let index = next(clients.len());
        if next(40) == 0 {
            server.server.closed(clients[index].id);
            server.run_actions();
            clients[index] = server.client("root");
        }
        let client = &mut clients[index];
        let reply = match next(3) {
            0 => client.request(&mut server, operations[next(operations.len())]),
            _ => {
                let target = ["running", "candidate"][next(2)];
                let content = contents[next(contents.len())];
                client.edit(&mut server, target, &format!("<top xmlns='urn:example'>{content}</top>"))
            }
        };
        match tags(&reply).is_empty() {
            true => done += 1,
            false => failed += 1,
        }
        let model = server.datastore.model();
        assert!(model.validator().validate(&server.tree()).is_empty(), "step {step}: {reply}");
    }
    assert!(done > 200 && failed > 100, "{done} {failed}");
}
