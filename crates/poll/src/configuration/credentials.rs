//! `[credentials.NAME]`: secrets, in the file or in files of their own.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, OnceLock},
};

use portreeve_config::{Files, Reader, document::Document, shown};
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_secret::Secret;

use super::{refuse, sections::CREDENTIALS};
use crate::{Credential, User};

pub(super) fn read(
    document: &mut Document<'_, '_>,
    files: &dyn Files,
) -> HashMap<String, Option<Arc<Credential>>> {
    let all = document.named("credentials", &CREDENTIALS, |name, reader| {
        (name.value, credential(reader, files).map(Arc::new))
    });
    all.into_iter().collect()
}

fn credential(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<Credential> {
    let version = reader.text("version");
    match version.as_ref().map(|written| &*written.value) {
        Some("1") => community(reader, files).map(Credential::V1),
        Some("2c") => community(reader, files).map(Credential::V2c),
        None | Some("3") => user(reader, files).map(Credential::V3),
        Some(_) => {
            if let Some(version) = &version {
                refuse(reader.problems, &CREDENTIALS, "version", version, "there is no such version");
            }
            None
        }
    }
}

fn community(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<Secret> {
    stray(reader, &["user", "auth", "auth-pass", "auth-pass-file", "priv", "priv-pass", "priv-pass-file"]);
    let found = secret(reader, files, "community", "community-file");
    if found.is_none() && reader.place_of("community-file").is_none() {
        return reader.require("community", found);
    }
    found
}

fn user(reader: &mut Reader<'_, '_>, files: &dyn Files) -> Option<User> {
    stray(reader, &["community", "community-file"]);
    let name = reader.text("user");
    let name = reader.require("user", name)?;
    if !(1..=32).contains(&name.value.len()) {
        refuse(reader.problems, &CREDENTIALS, "user", &name, "a user's name has another length");
    }
    let auth = protocol::<AuthProtocol>(reader, "auth", AuthProtocol::HmacSha256_192);
    let auth = phrase(reader, files, "auth", "auth-pass", "auth-pass-file").zip(auth);
    let privacy = protocol::<PrivProtocol>(reader, "priv", PrivProtocol::Aes128);
    let privacy = phrase(reader, files, "priv", "priv-pass", "priv-pass-file").zip(privacy);
    if privacy.is_some() && auth.is_none() {
        let found = "encryption without authentication does not exist in SNMPv3";
        reader.problems.error(reader.place, found).hint("add auth-pass-file = \"FILE\"");
    }
    let turn = |(phrase, protocol)| (protocol, phrase);
    let privacy = privacy.map(|(phrase, protocol)| (protocol, phrase));
    let (name, shared) = (name.value.into_bytes(), OnceLock::new());
    Some(User { name, auth: auth.map(turn), privacy, shared })
}

/// Keys that mean nothing for this version.
fn stray(reader: &mut Reader<'_, '_>, keys: &[&str]) {
    for key in keys {
        if let Some(place) = reader.place_of(key) {
            let found = format!("`{key}` means nothing for this version");
            reader.problems.error(place, found).hint(format!("remove `{key}`, or correct `version`"));
        }
    }
}

fn protocol<P: std::str::FromStr>(reader: &mut Reader<'_, '_>, key: &str, default: P) -> Option<P> {
    let Some(written) = reader.text(key) else { return Some(default) };
    let protocol = written.value.parse().ok();
    if protocol.is_none() {
        refuse(reader.problems, &CREDENTIALS, key, &written, "there is no such algorithm");
    }
    protocol
}

fn phrase(
    reader: &mut Reader<'_, '_>,
    files: &dyn Files,
    protocol: &str,
    key: &str,
    file_key: &str,
) -> Option<Secret> {
    let found = secret(reader, files, key, file_key);
    let place = reader.place_of(key).or(reader.place_of(file_key));
    match (&found, place) {
        (Some(phrase), Some(place)) if phrase.len() < MIN_PASS_PHRASE => {
            let found = format!("a pass phrase of {} octets is too short", phrase.len());
            reader.problems.error(place, found).accepted("8 octets or more");
        }
        (None, None) => {
            if let Some(place) = reader.place_of(protocol) {
                let found = format!("`{protocol}` is given, but no pass phrase for it");
                reader.problems.error(place, found).hint(format!("add {file_key} = \"FILE\""));
            }
        }
        _ => {}
    }
    found
}

/// A secret that stands in the file or, better, in the first line of another.
fn secret(reader: &mut Reader<'_, '_>, files: &dyn Files, key: &str, file_key: &str) -> Option<Secret> {
    let (here, there) = (reader.secret(key), reader.text(file_key));
    let (Some(file), here) = (there, here) else { return reader.secret(key).map(|written| written.value) };
    if here.is_some() {
        let found = format!("`{key}` and `{file_key}` are both given");
        reader.problems.error(file.place, found).hint("remove one of the two");
        return None;
    }
    let path = Path::new(&file.value);
    match files.read(path) {
        Ok(content) => {
            if files.is_open_to_others(path) {
                let name = shown(&file.value);
                reader
                    .problems
                    .warning(file.place, format!("{name} may be read by other users of this machine"))
                    .hint(format!("chmod 600 {name}"));
            }
            let line = content.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
            Some(Secret::from(line.strip_suffix(b"\r").unwrap_or(line)))
        }
        Err(error) => {
            refuse(reader.problems, &CREDENTIALS, file_key, &file, &format!("it cannot be read: {error}"));
            None
        }
    }
}

/// RFC 3414 §11.2.
const MIN_PASS_PHRASE: usize = 8;
