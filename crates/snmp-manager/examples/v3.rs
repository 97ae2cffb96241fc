//! Sends a request as an SNMPv3 user whose pass phrases are in a file, one per line: `cargo run -p
//! portreeve-snmp-manager --example v3 [ADDRESS USER FILE]`.
//!
//! SHA-256 and AES-128 protect the messages. The pass phrases are not taken from the command line,
//! because every user of the machine can read the command line.

mod support;

use std::{error::Error, fs, path::Path, time::Duration};

use portreeve_snmp_manager::{
    AuthProtocol, Client, ClientError, Credentials, Operation, PrivProtocol, RejectReason, Request,
    RequestError, RetryPolicy, Secret, SessionOptions, UsmUser,
};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [address, user, file] => run(Some(address), user, Path::new(file)),
        _ => run_with_own_agent(),
    }
}

/// Runs the example with its own agent and a temporary file with the pass phrase of its user.
pub fn run_with_own_agent() -> Result<(), Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("portreeve-example-{}", std::process::id()));
    fs::write(&file, format!("{0}\n{0}\n", support::PASS_PHRASE))?;
    let done = run(None, "ops", &file);
    fs::remove_file(&file)?;
    done
}

/// Reads sysUpTime as this user.
pub fn run(address: Option<&str>, user: &str, file: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(file)?;
    let mut phrases = text.lines().map(Secret::from);
    let auth = phrases.next().ok_or("the file is empty")?;
    let privacy = phrases.next().unwrap_or_else(|| auth.duplicate());
    let user = UsmUser::with_privacy(
        user.as_bytes(),
        (AuthProtocol::HmacSha256_192, &auth),
        (PrivProtocol::Aes128, &privacy),
    )?;
    println!("security level: {}", user.level());

    // Retransmits at intervals derived from measured round trips, and gives up after three seconds.
    let retry = RetryPolicy::adaptive(Duration::from_secs(3));
    let options = SessionOptions { retry, ..SessionOptions::default() };
    let mut client = Client::open(&support::address(address)?, Credentials::V3(user), &options)?;
    match client.request(&Request::read(Operation::Get, [SYS_UP_TIME])) {
        Ok(response) => println!("{:?}", response.var_binds().iter().next()),
        Err(ClientError::Request(RequestError::Rejected(RejectReason::UnknownUserName))) => {
            return Err("the agent does not have this user".into());
        }
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

const SYS_UP_TIME: [u32; 9] = [1, 3, 6, 1, 2, 1, 1, 3, 0];
