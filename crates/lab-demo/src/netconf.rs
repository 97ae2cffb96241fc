//! An edit by NETCONF that SNMP shows.

use std::path::Path;
use std::time::Instant;

use crate::access_methods::AccessMethod;
use crate::agent::Demo;
use crate::error::Result;
use crate::netconf_client::{NetconfClient, NetconfLogin};
use crate::walk::read_value;

/// Edits the contact of `ietf-system` and prints it as NETCONF and SNMP read it.
pub(crate) fn run(portreeve: &Path, demo: &Demo, snmp: &AccessMethod) -> Result<()> {
    let Ok(address) = demo.env("PORTREEVE_NETCONF") else {
        println!("The demo does not serve NETCONF: its YANG modules are not compiled; see `make build`.\n");
        return Ok(());
    };
    let login = NetconfLogin {
        address: address.parse()?,
        user: demo.env("PORTREEVE_SSH_USER")?.into(),
        key: demo.env("PORTREEVE_SSH_KEY")?.into(),
        known_hosts: demo.env("PORTREEVE_KNOWN_HOSTS")?.into(),
    };
    let started = Instant::now();
    let mut client = NetconfClient::open(&login)?;
    let opened = started.elapsed();
    let before = read_value(portreeve, snmp, NAME)?;
    let started = Instant::now();
    client.request(&format!(
        "<edit-config><target><running/></target><config>{}</config></edit-config>",
        system(&format!("<contact>{CONTACT}</contact>"))
    ))?;
    let edited = started.elapsed();
    let after = read_value(portreeve, snmp, NAME)?;
    client.close()?;
    if !after.contains(CONTACT) {
        return Err(format!("{NAME} is {after} after the edit, not {CONTACT}").into());
    }
    println!(
        "An edit by NETCONF over SSH at {address}, and the same object by SNMP.\n\n   \
         before       {before}\n   \
         edit-config  ietf-system: contact = {CONTACT}\n   \
         after        {after}\n\n\
         The session was opened in {:.1} ms, and the edit was durable after {:.1} ms.\n",
        opened.as_secs_f64() * 1e3,
        edited.as_secs_f64() * 1e3
    );
    Ok(())
}

fn system(content: &str) -> String {
    format!("<system xmlns=\"urn:ietf:params:xml:ns:yang:ietf-system\">{content}</system>")
}

const NAME: &str = "SNMPv2-MIB::sysContact.0";
const CONTACT: &str = "edited by NETCONF";
