//! Arbitrary octets as a NETCONF request.

use portreeve_netconf_message::ReplyTag;
use portreeve_netconf_message::rpc::{ConfigUse, OperationName, Rpc, RpcHandler, RpcReader};
use portreeve_netconf_message::rpc_error::RpcError;
use portreeve_yang_text::xml::{Event, Start, Tokenizer, Writer};

/// Checks that the result and the calls of the handler are the same regardless of how reads split
/// the request, and that the reply is well-formed and cannot end its message early.
pub fn netconf_rpc(octets: &[u8]) {
    let whole = read(octets, octets.len());
    for piece in [1, 3] {
        assert_eq!(read(octets, piece), whole, "{octets:?}");
    }
    let Some((rpc, _)) = whole else { return };
    let mut writer = Writer::new();
    rpc.reply.write(&mut writer);
    if let Err(error) = &rpc.operation {
        error.write(&mut writer);
    }
    writer.end();
    check_reply(writer.output(), &rpc.reply);
}

/// Checks that the reply is XML that repeats the attributes of the request.
fn check_reply(mut reply: &[u8], tag: &ReplyTag) {
    assert!(!reply.windows(6).any(|window| window == b"]]>]]>"));
    let mut tokenizer = Tokenizer::new();
    let mut is_first = true;
    while let Some(event) = tokenizer.next_event(&mut reply).expect("the reply is well-formed") {
        if let Event::Start(start) = event
            && std::mem::take(&mut is_first)
        {
            assert_eq!(start.name.local, "rpc-reply");
            assert!(ReplyTag::of_request(start).has_attributes_of(tag));
        }
    }
    tokenizer.finish().expect("the reply is complete");
}

/// The calls of the handler, with the pieces of texts joined.
#[derive(Debug, Default, PartialEq)]
struct Calls {
    operations: Vec<OperationName>,
    config: String,
}

impl RpcHandler for Calls {
    fn begin_operation(&mut self, operation: OperationName) -> Result<(), RpcError> {
        self.operations.push(operation);
        Ok(())
    }

    fn begin_config(&mut self, config: ConfigUse, start: Start<'_>) -> Result<(), RpcError> {
        self.config += &format!("{config:?} {:?}", start.name);
        Ok(())
    }

    fn config_event(&mut self, event: Event<'_>) -> Result<(), RpcError> {
        self.config += &match event {
            Event::Start(start) => format!("<{:?}", start.name),
            Event::Text(text) => text.to_owned(),
            Event::End(end) => format!(">{:?}", end.name),
        };
        Ok(())
    }
}

fn read(octets: &[u8], piece: usize) -> Option<(Rpc, Calls)> {
    let (mut reader, mut calls) = (RpcReader::default(), Calls::default());
    for piece in octets.chunks(piece.max(1)) {
        reader.push(piece, &mut calls).ok()?;
    }
    Some((reader.finish().ok()?, calls))
}
