//! Arbitrary octets as a NETCONF request.

use std::collections::BTreeSet;

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
    let reply = writer.output();
    assert!(!reply.windows(6).any(|window| window == b"]]>]]>"));
    let attributes = root_attributes(reply).expect("the reply is well-formed");
    if rpc.reply == ReplyTag::default() {
        assert!(attributes.is_empty());
    } else {
        assert_eq!(Some(attributes), root_attributes(octets), "{octets:?}");
    }
}

/// The namespace, name and value of an attribute.
type Attribute = (String, String, String);

/// Returns the attributes of the root element, or `None` if the document is not well-formed.
fn root_attributes(mut document: &[u8]) -> Option<BTreeSet<Attribute>> {
    let mut tokenizer = Tokenizer::new();
    let mut attributes = None;
    while let Some(event) = tokenizer.next_event(&mut document).ok()? {
        if let Event::Start(start) = event
            && attributes.is_none()
        {
            let own = start.attributes.iter().map(|attribute| {
                let name = attribute.name;
                (name.namespace.to_owned(), name.local.to_owned(), attribute.value.to_owned())
            });
            attributes = Some(own.collect());
        }
    }
    tokenizer.finish().ok()?;
    attributes
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
