//! The names of notifications and hosts in configuration files.

use std::{
    io,
    net::{IpAddr, ToSocketAddrs},
};

use portreeve_mib::names;
use portreeve_smi::{Oid, OidError};

/// Returns the identifier of a number with dots, or of a name.
pub(super) fn resolve(text: &str) -> Result<Oid, OidError> {
    let name = text.rsplit_once("::").map_or(text, |(_, name)| name);
    match names::object(name) {
        Some(object) => Oid::new(&object.oid()),
        None => text.strip_prefix('.').unwrap_or(text).parse(),
    }
}

pub(super) fn resolve_host(name: &str) -> io::Result<Vec<IpAddr>> {
    Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
}
