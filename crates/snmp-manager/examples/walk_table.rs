//! Reads a whole table with several requests in flight: `cargo run -p portreeve-snmp-manager
//! --example walk_table [ADDRESS [COMMUNITY]]`.

mod support;

use std::{collections::BTreeMap, error::Error};

use portreeve_snmp_manager::{
    Client, Credentials, FastWalk, OwnedValue, Secret, SessionOptions, WalkOptions,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let rows = run(words.next().as_deref(), &words.next().unwrap_or("public".to_owned()))?;
    for (index, columns) in &rows {
        println!("interface {index:?}: {columns:?}");
    }
    Ok(())
}

/// Rows by their index, columns by their number.
pub type Rows = BTreeMap<Vec<u32>, BTreeMap<u32, OwnedValue>>;

/// Reads the columns of ifTable.
pub fn run(address: Option<&str>, community: &str) -> Result<Rows, Box<dyn Error>> {
    let credentials = Credentials::V2c(Secret::from(community));
    let mut client = Client::open(&support::address(address)?, credentials, &SessionOptions::default())?;

    let mut rows = Rows::new();
    let mut walk = FastWalk::new(&IF_ENTRY, WalkOptions::default());
    // An agent that sends names out of order or without end causes an error.
    let end = client.walk(&mut walk, |bind| {
        // The name consists of ifEntry, the column and the index.
        if let Some([column, index @ ..]) = bind.name.to_buf().get(IF_ENTRY.len()..) {
            rows.entry(index.to_vec()).or_default().insert(*column, OwnedValue::from(bind.value));
        }
    })?;

    let statistics = client.statistics();
    eprintln!("{} variables in {} messages, then {end:?}", walk.found(), statistics.messages_out);
    Ok(rows)
}

const IF_ENTRY: [u32; 9] = [1, 3, 6, 1, 2, 1, 2, 2, 1];
