//! What the command answers: a secret, in buffers that are wiped.

use std::fmt;

use portreeve_secret::Secret;

use crate::{Frame, FrameError, frame::PROMPT_RESPONSE};

/// The answer to a question; `None` where nobody can be asked, or nobody answers.
#[derive(PartialEq, Eq)]
pub struct PromptResponse(pub Option<Secret>);

impl PromptResponse {
    /// Takes the answer out of a whole frame, which is wiped.
    pub(crate) fn take(frame: &mut [u8]) -> Result<Self, FrameError> {
        let answer = match frame {
            [_, TWO_OCTET_LENGTH, _, _, NO_ANSWER] => Ok(Self(None)),
            [_, TWO_OCTET_LENGTH, _, _, ANSWERED, answer @ ..] if answer.len() <= Frame::MAX_RESPONSE_LEN => {
                Ok(Self(Some(Secret::from(&*answer))))
            }
            _ => Err(FrameError::Malformed),
        };
        portreeve_secret::wipe(frame);
        answer
    }

    /// The whole frame.
    ///
    /// # Errors
    /// When the answer is longer than answers may be.
    pub(crate) fn encode(&self) -> Result<Secret, FrameError> {
        let answer = self.0.as_ref().map_or(&[][..], Secret::expose);
        if answer.len() > Frame::MAX_RESPONSE_LEN {
            return Err(FrameError::TooLong);
        }
        let length = u16::try_from(answer.len() + 1).map_err(|_| FrameError::TooLong)?.to_be_bytes();
        // As long as it will be: nothing is left behind by growing.
        let mut octets = Vec::with_capacity(HEADER_LEN + 1 + answer.len());
        octets.extend([PROMPT_RESPONSE.0, TWO_OCTET_LENGTH]);
        octets.extend(length);
        octets.push(if self.0.is_some() { ANSWERED } else { NO_ANSWER });
        octets.extend(answer);
        Ok(Secret::new(octets))
    }
}

/// Says whether there is one.
impl fmt::Debug for PromptResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Answer(secret)" } else { "Answer(nobody)" })
    }
}

/// The tag, and the length with what says how long it is.
const HEADER_LEN: usize = 4;
/// A length of two octets follows.
const TWO_OCTET_LENGTH: u8 = 0x82;
const NO_ANSWER: u8 = 0;
const ANSWERED: u8 = 1;
