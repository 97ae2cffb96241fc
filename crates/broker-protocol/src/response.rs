//! Responses to prompts: secrets in buffers that are wiped.

use std::fmt;

use portreeve_secret::Secret;

use crate::{Frame, FrameError, frame::PROMPT_RESPONSE};

/// The response to a prompt; `None` if the user cannot be asked, or does not respond.
#[derive(PartialEq, Eq)]
pub struct PromptResponse(pub Option<Secret>);

impl PromptResponse {
    /// Decodes the response in a complete frame, and wipes the frame.
    pub(crate) fn take(frame: &mut [u8]) -> Result<Self, FrameError> {
        let response = match frame {
            [_, TWO_OCTET_LENGTH, _, _, NO_ANSWER] => Ok(Self(None)),
            [_, TWO_OCTET_LENGTH, _, _, ANSWERED, response @ ..]
                if response.len() <= Frame::MAX_RESPONSE_LEN =>
            {
                Ok(Self(Some(Secret::from(&*response))))
            }
            _ => Err(FrameError::Malformed),
        };
        portreeve_secret::wipe(frame);
        response
    }

    /// Encodes the complete frame.
    ///
    /// # Errors
    /// If the response is longer than allowed.
    pub(crate) fn encode(&self) -> Result<Secret, FrameError> {
        let response = self.0.as_ref().map_or(&[][..], Secret::expose);
        if response.len() > Frame::MAX_RESPONSE_LEN {
            return Err(FrameError::TooLong);
        }
        let length = u16::try_from(response.len() + 1).map_err(|_| FrameError::TooLong)?.to_be_bytes();
        // Allocate the buffer at its final size, so that growing does not leave a copy in memory.
        let mut octets = Vec::with_capacity(HEADER_LEN + 1 + response.len());
        octets.extend([PROMPT_RESPONSE.0, TWO_OCTET_LENGTH]);
        octets.extend(length);
        octets.push(if self.0.is_some() { ANSWERED } else { NO_ANSWER });
        octets.extend(response);
        Ok(Secret::new(octets))
    }
}

/// Does not print the response itself, but only that there is one or none.
impl fmt::Debug for PromptResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "PromptResponse(secret)" } else { "PromptResponse(none)" })
    }
}

/// The length of a frame's header in octets: one for the tag, and three for the length.
const HEADER_LEN: usize = 4;
/// The first octet of a length field whose value follows in two octets.
const TWO_OCTET_LENGTH: u8 = 0x82;
const NO_ANSWER: u8 = 0;
const ANSWERED: u8 = 1;
