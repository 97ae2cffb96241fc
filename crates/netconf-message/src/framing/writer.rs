//! Adds the framing to messages that are sent.

use super::{DELIMITER, END_OF_CHUNKS, Framing};

/// Maximum number of octets in one chunk that is sent.
pub const MAX_CHUNK_OCTETS: usize = 64 * 1024;

/// Adds the framing to the messages for one peer.
#[derive(Debug, Default)]
pub struct FrameWriter {
    framing: Framing,
    has_payload: bool,
}

impl FrameWriter {
    /// Changes the framing of the messages that follow. Call it between two messages.
    pub fn set_framing(&mut self, framing: Framing) {
        self.framing = framing;
    }

    /// Appends the next octets of the message to `output`. Chunks have at most
    /// [`MAX_CHUNK_OCTETS`] octets.
    ///
    /// With [`Framing::EndOfMessage`], the message must not contain `]]>]]>`. In XML, writing `>`
    /// as `&gt;` in text and attributes guarantees this.
    pub fn write_payload(&mut self, payload: &[u8], output: &mut Vec<u8>) {
        self.has_payload |= !payload.is_empty();
        match self.framing {
            Framing::EndOfMessage => output.extend_from_slice(payload),
            Framing::Chunked => {
                for chunk in payload.chunks(MAX_CHUNK_OCTETS) {
                    output.extend_from_slice(b"\n#");
                    output.extend_from_slice(chunk.len().to_string().as_bytes());
                    output.push(b'\n');
                    output.extend_from_slice(chunk);
                }
            }
        }
    }

    /// Appends the end of the message to `output`. Appends nothing if the message is empty, because
    /// a message has at least one chunk.
    pub fn end_message(&mut self, output: &mut Vec<u8>) {
        if self.has_payload {
            output.extend_from_slice(match self.framing {
                Framing::EndOfMessage => DELIMITER,
                Framing::Chunked => END_OF_CHUNKS,
            });
        }
        self.has_payload = false;
    }
}
