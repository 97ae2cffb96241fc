//! Measures look-ups and SETs of the example `stair` with 100 000 texts:
//! `cargo run --release -p portreeve-mib-yang --example measure`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a measurement"
)]
#![allow(clippy::print_stdout, reason = "a measurement prints its results")]

#[path = "../src/test_schema.rs"]
mod test_schema;

use std::{fs, hint::black_box, sync::Arc};

use portreeve_datastore::{
    Coordinator, Datastore, Model, ProposedState, Purpose, Refusal, State, Ticket, Transaction, VolatileLog,
};
use portreeve_lcd::{Lcd, Tables};
use portreeve_mib::{LookupResult, Requester, ServedObjects, SetVariable};
use portreeve_mib_std::LcdObjects;
use portreeve_mib_yang::YangObjects;
use portreeve_smi::{EngineId, OidBuf, SecurityModel, Timestamp, Value};
use portreeve_yang::{NodeId, Schema};
use portreeve_yang_tree::{Editor, Operation, Tree};

const ROWS: u32 = 10_000;
const TEXTS: u32 = 10;

fn main() {
    let schema = Arc::new(test_schema::stair("stair", false));
    let text = "x".repeat(255);
    let tree = fill(&schema, &text);
    let model = Arc::new(Model::new(Arc::clone(&schema), Vec::new()));
    let datastore = Datastore::new(Lcd::compile(Tables::default()), tree, model);
    let none = ServedObjects::new(Vec::new()).unwrap();
    let objects = YangObjects::new(Arc::clone(&schema), &none).unwrap();
    let engine_id = EngineId::new(b"\x80\x00\x00\x00\x05abc").unwrap();
    let mut served =
        ServedObjects::new(vec![Box::new(objects), Box::new(LcdObjects::new(engine_id))]).unwrap();
    let state = datastore.state().current();

    println!("look-ups, nanoseconds");
    let scalar = [1, 3, 6, 1, 2, 1, 1, 4, 0];
    measure("GET sysContact.0", 2_000_000, |_| get(&mut served, &state, &scalar));
    measure("GET stairText5, one row", 2_000_000, |_| get(&mut served, &state, &cell(6, 5000)));
    measure("GET stairText5, all rows", 2_000_000, |number| {
        get(&mut served, &state, &cell(6, 1 + number * 7919 % ROWS));
    });
    measure("GETNEXT stairText5, all rows", 1_000_000, |number| {
        next(&mut served, &state, &cell(6, 1 + number * 7919 % (ROWS - 1)));
    });

    println!("SETs of 36 variables (3 rows), microseconds");
    let mut coordinator = Coordinator::new(datastore, VolatileLog);
    let texts = ["y".repeat(255), "z".repeat(255)];
    let mut set = |number: u32, first_row: u32, status: i32| {
        let set = Set { first_row, status, text: &texts[number as usize % 2] };
        let ticket = Ticket::new("measure", Purpose::Set, Timestamp::ZERO);
        let mut group = [set];
        let results = coordinator.execute(&mut served, &mut group, ticket, || Timestamp::ZERO);
        results.into_iter().for_each(|result| result.unwrap());
    };
    measure("change", 20_000, |number| set(number, 1 + number * 7919 % (ROWS - 3), 1));
    measure("create", 20_000, |number| set(number, ROWS + 1 + number * 3, 4));
    measure("destroy", 20_000, |number| set(number, ROWS + 1 + number * 3, 6));
}

/// Prints the processor time of one call, which does not depend on the load of the machine except
/// for its caches.
fn measure(name: &str, calls: u32, mut call: impl FnMut(u32)) {
    let start = processor_time();
    (0..calls).for_each(&mut call);
    let each = (processor_time() - start) / u64::from(calls);
    match each {
        ..10_000 => println!("{name:32} {each:8} ns"),
        _ => println!("{name:32} {:8.1} us", each as f64 / 1000.0),
    }
}

/// Returns the time that this process has run, in nanoseconds.
fn processor_time() -> u64 {
    let status = fs::read_to_string("/proc/self/schedstat").unwrap();
    status.split(' ').next().unwrap().parse().unwrap()
}

fn fill(schema: &Arc<Schema>, text: &str) -> Tree {
    let table = schema.children(NodeId::ROOT)[0];
    let list = schema.children(table)[0];
    let leafs = schema.children(list);
    let mut editor = Editor::new(Arc::clone(schema), &Tree::new(), Operation::Merge);
    editor.open(table, None, None).unwrap();
    for row in 1..=ROWS {
        editor.open(list, None, None).unwrap();
        editor.leaf(leafs[0], None, Some(&row.to_string())).unwrap();
        for leaf in &leafs[1..=TEXTS as usize] {
            editor.leaf(*leaf, None, Some(text)).unwrap();
        }
        editor.close().unwrap();
    }
    editor.close().unwrap();
    editor.finish().unwrap()
}

fn cell(column: u32, row: u32) -> [u32; 12] {
    [1, 3, 6, 1, 4, 1, 32473, 3, 1, 1, column, row]
}

fn get(served: &mut ServedObjects, state: &Arc<State>, name: &[u32]) {
    served.begin(state, Timestamp::ZERO);
    assert!(matches!(black_box(served.get(name)), LookupResult::Value(_)));
}

fn next(served: &mut ServedObjects, state: &Arc<State>, name: &[u32]) {
    served.begin(state, Timestamp::ZERO);
    let leaf = served.first_leaf_after(name);
    let mut found = OidBuf::new();
    assert!(matches!(black_box(served.next_in_leaf(leaf, name, &mut found)), LookupResult::Value(_)));
}

/// Three rows of twelve variables.
struct Set<'t> {
    first_row: u32,
    status: i32,
    text: &'t str,
}

impl Transaction for Set<'_> {
    type Participants = ServedObjects;

    fn prepare(&mut self, served: &mut ServedObjects, proposed: &mut ProposedState) -> Result<(), Refusal> {
        let requester = Requester { security_model: SecurityModel::USM, security_name: b"measure" };
        let mut draft = served.draft(0, proposed, requester).unwrap();
        let rows = self.first_row..self.first_row + 3;
        let cells = rows.flat_map(|row| (1..=12).map(move |column| (column, row)));
        for (number, (column, row)) in (1..).zip(cells) {
            let name = cell(column, row);
            let leaf = served.leaf_of(&name).unwrap();
            let (_, position) = served.owner(leaf).unwrap();
            let value = match column {
                1 => Value::Integer(row as i32),
                12 => Value::Integer(self.status),
                _ => Value::OctetString(self.text.as_bytes()),
            };
            let variable = SetVariable { number, leaf: position, index: &[row], value };
            draft.test(proposed, &variable)?;
        }
        draft.apply(proposed)?;
        draft.check(proposed)
    }
}
