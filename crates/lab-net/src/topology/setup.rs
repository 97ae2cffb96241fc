//! Creates the namespaces and interfaces of an isolated topology.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::{fs, io};

use super::{AGENT_PORT, BRIDGE, INTERFACE, MANAGER_PORT, Observer, wait_until_forwarding};
use crate::cleaner::Cleaner;
use crate::error::{Context, NetError, Result};
use crate::place::Place;
use crate::program::Program;

/// Creates the manager's, the agent's and the observer's place, and connects them.
pub(super) fn create(cleaner: &Cleaner) -> Result<(Place, Place, Observer)> {
    let manager = Place::isolated("manager", addresses(MANAGER), cleaner)?;
    let agent = Place::isolated("agent", addresses(AGENT), cleaner)?;
    let observer = Place::isolated("observer", Vec::new(), cleaner)?;
    for place in [&manager, &agent, &observer] {
        place
            .run(|| silence_kernel(place.addresses().is_empty()))?
            .context("cannot configure a namespace")?;
    }
    let commands = [
        "link set lo up".to_owned(),
        format!("link add {BRIDGE} type bridge mcast_snooping 0"),
        add_port(MANAGER_PORT, &manager, MANAGER),
        add_port(AGENT_PORT, &agent, AGENT),
        format!("link set {BRIDGE} up"),
    ];
    Program::Ip.run(&observer, &["-batch", "-"], &commands.join("\n"))?;
    for (place, own, peer) in [(&manager, MANAGER, AGENT), (&agent, AGENT, MANAGER)] {
        Program::Ip.run(place, &["-batch", "-"], &configure(own, peer).join("\n"))?;
    }
    for (place, interface) in
        [(&manager, INTERFACE), (&agent, INTERFACE), (&observer, MANAGER_PORT), (&observer, AGENT_PORT)]
    {
        place.run(|| disable_offloads(interface))??;
    }
    wait_until_forwarding(&observer, &[MANAGER_PORT, AGENT_PORT])?;
    let (manager_port, agent_port) = observer.run(|| Ok((index(MANAGER_PORT)?, index(AGENT_PORT)?)))??;
    Ok((manager, agent, Observer { place: observer, manager_port, agent_port }))
}

/// Returns the addresses of a host.
fn addresses(host: u8) -> Vec<IpAddr> {
    let v6 = has_ipv6().then(|| IpAddr::V6(Ipv6Addr::new(0xfd10, 0x101, 0, 0, 0, 0, 0, u16::from(host))));
    [IpAddr::V4(Ipv4Addr::new(10, 101, 0, host))].into_iter().chain(v6).collect()
}

/// Returns the addresses of the loopback interface.
pub(super) fn loopback_addresses() -> Vec<IpAddr> {
    let v6 = std::net::UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_ok();
    let v6 = v6.then_some(IpAddr::V6(Ipv6Addr::LOCALHOST));
    [IpAddr::V4(Ipv4Addr::LOCALHOST)].into_iter().chain(v6).collect()
}

/// Returns the first address, which is IPv4.
pub(super) fn v4(addresses: &[IpAddr]) -> IpAddr {
    addresses.first().copied().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

fn has_ipv6() -> bool {
    Path::new("/proc/sys/net/ipv6/conf/default").is_dir()
}

/// Makes the kernel send nothing on its own in the namespace of the calling thread: no router
/// solicitations, duplicate address detection or link-local addresses, and no IPv6 at all for the
/// observer. Must precede the creation of interfaces.
fn silence_kernel(is_observer: bool) -> io::Result<()> {
    let settings: &[(&str, &str)] = if is_observer { &OBSERVER_SETTINGS } else { &HOST_SETTINGS };
    for (name, value) in settings {
        match fs::write(Path::new("/proc/sys/net").join(name), value) {
            // The kernel lacks the feature that the setting concerns.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => result?,
        }
    }
    Ok(())
}

/// Returns the command that connects a host to the bridge.
fn add_port(port: &str, place: &Place, host: u8) -> String {
    let namespace = place.namespace_path();
    let namespace = namespace.display();
    format!(
        "link add {port} mtu 1500 type veth peer name {INTERFACE} mtu 1500 address {} netns {namespace}\n\
         link set {port} master {BRIDGE} up",
        hardware_address(host)
    )
}

/// Returns the commands that configure a host.
fn configure(own: u8, peer: u8) -> Vec<String> {
    let mut commands = vec!["link set lo up".to_owned()];
    // Without ARP, the kernel joins no multicast groups for addresses, which it would announce.
    commands.push(format!("link set {INTERFACE} arp off"));
    for address in addresses(own) {
        let (length, option) = if address.is_ipv4() { (24, "") } else { (64, " nodad") };
        commands.push(format!("address add {address}/{length} dev {INTERFACE}{option}"));
    }
    commands.push(format!("link set {INTERFACE} up"));
    let hardware = hardware_address(peer);
    commands.extend(
        addresses(peer)
            .iter()
            .map(|address| format!("neighbor add {address} lladdr {hardware} nud permanent dev {INTERFACE}")),
    );
    commands
}

fn hardware_address(host: u8) -> String {
    format!("02:00:0a:65:00:{host:02x}")
}

/// Disables the offloads of an interface in the namespace of the calling thread.
///
/// # Errors
/// An offload that changes the number of frames is still enabled.
fn disable_offloads(interface: &str) -> Result<()> {
    let action = format!("cannot disable the offloads of {interface}");
    portreeve_sys::disable_offloads(interface).context(&action)?;
    let enabled = portreeve_sys::enabled_offloads(interface).context(&action)?;
    let changing: Vec<&str> = enabled.into_iter().filter(|name| name.contains("-offload")).collect();
    if changing.is_empty() {
        Ok(())
    } else {
        Err(NetError::Unavailable(format!("{action}: {}", changing.join(", "))))
    }
}

/// Returns the index of an interface in the namespace of the calling thread.
fn index(name: &str) -> Result<u32> {
    let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).context("cannot open a socket")?;
    rustix::net::netdevice::name_to_index(&socket, name).context(format_args!("no interface {name}"))
}

/// Settings for the manager's and the agent's namespace, below /proc/sys/net.
const HOST_SETTINGS: [(&str, &str); 6] = [
    // Connections must not use the round-trip times of earlier ones, whose link may have been
    // another one.
    ("ipv4/tcp_no_metrics_save", "1"),
    ("ipv6/conf/default/accept_ra", "0"),
    ("ipv6/conf/default/autoconf", "0"),
    ("ipv6/conf/default/router_solicitations", "0"),
    ("ipv6/conf/default/dad_transmits", "0"),
    // 1: no link-local addresses.
    ("ipv6/conf/default/addr_gen_mode", "1"),
];

/// Settings for the observer's namespace. Packets that cross the bridge must not be reassembled.
const OBSERVER_SETTINGS: [(&str, &str); 5] = [
    ("ipv6/conf/default/disable_ipv6", "1"),
    ("ipv6/conf/all/disable_ipv6", "1"),
    ("bridge/bridge-nf-call-iptables", "0"),
    ("bridge/bridge-nf-call-ip6tables", "0"),
    ("bridge/bridge-nf-call-arptables", "0"),
];

/// The last octet of the addresses.
const MANAGER: u8 = 1;
const AGENT: u8 = 2;
