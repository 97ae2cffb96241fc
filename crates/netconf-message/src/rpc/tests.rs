mod errors;
mod operations;

use portreeve_yang_text::xml::{Event, Start, Writer};

use super::{ConfigUse, Operation, OperationName, Rpc, RpcHandler, RpcReader};
use crate::names::NETCONF;
use crate::rpc_error::{ErrorTag, ErrorType, RpcError};

/// A handler that records its calls, and refuses one operation.
#[derive(Default)]
struct Recorder {
    operations: Vec<OperationName>,
    config: String,
    refused: Option<OperationName>,
}

impl RpcHandler for Recorder {
    fn begin_operation(&mut self, operation: OperationName) -> Result<(), RpcError> {
        self.operations.push(operation);
        match self.refused == Some(operation) {
            true => Err(RpcError::new(ErrorType::Protocol, ErrorTag::AccessDenied)),
            false => Ok(()),
        }
    }

    fn begin_config(&mut self, config: ConfigUse, start: Start<'_>) -> Result<(), RpcError> {
        self.config += &format!("{config:?} {}:", start.name.local);
        Ok(())
    }

    fn config_event(&mut self, event: Event<'_>) -> Result<(), RpcError> {
        self.config += &match event {
            Event::Start(start) if start.name.local == "refused" => {
                return Err(RpcError::new(ErrorType::Application, ErrorTag::DataExists));
            }
            Event::Start(start) => format!("<{} {}>", start.name.namespace, start.name.local),
            Event::Text(text) => text.to_owned(),
            Event::End(end) => format!("</{}>", end.name.local),
        };
        Ok(())
    }
}

fn read_with(recorder: &mut Recorder, message: &str, piece: usize) -> Rpc {
    let mut reader = RpcReader::default();
    for octets in message.as_bytes().chunks(piece) {
        reader.push(octets, recorder).unwrap_or_else(|error| panic!("{message}: {error}"));
    }
    reader.finish().unwrap_or_else(|error| panic!("{message}: {error}"))
}

/// Reads a message, and checks that the result does not depend on the pieces.
fn read(message: &str) -> (Rpc, String) {
    let mut recorder = Recorder::default();
    let rpc = read_with(&mut recorder, message, message.len());
    for piece in [1, 3] {
        let mut other = Recorder::default();
        assert_eq!(read_with(&mut other, message, piece), rpc, "{message}");
        assert_eq!((&other.operations, &other.config), (&recorder.operations, &recorder.config), "{message}");
    }
    (rpc, recorder.config)
}

/// Reads a request with this content.
fn operation(content: &str) -> Result<Operation, RpcError> {
    read(&format!("<rpc xmlns=\"{NETCONF}\" message-id=\"1\">{content}</rpc>")).0.operation
}

/// Returns the reply to a message that is refused, without the namespace of NETCONF.
fn refusal(message: &str) -> String {
    let rpc = read(message).0;
    let mut writer = Writer::new();
    rpc.reply.write(&mut writer);
    rpc.operation.expect_err(message).write(&mut writer);
    writer.end();
    let text = String::from_utf8(writer.output().to_vec()).unwrap();
    text.replace(&format!(" xmlns=\"{NETCONF}\""), "")
}
