use std::io;

use portreeve_secret::Secret;

use super::*;
use crate::{Credentials, Link, Received, SessionOptions};

/// A session in which nobody answers.
struct SilentSession;

impl Link for SilentSession {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn receive(&mut self, patience: Duration) -> io::Result<Received<'_>> {
        std::thread::sleep(patience);
        Ok(Received::Nothing)
    }

    fn is_session(&self) -> bool {
        true
    }
}

#[test]
fn a_session_in_which_communities_are_not_heard_is_not_blamed_on_the_community() {
    let community = |make: fn(Secret) -> Credentials| make(Secret::from("public"));
    for credentials in [community(Credentials::V1), community(Credentials::V2c)] {
        let mut client = Client::over(SilentSession, credentials, &SessionOptions::default());
        let silence = ClientError::Request(RequestError::Timeout(None));
        assert_eq!(client.explain(&silence).unwrap().cause, Cause::CommunitySilentInSession);
    }
}
