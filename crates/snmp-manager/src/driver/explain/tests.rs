use std::io;

use portreeve_secret::Secret;

use super::*;
use crate::{Credentials, Link, LinkInput, SessionOptions};

/// A secure session on which no reply arrives.
struct SilentLink;

impl Link for SilentLink {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>> {
        std::thread::sleep(timeout);
        Ok(LinkInput::Nothing)
    }

    fn is_secure_session(&self) -> bool {
        true
    }
}

#[test]
fn timeout_of_community_request_in_secure_session_has_own_explanation() {
    let community = |make: fn(Secret) -> Credentials| make(Secret::from("public"));
    for credentials in [community(Credentials::V1), community(Credentials::V2c)] {
        let mut client = Client::with_link(SilentLink, credentials, &SessionOptions::default());
        let silence = ClientError::Request(RequestError::Timeout(None));
        assert_eq!(client.explain(&silence).unwrap().cause, Cause::NoReplyToCommunityInSession);
    }
}
