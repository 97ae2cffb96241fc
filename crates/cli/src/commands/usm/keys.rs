//! From old and new pass phrases to KeyChange values (RFC 3414 §5).

use std::{fs::File, io::Read};

use portreeve_crypto::{AuthProtocol, LocalizedKey, make_key_change, password_to_key};
use portreeve_secret::Secret;

use super::super::Agent;
use crate::failure::Failure;

/// A change of keys.
pub(super) struct Change<'a> {
    pub(super) agent: &'a Agent,
    pub(super) engine_id: &'a [u8],
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

/// Values to write; `None` for a key that stays.
pub(super) struct Values {
    pub(super) auth: Option<Vec<u8>>,
    pub(super) privacy: Option<Vec<u8>>,
}

impl Change<'_> {
    /// Both keys change unless one was named.
    pub(super) fn values(&self) -> Result<Values, Failure> {
        let options = &self.agent.application.usm;
        let both = !options.auth_key && !options.priv_key;
        if options.localized && options.auth_key == options.priv_key {
            return Err(Failure::Usage("-Ck needs one of -Ca and -Cx.".to_owned()));
        }
        for (which, text) in [("New", self.new), ("Old", self.old)] {
            if text.len() < SHORTEST_PASS_PHRASE {
                return Err(Failure::Message(format!(
                    "{which} passphrase must be greater than {SHORTEST_PASS_PHRASE} characters in length."
                )));
            }
        }
        let value = |wanted: bool, privacy: bool| (both || wanted).then(|| self.value(privacy)).transpose();
        Ok(Values { auth: value(options.auth_key, false)?, privacy: value(options.priv_key, true)? })
    }

    fn value(&self, privacy: bool) -> Result<Vec<u8>, Failure> {
        let (old, new) = (self.key(self.old, privacy)?, self.key(self.new, privacy)?);
        let mut random = vec![0; old.expose().len()];
        let no_randomness = |error| Failure::Message(format!("no randomness: {error}"));
        File::open(RANDOMNESS).and_then(|mut file| file.read_exact(&mut random)).map_err(no_randomness)?;
        make_key_change(self.protocol(), &old, &new, &random)
            .map_err(|error| Failure::Message(format!("encoding the keychange failed: {error}")))
    }

    fn key(&self, text: &str, privacy: bool) -> Result<LocalizedKey, Failure> {
        let digits = text.strip_prefix("0x").filter(|_| self.agent.application.usm.localized);
        if let Some(digits) = digits {
            let wrong = || Failure::Message("a localized key is hexadecimal digits".to_owned());
            let octets = hexadecimal(digits).ok_or_else(wrong)?;
            return LocalizedKey::from_octets(&octets).map_err(|error| Failure::Message(error.to_string()));
        }
        let master = password_to_key(self.protocol(), &Secret::from(text.as_bytes()))
            .map_err(|error| Failure::Message(error.to_string()))?;
        Ok(if privacy {
            master.localize_for(self.agent.priv_protocol, self.engine_id)
        } else {
            master.localize(self.engine_id)
        })
    }

    fn protocol(&self) -> AuthProtocol {
        self.agent.auth_protocol
    }
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let octet = |at| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).map(octet).collect()
}

const SHORTEST_PASS_PHRASE: usize = 8;
const RANDOMNESS: &str = "/dev/urandom";
