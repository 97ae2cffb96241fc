//! The network between this machine and a device of the user.

use std::io;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};
use std::process::Command;

use portreeve_sys::PacketSocket;
use rustix::net::netdevice::name_to_index;

use super::Topology;
use crate::cleaner::Cleaner;
use crate::error::{Context, NetError, Result};

/// A device, and the interface of this machine through which it is reached.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Device {
    pub(crate) address: IpAddr,
    /// The index of the interface.
    pub(crate) interface: u32,
}

impl Topology {
    /// Uses the network of the calling thread's namespace, with an observer at the interface that
    /// routes to a device. Frames from and to other addresses are not recorded.
    ///
    /// # Errors
    /// `Unavailable` without root, without the program `ip`, or if the device is this machine.
    pub fn to_device(cleaner: &Cleaner, address: IpAddr) -> Result<Self> {
        let name = interface_to(address)?;
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot open a socket")?;
        let interface = name_to_index(&socket, &name).map_err(io::Error::from).context(&name)?;
        PacketSocket::open(0, MIN_SLOT)
            .map_err(|error| NetError::Unavailable(format!("cannot capture frames: {error}; run as root")))?;
        let device = Some(Device { address, interface });
        Ok(Self { device, ..Self::loopback(cleaner)? })
    }
}

/// Returns the name of the interface that routes to an address.
///
/// # Errors
/// `Unavailable` if the address is one of this machine, or without a route.
pub fn interface_to(address: IpAddr) -> Result<String> {
    let output = Command::new("ip").args(["route", "get", &address.to_string()]).output();
    let output = output.map_err(|error| NetError::Unavailable(format!("cannot run ip: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match interface_in(&text) {
        Some("lo") => Err(NetError::Unavailable(format!("{address} is an address of this machine"))),
        Some(name) => Ok(name.to_owned()),
        None => Err(NetError::Unavailable(format!("there is no route to {address}"))),
    }
}

/// Returns the interface in the output of `ip route get`.
fn interface_in(text: &str) -> Option<&str> {
    text.split_whitespace().skip_while(|word| *word != "dev").nth(1)
}

/// A socket to check the rights needs no room for frames.
const MIN_SLOT: usize = 64;

#[cfg(test)]
mod tests;
