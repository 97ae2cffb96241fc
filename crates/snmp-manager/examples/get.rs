//! Reads two variables: `cargo run -p portreeve-snmp-manager --example get [ADDRESS [COMMUNITY]]`.
//!
//! Without an address, the example queries an agent that it starts itself.

mod support;

use std::error::Error;

use portreeve_snmp_manager::{Client, Credentials, Operation, Request, Secret, SessionOptions, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    run(words.next().as_deref(), &words.next().unwrap_or("public".to_owned()))
}

/// Reads sysUpTime and sysName and prints them.
pub fn run(address: Option<&str>, community: &str) -> Result<(), Box<dyn Error>> {
    let credentials = Credentials::V2c(Secret::from(community));
    let mut client = Client::open(&support::address(address)?, credentials, &SessionOptions::default())?;

    let request = Request::read(Operation::Get, [SYS_UP_TIME, SYS_NAME]);
    let response = client.request(&request)?;

    for bind in response.var_binds().iter() {
        let name = bind.name.to_buf();
        match bind.value {
            Value::TimeTicks(hundredths) => println!("{name:?}: up for {} s", hundredths / 100),
            Value::OctetString(octets) => println!("{name:?}: {}", String::from_utf8_lossy(octets)),
            // The agent does not have this object or instance. The response contains an exception
            // instead of a value.
            value if value.is_exception() => println!("{name:?}: does not exist ({value:?})"),
            value => println!("{name:?}: {value:?}"),
        }
    }
    Ok(())
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const SYS_NAME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 5, 0];
