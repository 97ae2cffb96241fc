//! The rows of Tables 6 a and 6 b of paper 002: versions, carriers and security levels, and four
//! rows of ratios.

use portreeve_lab_report::document::{Cell, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_002::Comparison;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use crate::client::{Carrier, Message, ProtocolStack};

/// Adds the rows, with a column of the paper and one of this run for each level. `select` returns
/// the samples of a stack.
pub(super) fn rows<'s>(
    table: &mut Table,
    paper: &Comparison,
    select: impl Fn(ProtocolStack) -> Selection<'s>,
) {
    let v1 = |carrier| [Some(ProtocolStack::new(Message::V1, carrier)), None, None];
    let tls = |message| [None, None, Some(ProtocolStack::new(message, Carrier::Tls))];
    let usm = |carrier| {
        [Message::USM, Message::USM_MD5, Message::USM_MD5_DES]
            .map(|message| Some(ProtocolStack::new(message, carrier)))
    };
    let only = |value| [Some(value), None, None];
    let times: [(&str, [Option<PaperValue>; 3], Stacks); 6] = [
        ("v1 over UDP", only(paper.v1_udp), v1(Carrier::Udp)),
        ("v1 over TCP", only(paper.v1_tcp), v1(Carrier::Tcp)),
        ("v1 over TLS", paper.v1_tls.times().map(Some), tls(Message::V1)),
        ("v3 over TLS, without USM", paper.v3_tls.times().map(Some), tls(Message::Tsm)),
        ("v3 over UDP, with USM", paper.v3_udp.times().map(Some), usm(Carrier::Udp)),
        ("v3 over TCP, with USM", paper.v3_tcp.times().map(Some), usm(Carrier::Tcp)),
    ];
    for (name, printed, stacks) in times {
        let cells = printed.into_iter().zip(stacks).flat_map(|(printed, stack)| {
            let measured = stack.map_or(Cell::Empty, |stack| Cell::of(&select(stack), "time", Unit::Seconds));
            [Cell::paper(printed), measured]
        });
        table.row([Cell::text(name)].into_iter().chain(cells));
    }
    table.heading("Ratios");
    let ratios = [
        ("v3-UDP / v1-TLS", paper.udp_to_v1_tls, Carrier::Udp, Message::V1),
        ("v3-UDP / v3-TLS", paper.udp_to_v3_tls, Carrier::Udp, Message::Tsm),
        ("v3-TCP / v1-TLS", paper.tcp_to_v1_tls, Carrier::Tcp, Message::V1),
        ("v3-TCP / v3-TLS", paper.tcp_to_v3_tls, Carrier::Tcp, Message::Tsm),
    ];
    for (name, printed, carrier, message) in ratios {
        // TLS has only one level here; the times of USM at every level are divided by it.
        let bottom = select(ProtocolStack::new(message, Carrier::Tls));
        let cells = printed.all().into_iter().zip(usm(carrier)).flat_map(|(printed, stack)| {
            let measured = stack.map_or(Cell::Empty, |stack| Cell::ratio_of(&select(stack), &bottom, "time"));
            [Cell::paper(printed), measured]
        });
        table.row([Cell::text(name)].into_iter().chain(cells));
    }
}

/// The stack of each level; `None` if there is none.
type Stacks = [Option<ProtocolStack>; 3];
