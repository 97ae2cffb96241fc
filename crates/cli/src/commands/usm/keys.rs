//! Derives KeyChange values from old and new pass phrases (RFC 3414 §5).

use std::{fs::File, io::Read};

use portreeve_crypto::{AuthProtocol, LocalizedKey, make_key_change, password_to_key};
use portreeve_secret::Secret;

use super::super::Agent;
use crate::command_error::CommandError;

/// The old and the new pass phrase of a user.
pub(super) struct KeyChange<'a> {
    pub(super) agent: &'a Agent,
    pub(super) engine_id: &'a [u8],
    pub(super) old: &'a str,
    pub(super) new: &'a str,
}

/// The values to write; `None` for a key that does not change.
pub(super) struct KeyChangeValues {
    pub(super) auth: Option<Vec<u8>>,
    pub(super) privacy: Option<Vec<u8>>,
}

impl KeyChange<'_> {
    /// Returns the values to write. Both keys change unless `-Ca` or `-Cx` selects one.
    pub(super) fn values(&self) -> Result<KeyChangeValues, CommandError> {
        let options = &self.agent.application.usm;
        let both = !options.auth_key && !options.priv_key;
        if options.localized && options.auth_key == options.priv_key {
            return Err(CommandError::Usage("-Ck requires either -Ca or -Cx".to_owned()));
        }
        for (which, text) in [("New", self.new), ("Old", self.old)] {
            if text.len() < MIN_PASS_PHRASE_LEN {
                return Err(CommandError::Message(format!(
                    "{which} passphrase must be greater than {MIN_PASS_PHRASE_LEN} characters in length."
                )));
            }
        }
        let value =
            |selected: bool, privacy: bool| (both || selected).then(|| self.value(privacy)).transpose();
        Ok(KeyChangeValues { auth: value(options.auth_key, false)?, privacy: value(options.priv_key, true)? })
    }

    fn value(&self, privacy: bool) -> Result<Vec<u8>, CommandError> {
        let (old, new) = (self.key(self.old, privacy)?, self.key(self.new, privacy)?);
        let mut random = vec![0; old.expose().len()];
        let no_randomness = |error| CommandError::Message(format!("{RANDOM_DEVICE}: {error}"));
        File::open(RANDOM_DEVICE).and_then(|mut file| file.read_exact(&mut random)).map_err(no_randomness)?;
        make_key_change(self.protocol(), &old, &new, &random)
            .map_err(|error| CommandError::Message(format!("encoding the keychange failed: {error}")))
    }

    fn key(&self, text: &str, privacy: bool) -> Result<LocalizedKey, CommandError> {
        let digits = text.strip_prefix("0x").filter(|_| self.agent.application.usm.localized);
        if let Some(digits) = digits {
            let wrong =
                || CommandError::Message("invalid localized key: expected hexadecimal digits".to_owned());
            let octets = parse_hex(digits).ok_or_else(wrong)?;
            return LocalizedKey::from_octets(&octets)
                .map_err(|error| CommandError::Message(error.to_string()));
        }
        let master = password_to_key(self.protocol(), &Secret::from(text.as_bytes()))
            .map_err(|error| CommandError::Message(error.to_string()))?;
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

fn parse_hex(digits: &str) -> Option<Vec<u8>> {
    let octet = |at| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).map(octet).collect()
}

const MIN_PASS_PHRASE_LEN: usize = 8;
const RANDOM_DEVICE: &str = "/dev/urandom";
