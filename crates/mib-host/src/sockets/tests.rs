use std::{fmt::Write as _, time::Duration};

use portreeve_mib::{LookupResult, LookupToken, ServedObjects, modules::tcp_mib::*};
use portreeve_smi::{OwnedValue, Timestamp};

use super::{recorded::RecordedSockets, *};
use crate::{Collect, MAX_ROWS, RefreshPolicy};

fn read(source: RecordedSockets) -> Sockets {
    let mut next = Sockets::default();
    SocketCollect::new(source).collect(Timestamp::ZERO, &Sockets::default(), &mut next).unwrap();
    next
}

fn indexes(sockets: &[SocketRow]) -> Vec<&[u32]> {
    sockets.iter().map(|socket| &*socket.index).collect()
}

#[test]
fn tcp_sockets_are_sorted_without_duplicate_listeners() {
    let sockets = read(RecordedSockets::default());
    let own = [1, 4, 192, 0, 2, 2];
    let remote = [1, 4, 203, 0, 113, 80, 443];
    let connection = |port: u32| [&own[..], &[port], &remote].concat();
    let (first, second) = (connection(36_766), connection(36_767));
    let over_ipv4 = [1, 4, 127, 0, 0, 1, 22, 1, 4, 127, 0, 0, 1, 54_321];
    assert_eq!(indexes(&sockets.tcp_connections), [&over_ipv4[..], &first, &second]);
    let states: Vec<_> = sockets.tcp_connections.iter().map(|socket| socket.state).collect();
    assert_eq!(states, [5, 5, 11]);
    // Two sockets that listen on the same address are one row.
    let any_ipv6 = [2, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22];
    assert_eq!(indexes(&sockets.tcp_listeners), [&[1, 4, 127, 0, 0, 1, 2024][..], &any_ipv6]);
    assert_eq!(sockets.tcp_ipv4.len(), 4);
    assert_eq!(&*sockets.tcp_ipv4[1].index, [127, 0, 0, 1, 2024, 0, 0, 0, 0, 0]);
}

#[test]
fn udp_sockets_on_same_address_are_two_endpoints_but_one_udp_table_row() {
    let sockets = read(RecordedSockets::default());
    let any = [1, 4, 0, 0, 0, 0, 161, 1, 4, 0, 0, 0, 0, 0];
    let (first, second) = ([&any[..], &[501]].concat(), [&any[..], &[502]].concat());
    let connected = [1, 4, 127, 0, 0, 1, 55_540, 1, 4, 127, 0, 0, 1, 161, 503];
    assert_eq!(indexes(&sockets.udp_endpoints), [&first[..], &second, &connected]);
    assert_eq!(indexes(&sockets.udp_ipv4), [&[0, 0, 0, 0, 161][..], &[127, 0, 0, 1, 55_540]]);
}

#[test]
fn tcp_tables_are_limited_to_max_rows() {
    let mut tcp = recorded::TCP.lines().next().unwrap().to_owned() + "\n";
    for number in 0..MAX_ROWS + 10 {
        let address = 0x0a00_0000 + number;
        writeln!(tcp, " 1: {address:08X}:0001 0100007F:0001 01 0:0 0:0 0 0 0 {number} 1 0").unwrap();
    }
    let sockets = read(RecordedSockets { tcp, ..RecordedSockets::default() });
    assert_eq!((sockets.tcp_connections.len(), sockets.tcp_ipv4.len()), (MAX_ROWS, MAX_ROWS));
}

#[test]
fn kernel_without_ipv6_exposes_ipv4_sockets_only() {
    assert_eq!(
        read(RecordedSockets { without_ipv6: true, ..RecordedSockets::default() }).tcp_listeners.len(),
        1
    );
}

#[test]
fn socket_tables_are_served_from_the_snapshot() {
    let refresh = RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(1) };
    let collect = SocketCollect::new(RecordedSockets::default());
    let collector = Collector::start(collect, refresh, || Timestamp::ZERO, |_, _| {}).unwrap();
    let mut served = ServedObjects::new(instrumentations(&collector)).unwrap();
    let mut name = TCP_CONN_LOCAL_PORT.oid();
    name.extend(&[127, 0, 0, 1, 2024, 0, 0, 0, 0, 0]).unwrap();
    let LookupResult::Value(value) = served.get(&name) else { panic!("{name:?} has no value") };
    assert_eq!(OwnedValue::from(value), OwnedValue::Integer(2024));
}

#[test]
fn sockets_of_this_machine_can_be_read_from_kernel() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut next = Sockets::default();
    SocketCollect::new(KernelSocketSource).collect(Timestamp::ZERO, &Sockets::default(), &mut next).unwrap();
    let local = (address.ip(), address.port());
    assert!(next.tcp_listeners.iter().any(|socket| socket.local == local), "{:?}", next.tcp_listeners);
}
