//! Checks that a run against a device resumes with the same credentials.
//!
//! A run directory contains no credentials and no plain hash of them, from which a community could
//! be guessed: a file that only its owner can read has a random key, and the message authentication
//! code of the credentials with it.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use portreeve_crypto::{AuthKey, AuthProtocol};

use crate::error::{Context, Result};
use crate::private_file;

/// Compares the credentials with those with which the run in a directory began, or records them if
/// it begins now.
///
/// # Errors
/// If they differ, or if the directory contains measurements but no record of the credentials.
pub(super) fn check(directory: &Path, credentials: &str, has_samples: bool) -> Result<()> {
    let file = directory.join(FILE);
    let name = file.display();
    match fs::read_to_string(&file) {
        Ok(text) => {
            let key = text.split_whitespace().next().unwrap_or_default();
            if text == line(key, credentials)? {
                return Ok(());
            }
            Err(format!(
                "{} contains a run with other credentials\nhint: choose another directory",
                directory.display()
            )
            .into())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && !has_samples => {
            private_file::write(&file, &line(&new_key()?, credentials)?).context(name)
        }
        Err(error) => Err(error).context(name),
    }
}

/// Returns the contents of the file: the key in hexadecimal digits, and the code.
fn line(key: &str, credentials: &str) -> Result<String> {
    let octets = key.as_bytes().get(..PROTOCOL.key_len()).ok_or("malformed key of the credentials")?;
    let code = AuthKey::new(PROTOCOL, octets)?.sign(&[credentials.as_bytes()]);
    Ok(format!("{key} {}\n", hexadecimal(code.as_octets())))
}

/// Returns a random key, as many hexadecimal digits as a key has octets.
fn new_key() -> Result<String> {
    let mut octets = [0; 16];
    File::open(RANDOM).and_then(|mut file| file.read_exact(&mut octets)).context(RANDOM)?;
    Ok(hexadecimal(&octets))
}

fn hexadecimal(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

const FILE: &str = ".credentials-check";
const PROTOCOL: AuthProtocol = AuthProtocol::HmacSha256_192;
const RANDOM: &str = "/dev/urandom";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_credentials_are_refused_when_the_run_resumes() {
        let directory = tempfile::tempdir().unwrap();
        assert!(check(directory.path(), "COMMUNITY='public'\n", false).is_ok());
        assert!(check(directory.path(), "COMMUNITY='public'\n", true).is_ok());
        let error = check(directory.path(), "COMMUNITY='private'\n", true).err().unwrap();
        assert!(error.message().contains("a run with other credentials"), "{}", error.message());
        let text = fs::read_to_string(directory.path().join(FILE)).unwrap();
        assert!(!text.contains("public"), "{text}");
    }

    #[test]
    fn equal_credentials_have_different_codes_in_different_runs() {
        let texts = [(), ()].map(|()| {
            let directory = tempfile::tempdir().unwrap();
            check(directory.path(), "COMMUNITY='public'\n", false).ok().unwrap();
            fs::read_to_string(directory.path().join(FILE)).unwrap()
        });
        assert_ne!(texts[0], texts[1]);
    }

    #[test]
    fn measurements_without_a_record_of_their_credentials_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(check(directory.path(), "COMMUNITY='public'\n", true).is_err());
        fs::write(directory.path().join(FILE), "short").unwrap();
        assert!(check(directory.path(), "COMMUNITY='public'\n", true).is_err());
    }
}
