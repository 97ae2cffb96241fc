//! The codecs of rasn-snmp and async-snmp.

use std::hint::black_box;

use async_snmp::message::CommunityMessage as AsyncMessage;
use bytes::Bytes;
use rasn_snmp::{v2, v2c};

use super::Subject;
use crate::error::Result;

type RasnMessage = v2c::Message<v2::Pdus>;

/// The response, in the form of each library.
pub(super) struct Others {
    octets: Bytes,
    rasn: RasnMessage,
    async_snmp: AsyncMessage,
}

impl Others {
    /// Decodes the response, and fails if a library encodes it differently.
    pub(super) fn new(message: &[u8]) -> Result<Self> {
        let octets = Bytes::copy_from_slice(message);
        let rasn: RasnMessage = rasn::ber::decode(message)?;
        let async_snmp = AsyncMessage::decode(octets.clone(), Default::default())?.value;
        for (library, encoded) in
            [("rasn-snmp", rasn::ber::encode(&rasn)?), ("async-snmp", async_snmp.encode()?.to_vec())]
        {
            if encoded != message {
                return Err(format!("{library} encodes the response differently").into());
            }
        }
        Ok(Self { octets, rasn, async_snmp })
    }

    pub(super) fn subjects(&self) -> Vec<Subject<'_>> {
        let Self { octets, rasn, async_snmp } = self;
        vec![
            ("decode", "rasn-snmp", Box::new(move || decode_rasn(octets))),
            ("decode", "async-snmp", Box::new(move || decode_async(octets))),
            (
                "encode",
                "rasn-snmp",
                Box::new(move || rasn::ber::encode(black_box(rasn)).map_or(0, |octets| octets.len())),
            ),
            (
                "encode",
                "async-snmp",
                Box::new(move || black_box(async_snmp).encode().map_or(0, |octets| octets.len())),
            ),
        ]
    }
}

fn decode_rasn(message: &[u8]) -> usize {
    let Ok(message) = rasn::ber::decode::<RasnMessage>(black_box(message)) else { return 0 };
    match &message.data {
        v2::Pdus::Response(response) => response.0.variable_bindings.len(),
        _ => 0,
    }
}

fn decode_async(message: &Bytes) -> usize {
    let Ok(outcome) = AsyncMessage::decode(black_box(message.clone()), Default::default()) else { return 0 };
    outcome.value.pdu().standard().map_or(0, |pdu| black_box(pdu).varbinds().len())
}
