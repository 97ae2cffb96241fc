//! The authorities of a folder, when something is to be signed.

use portreeve_pki::{Authority, Problem, SshAuthority, is_sealed, unseal};
use portreeve_secret::Secret;

use crate::{
    Failure,
    arguments::Given,
    files,
    folder::{CA, CA_KEY, Folder, SSH_CA},
    pass_phrase::Asked,
};

/// What signs certificates of X.509.
pub(super) fn x509(folder: &Folder, pass_phrase: &Asked<'_>) -> Result<Authority, Failure> {
    let key_file = folder.file(CA_KEY);
    let certificate =
        files::read_text(&folder.file(CA)).map_err(|failure| unless_made(folder, CA, failure))?;
    let mut key = files::read(&key_file).map_err(|failure| unless_made(folder, CA_KEY, failure))?;
    if std::str::from_utf8(key.expose()).is_ok_and(is_sealed) {
        let opened = unseal(&key, pass_phrase.get()?);
        key = opened.map_err(|problem| Failure::problem(&key_file, &problem))?;
    }
    Authority::load(&certificate, &key).map_err(|problem| match problem {
        Problem::NotA(_) if !certificate.contains("BEGIN CERTIFICATE") => {
            Failure::problem(&folder.file(CA), &problem)
        }
        Problem::NoAuthority => Failure::problem(&folder.file(CA), &problem),
        other => Failure::problem(&key_file, &other),
    })
}

/// What signs SSH keys.
pub(super) fn ssh(folder: &Folder, pass_phrase: &Asked<'_>) -> Result<SshAuthority, Failure> {
    let path = folder.file(SSH_CA);
    let text: Secret = files::read(&path).map_err(|failure| unless_made(folder, SSH_CA, failure))?;
    let loaded = match SshAuthority::load(&text, None) {
        Err(Problem::Sealed) => SshAuthority::load(&text, pass_phrase.get()?),
        loaded => loaded,
    };
    loaded.map_err(|problem| Failure::problem(&path, &problem))
}

/// Which of them there are, among those that are wanted.
pub(super) fn wanted(folder: &Folder, given: &Given) -> Result<(bool, bool), Failure> {
    let (tls, ssh) = given.kinds();
    if given.self_signed {
        return Ok((tls, ssh));
    }
    // What was named must be there; otherwise whatever is.
    let named = given.tls || given.ssh;
    let (has_tls, has_ssh) = (folder.has(CA), folder.has(SSH_CA));
    let missing = if named { tls && !has_tls || ssh && !has_ssh } else { !has_tls && !has_ssh };
    if missing {
        return Err(none(
            folder,
            if named && has_tls {
                " --ssh"
            } else if named && has_ssh {
                " --tls"
            } else {
                ""
            },
        ));
    }
    Ok((tls && has_tls, ssh && has_ssh))
}

fn unless_made(folder: &Folder, name: &str, failure: Failure) -> Failure {
    if folder.has(name) { failure } else { none(folder, if name == SSH_CA { " --ssh" } else { " --tls" }) }
}

fn none(folder: &Folder, which: &str) -> Failure {
    Failure::at(folder.path(), "no authority here that could sign").cured_by(format_args!(
        "`portreeve keys ca{which}` makes one; --dir names another folder; --self-signed does without"
    ))
}
