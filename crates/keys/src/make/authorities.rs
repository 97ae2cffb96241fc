//! `portreeve keys ca`: authorities, and their empty lists of what counts no more.

use std::{fs, time::SystemTime};

use portreeve_pki::{Authority, Problem, new_ssh_key, seal, seal_ssh_key};

use super::{tell, validity};
use crate::{
    Failure, Report,
    arguments::Given,
    files::Batch,
    folder::{CA, CA_KEY, CA_LIST, Folder, SSH_CA, SSH_CA_PUBLIC, SSH_REVOKED},
    lines,
    revocations::SshList,
};

/// Makes an authority of X.509, one of SSH, or both.
pub(crate) fn make(given: &Given) -> Result<Report, Failure> {
    let now = SystemTime::now();
    let folder = Folder::find(given.folder.as_deref())?;
    let _locked = folder.lock()?;
    let (tls, ssh) = wanted(&folder, given);
    let name = given.name.clone().unwrap_or_else(usual_name);
    let pass_phrase = given.pass_phrase.of_new()?;
    let failed = |problem: Problem| Failure::problem(folder.path(), &problem);
    let mut batch = Batch::default();
    if tls {
        let authority = Authority::new(&name, validity(given, USUAL_DAYS, now)).map_err(failed)?;
        let key = match &pass_phrase {
            Some(pass_phrase) => seal(&authority.key_pem(), pass_phrase).map_err(failed)?,
            None => authority.key_pem(),
        };
        batch.private(folder.file(CA_KEY), key);
        batch.public(folder.file(CA), authority.pem());
        batch.public(folder.file(CA_LIST), authority.revocation_list(&[], 1, now).map_err(failed)?);
    }
    if ssh {
        let key = new_ssh_key(&name).map_err(failed)?;
        batch.private(folder.file(SSH_CA), seal_ssh_key(&key, pass_phrase.as_ref()).map_err(failed)?);
        let public = key.public_key().to_openssh().map_err(|error| failed(error.into()))?;
        batch.public(folder.file(SSH_CA_PUBLIC), public + "\n");
        batch.public(folder.file(SSH_REVOKED), SshList::empty(&name, now).octets().to_vec());
    }
    let made = batch.paths();
    let kept = batch.write(given.force, now)?;
    let mut notes = tell(&made, &kept, folder.path());
    if pass_phrase.is_none() {
        notes += "hint: whoever has the authority's key is whoever they like; --passphrase keeps it under a pass phrase\n";
    }
    notes += "next: portreeve keys host NAME; portreeve keys user NAME\n";
    Ok(Report { data: lines::of_authorities(&folder, None)?, notes, ..Report::default() })
}

/// What is to be made: what was named, or what is missing, or all.
fn wanted(folder: &Folder, given: &Given) -> (bool, bool) {
    let missing = (!folder.has(CA), !folder.has(SSH_CA));
    let named = given.tls || given.ssh;
    if named || given.force || missing == (false, false) { given.kinds() } else { missing }
}

/// Names tell authorities apart where somebody has several.
fn usual_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().take(LONGEST_HOST).collect();
    if host.is_empty() { "Portreeve CA".to_owned() } else { format!("Portreeve CA at {host}") }
}

/// Characters, so that the CommonName stays within its 64.
const LONGEST_HOST: usize = 40;
/// Ten years.
const USUAL_DAYS: u32 = 3650;
