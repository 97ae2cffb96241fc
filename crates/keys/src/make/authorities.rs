//! `portreeve keys ca`: creates authorities and their empty revocation lists.

use std::{fs, time::SystemTime};

use portreeve_pki::{PkiError, X509Authority, encode_ssh_key, encrypt_key, new_ssh_key};

use super::{describe, validity};
use crate::{
    CommandError, Report,
    arguments::Args,
    files::FileBatch,
    folder::{CA, CA_KEY, CA_LIST, KeyFolder, SSH_CA, SSH_CA_PUBLIC, SSH_REVOKED},
    lines,
    revocations::SshRevocationList,
};

/// Creates an X.509 authority, an SSH authority, or both.
pub(crate) fn make(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let _locked = folder.lock()?;
    let (tls, ssh) = selected_kinds(&folder, args);
    let name = args.name.clone().unwrap_or_else(default_name);
    let pass_phrase = args.pass_phrase.for_new_key()?;
    let failed = |problem: PkiError| CommandError::problem(folder.path(), &problem);
    let mut batch = FileBatch::default();
    if tls {
        let authority =
            X509Authority::new(&name, validity(args, DEFAULT_AUTHORITY_DAYS, now)).map_err(failed)?;
        let key = match &pass_phrase {
            Some(pass_phrase) => encrypt_key(&authority.key_pem(), pass_phrase).map_err(failed)?,
            None => authority.key_pem(),
        };
        batch.private(folder.file(CA_KEY), key);
        batch.public(folder.file(CA), authority.pem());
        batch.public(folder.file(CA_LIST), authority.revocation_list(&[], 1, now).map_err(failed)?);
    }
    if ssh {
        let key = new_ssh_key(&name).map_err(failed)?;
        batch.private(folder.file(SSH_CA), encode_ssh_key(&key, pass_phrase.as_ref()).map_err(failed)?);
        let public = key.public_key().to_openssh().map_err(|error| failed(error.into()))?;
        batch.public(folder.file(SSH_CA_PUBLIC), public + "\n");
        batch.public(folder.file(SSH_REVOKED), SshRevocationList::empty(&name, now).octets().to_vec());
    }
    let made = batch.paths();
    let kept = batch.write(args.force, now)?;
    let mut notes = describe(&made, &kept, folder.path());
    if pass_phrase.is_none() {
        notes += "hint: with the authority's key, an attacker can impersonate any host and user; encrypt the key with --passphrase\n";
    }
    notes += "next: portreeve keys host NAME; portreeve keys user NAME\n";
    Ok(Report { data: lines::for_authorities(&folder, None)?, notes, ..Report::default() })
}

/// Returns the kinds to create: those requested on the command line; by default those that are
/// missing, or all if none is missing.
fn selected_kinds(folder: &KeyFolder, args: &Args) -> (bool, bool) {
    let missing = (!folder.has(CA), !folder.has(SSH_CA));
    let named = args.tls || args.ssh;
    if named || args.force || missing == (false, false) { args.kinds() } else { missing }
}

/// Returns the default name of an authority, which includes the host name to distinguish
/// authorities.
fn default_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().take(MAX_HOST_NAME_LEN).collect();
    if host.is_empty() { "Portreeve CA".to_owned() } else { format!("Portreeve CA at {host}") }
}

/// Maximum length of the host name in characters, so that the CommonName is at most 64 characters
/// long.
const MAX_HOST_NAME_LEN: usize = 40;
/// Default validity of an authority in days: ten years.
const DEFAULT_AUTHORITY_DAYS: u32 = 3650;
