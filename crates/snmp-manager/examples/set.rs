//! Writes sysContact, reads it back, and prints the error-status of a rejected write: `cargo run -p
//! portreeve-snmp-manager --example set [ADDRESS [COMMUNITY]]`.

mod support;

use std::error::Error;

use portreeve_snmp_manager::{
    Client, Credentials, ErrorStatus, Operation, Request, Secret, SessionOptions, Value,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let address = words.next();
    let rejected = run(address.as_deref(), &words.next().unwrap_or("private".to_owned()))?;
    println!("sysUpTime cannot be written: {rejected:?}");
    Ok(())
}

/// Writes sysContact. Then tries to write sysUpTime, and returns the error-status of this attempt.
pub fn run(address: Option<&str>, community: &str) -> Result<Option<ErrorStatus>, Box<dyn Error>> {
    let credentials = Credentials::V2c(Secret::from(community));
    let mut client = Client::open(&support::address(address)?, credentials, &SessionOptions::default())?;

    let mut request = Request::new(Operation::Set);
    request.push(&SYS_CONTACT, Value::OctetString(b"ops@example.net"));
    let response = client.request(&request)?;
    if let Some(status) = response.error_status().filter(|_| response.is_error()) {
        return Err(format!("binding {:?} was rejected: {status}", response.error_index()).into());
    }
    let read = client.request(&Request::read(Operation::Get, [SYS_CONTACT]))?;
    for bind in read.var_binds().iter() {
        println!("sysContact is now {:?}", bind.value);
    }

    // The agent rejects this request with a Response, so the rejection is not a `RequestError`.
    request.reset(Operation::Set);
    request.push(&SYS_UP_TIME, Value::TimeTicks(0));
    Ok(client.request(&request)?.error_status())
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
const SYS_CONTACT: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 4, 0];
