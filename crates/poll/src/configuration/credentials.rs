//! `[credentials.NAME]`: secrets, in the configuration file or in separate files.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, OnceLock},
};

use portreeve_config::{Files, Reader, display_escaped, document::Document};
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_secret::Secret;

use super::{reject_value, sections::CREDENTIALS};
use crate::{Credential, User};

pub(super) fn read(
    document: &mut Document<'_, '_>,
    files: &dyn Files,
) -> HashMap<String, Option<Arc<Credential>>> {
    let all = document.read_named_tables("credentials", &CREDENTIALS, |name, reader| {
        (name.value, read_credential(reader, files).map(Arc::new))
    });
    all.into_iter().collect()
}

fn read_credential(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<Credential> {
    let version = reader.text("version");
    match version.as_ref().map(|written| &*written.value) {
        Some("1") => read_community(reader, files).map(Credential::V1),
        Some("2c") => read_community(reader, files).map(Credential::V2c),
        None | Some("3") => read_user(reader, files).map(Credential::V3),
        Some(_) => {
            if let Some(version) = &version {
                reject_value(reader.problems, &CREDENTIALS, "version", version, "unknown version");
            }
            None
        }
    }
}

fn read_community(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<Secret> {
    reject_keys(
        reader,
        &["user", "auth", "auth-pass", "auth-pass-file", "priv", "priv-pass", "priv-pass-file"],
    );
    let value = read_secret(reader, files, "community", "community-file");
    if value.is_none() && reader.position_of("community-file").is_none() {
        return reader.require("community", value);
    }
    value
}

fn read_user(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<User> {
    reject_keys(reader, &["community", "community-file"]);
    let name = reader.text("user");
    let name = reader.require("user", name)?;
    if !(1..=32).contains(&name.value.len()) {
        reject_value(reader.problems, &CREDENTIALS, "user", &name, "invalid length");
    }
    let auth = read_protocol::<AuthProtocol>(reader, "auth", AuthProtocol::HmacSha256_192);
    let auth = read_pass_phrase(reader, files, "auth", "auth-pass", "auth-pass-file").zip(auth);
    let privacy = read_protocol::<PrivProtocol>(reader, "priv", PrivProtocol::Aes128);
    let privacy = read_pass_phrase(reader, files, "priv", "priv-pass", "priv-pass-file").zip(privacy);
    if privacy.is_some() && auth.is_none() {
        let message = "SNMPv3 has no encryption without authentication";
        reader.problems.error(reader.position, message).hint("add auth-pass-file = \"FILE\"");
    }
    let swap = |(phrase, protocol)| (protocol, phrase);
    let privacy = privacy.map(|(phrase, protocol)| (protocol, phrase));
    let (name, shared) = (name.value.into_bytes(), OnceLock::new());
    Some(User { name, auth: auth.map(swap), privacy, shared })
}

/// Reports options that do not apply to this SNMP version.
fn reject_keys(reader: &mut Reader<'_, '_>, keys: &[&str]) {
    for key in keys {
        if let Some(position) = reader.position_of(key) {
            let message = format!("`{key}` does not apply to this SNMP version");
            reader.problems.error(position, message).hint(format!("remove `{key}`, or correct `version`"));
        }
    }
}

fn read_protocol<P: std::str::FromStr>(reader: &mut Reader<'_, '_>, key: &str, default: P) -> Option<P> {
    let Some(written) = reader.text(key) else { return Some(default) };
    let protocol = written.value.parse().ok();
    if protocol.is_none() {
        reject_value(reader.problems, &CREDENTIALS, key, &written, "unknown algorithm");
    }
    protocol
}

fn read_pass_phrase(
    reader: &mut Reader<'_, '_>,
    files: &dyn Files,
    protocol: &str,
    key: &str,
    file_key: &str,
) -> Option<Secret> {
    let value = read_secret(reader, files, key, file_key);
    let position = reader.position_of(key).or(reader.position_of(file_key));
    match (&value, position) {
        (Some(phrase), Some(position)) if phrase.len() < MIN_PASS_PHRASE => {
            let message = format!("a pass phrase of {} octets is too short", phrase.len());
            reader.problems.error(position, message).accepted("8 octets or more");
        }
        (None, None) => {
            if let Some(position) = reader.position_of(protocol) {
                let message = format!("`{protocol}` is set, but no pass phrase");
                reader.problems.error(position, message).hint(format!("add {file_key} = \"FILE\""));
            }
        }
        _ => {}
    }
    value
}

/// Reads a secret from the configuration file or, better, from the first line of another file.
fn read_secret(reader: &mut Reader<'_, '_>, files: &dyn Files, key: &str, file_key: &str) -> Option<Secret> {
    let (inline, file_name) = (reader.secret(key), reader.text(file_key));
    let (Some(file), inline) = (file_name, inline) else {
        return reader.secret(key).map(|written| written.value);
    };
    if inline.is_some() {
        let message = format!("`{key}` and `{file_key}` are both given");
        reader.problems.error(file.position, message).hint("remove one of the two");
        return None;
    }
    let path = Path::new(&file.value);
    match files.read(path) {
        Ok(content) => {
            if files.is_open_to_others(path) {
                let name = display_escaped(&file.value);
                reader
                    .problems
                    .warning(file.position, format!("{name} can be read by other users of this machine"))
                    .hint(format!("chmod 600 {name}"));
            }
            let line = content.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
            Some(Secret::from(line.strip_suffix(b"\r").unwrap_or(line)))
        }
        Err(error) => {
            reject_value(reader.problems, &CREDENTIALS, file_key, &file, &format!("cannot be read: {error}"));
            None
        }
    }
}

/// The minimum length of a pass phrase in octets (RFC 3414 §11.2).
const MIN_PASS_PHRASE: usize = 8;
