//! Reads the hello of a client.

use portreeve_yang_text::xml::{Event, Name, Tokenizer};

use super::{HelloError, Version};
use crate::names::NETCONF;

/// Maximum length of a hello, in octets.
pub const MAX_HELLO: usize = 65_536;

/// Maximum number of capabilities that are kept. Further ones are ignored.
pub const MAX_CAPABILITIES: usize = 256;

/// Maximum length of a capability that is kept, in octets. Longer ones are ignored.
pub const MAX_CAPABILITY: usize = 1024;

/// The hello of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientHello {
    /// The highest version that both peers support.
    pub version: Version,
    /// The capabilities of the client, in its order, without white space around them.
    pub capabilities: Vec<Box<str>>,
}

/// Reads the hello of a client, in any pieces.
#[derive(Debug, Default)]
pub struct HelloReader {
    tokenizer: Tokenizer,
    place: Place,
    length: usize,
    version: Option<Version>,
    capabilities: Vec<Box<str>>,
    /// The text of the current capability; the length of the hello limits it.
    text: String,
}

/// The innermost element that is not skipped.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    #[default]
    Document,
    Hello,
    Capabilities,
    Capability,
}

impl HelloReader {
    /// Reads the next octets of the message.
    ///
    /// # Errors
    /// Returns the reason for closing the session.
    pub fn push(&mut self, mut octets: &[u8]) -> Result<(), HelloError> {
        self.length = self.length.saturating_add(octets.len());
        if self.length > MAX_HELLO {
            return Err(HelloError::TooLong);
        }
        while let Some(event) = self.tokenizer.next_event(&mut octets)? {
            let outcome = match event {
                Event::Start(start) => start_of(self.place, start.name),
                Event::Text(text) if self.place == Place::Capability => {
                    self.text.push_str(text);
                    continue;
                }
                Event::Text(_) => continue,
                Event::End(_) => {
                    self.end();
                    continue;
                }
            };
            match outcome? {
                Some(place) => self.place = place,
                None => self.tokenizer.skip_element(),
            }
        }
        Ok(())
    }

    /// Returns the hello at the end of the message.
    ///
    /// # Errors
    /// Returns the reason for closing the session.
    pub fn finish(self) -> Result<ClientHello, HelloError> {
        self.tokenizer.finish()?;
        //= rfc6241#8.1-p1
        let version = self.version.ok_or(HelloError::NoCommonVersion)?;
        Ok(ClientHello { version, capabilities: self.capabilities })
    }

    fn end(&mut self) {
        if self.place == Place::Capability {
            self.end_capability();
        }
        self.place = match self.place {
            Place::Capability => Place::Capabilities,
            Place::Capabilities => Place::Hello,
            Place::Hello | Place::Document => Place::Document,
        };
    }

    fn end_capability(&mut self) {
        let capability = self.text.trim_matches(is_space);
        if !capability.is_empty() && capability.len() <= MAX_CAPABILITY {
            // Parameters of versions are ignored (RFC 6241 §8.1).
            //= rfc6241#8.1-p2
            let uri = capability.split('?').next();
            let versions = [Version::V1_0, Version::V1_1];
            let version = versions.into_iter().find(|version| uri == Some(version.capability()));
            self.version = self.version.max(version);
            //= rfc6241#8-p1
            if self.capabilities.len() < MAX_CAPABILITIES {
                self.capabilities.push(capability.into());
            }
        }
        self.text.clear();
    }
}

/// Returns the place within an element; `None` if the element is skipped.
fn start_of(place: Place, name: Name<'_>) -> Result<Option<Place>, HelloError> {
    let local = if name.namespace == NETCONF { name.local } else { "" };
    Ok(match (place, local) {
        (Place::Document, "hello") => Some(Place::Hello),
        (Place::Document, _) => return Err(HelloError::NotHello),
        //= rfc6241#8.1-p4
        (Place::Hello, "session-id") => return Err(HelloError::SessionId),
        (Place::Hello, "capabilities") => Some(Place::Capabilities),
        (Place::Capabilities, "capability") => Some(Place::Capability),
        // Elements that later versions may define are ignored.
        _ => None,
    })
}

/// Returns true for the white space of XML (XML 1.0 §2.3).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n')
}
