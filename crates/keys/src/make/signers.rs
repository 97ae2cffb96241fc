//! Loads the authorities of a directory for signing.

use portreeve_pki::{PkiError, SshAuthority, X509Authority, decrypt_key, is_encrypted};
use portreeve_secret::Secret;

use crate::{
    CommandError,
    arguments::Args,
    files,
    folder::{CA, CA_KEY, KeyFolder, SSH_CA},
    pass_phrase::LazyPassPhrase,
};

/// Loads the X.509 authority of the directory.
pub(super) fn x509(
    folder: &KeyFolder,
    pass_phrase: &LazyPassPhrase<'_>,
) -> Result<X509Authority, CommandError> {
    let key_file = folder.file(CA_KEY);
    let certificate =
        files::read_text(&folder.file(CA)).map_err(|failure| unless_made(folder, CA, failure))?;
    let mut key = files::read(&key_file).map_err(|failure| unless_made(folder, CA_KEY, failure))?;
    if std::str::from_utf8(key.expose()).is_ok_and(is_encrypted) {
        let opened = decrypt_key(&key, pass_phrase.get()?);
        key = opened.map_err(|problem| CommandError::problem(&key_file, &problem))?;
    }
    X509Authority::load(&certificate, &key).map_err(|problem| match problem {
        PkiError::WrongContent(_) if !certificate.contains("BEGIN CERTIFICATE") => {
            CommandError::problem(&folder.file(CA), &problem)
        }
        PkiError::NotAuthority => CommandError::problem(&folder.file(CA), &problem),
        other => CommandError::problem(&key_file, &other),
    })
}

/// Loads the SSH authority of the directory.
pub(super) fn ssh(
    folder: &KeyFolder,
    pass_phrase: &LazyPassPhrase<'_>,
) -> Result<SshAuthority, CommandError> {
    let path = folder.file(SSH_CA);
    let text: Secret = files::read(&path).map_err(|failure| unless_made(folder, SSH_CA, failure))?;
    let loaded = match SshAuthority::load(&text, None) {
        Err(PkiError::PassPhraseRequired) => SshAuthority::load(&text, pass_phrase.get()?),
        loaded => loaded,
    };
    loaded.map_err(|problem| CommandError::problem(&path, &problem))
}

/// Returns the selected kinds for which there is an authority.
pub(super) fn available_kinds(folder: &KeyFolder, args: &Args) -> Result<(bool, bool), CommandError> {
    let (tls, ssh) = args.kinds();
    if args.self_signed {
        return Ok((tls, ssh));
    }
    // If kinds were requested, their authorities must exist; otherwise all existing authorities are
    // used.
    let named = args.tls || args.ssh;
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

fn unless_made(folder: &KeyFolder, name: &str, failure: CommandError) -> CommandError {
    if folder.has(name) { failure } else { none(folder, if name == SSH_CA { " --ssh" } else { " --tls" }) }
}

fn none(folder: &KeyFolder, which: &str) -> CommandError {
    CommandError::at(folder.path(), "no authority in this directory").with_hint(format_args!(
        "create an authority with `portreeve keys ca{which}`, specify another directory with --dir, or use --self-signed"
    ))
}
