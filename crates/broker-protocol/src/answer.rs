//! What the command answers: a secret, in buffers that are wiped.

use std::fmt;

use portreeve_secret::Secret;

use crate::{Frame, FrameError, frame::ANSWER};

/// The answer to a question; `None` where nobody can be asked, or nobody answers.
#[derive(PartialEq, Eq)]
pub struct Answer(pub Option<Secret>);

impl Answer {
    /// Takes the answer out of a whole frame, which is wiped.
    pub(crate) fn take(frame: &mut [u8]) -> Result<Self, FrameError> {
        let answer = match frame {
            [_, LENGTH_OF_TWO, _, _, NOBODY] => Ok(Self(None)),
            [_, LENGTH_OF_TWO, _, _, SOMEBODY, answer @ ..] if answer.len() <= Frame::LONGEST_ANSWER => {
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
        if answer.len() > Frame::LONGEST_ANSWER {
            return Err(FrameError::TooLong);
        }
        let length = u16::try_from(answer.len() + 1).map_err(|_| FrameError::TooLong)?.to_be_bytes();
        // As long as it will be: nothing is left behind by growing.
        let mut octets = Vec::with_capacity(HEADER + 1 + answer.len());
        octets.extend([ANSWER.0, LENGTH_OF_TWO]);
        octets.extend(length);
        octets.push(if self.0.is_some() { SOMEBODY } else { NOBODY });
        octets.extend(answer);
        Ok(Secret::new(octets))
    }
}

/// Says whether there is one.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Answer(secret)" } else { "Answer(nobody)" })
    }
}

/// The tag, and the length with what says how long it is.
const HEADER: usize = 4;
/// A length of two octets follows.
const LENGTH_OF_TWO: u8 = 0x82;
const NOBODY: u8 = 0;
const SOMEBODY: u8 = 1;
