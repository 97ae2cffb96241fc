//! `portreeve keys sign`: issues certificates for existing keys.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_pki::{HolderRole, ssh_key::PublicKey};

use super::{default_days, describe, holder, signers, validity};
use crate::{
    CommandError, Report, arguments::Args, files, files::FileBatch, folder::KeyFolder, lines, names,
};

/// Signs a public SSH key or a certificate request.
pub(crate) fn sign(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let path = PathBuf::from(args.operand().unwrap_or_default());
    let (role, name) = match (&args.user, &args.host) {
        (Some(user), None) => (HolderRole::User, user),
        (None, Some(host)) => (HolderRole::Host, host),
        _ => {
            return Err(CommandError::at(&path, "the owner of the key is missing").with_hint(
                "add --user ops for a client, or --host gw.example for an agent; names in a request are ignored",
            ));
        }
    };
    let name = names::check_name(role, name)?;
    let text = files::read_text(&path)?;
    let holder = holder::holder(role, &name, args)?;
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let valid = validity(args, default_days(role), now);
    let pass_phrase = args.pass_phrase.for_existing_key();
    let failed = |problem| CommandError::problem(&path, &problem);
    let (certificate, default_out) = if text.contains("-----BEGIN") {
        if !text.contains("CERTIFICATE REQUEST-----") {
            return Err(something_else(&path));
        }
        let authority = signers::x509(&folder, &pass_phrase)?;
        (authority.sign(&text, &holder, valid).map_err(failed)?, path.with_extension("pem"))
    } else {
        let key = PublicKey::from_openssh(text.trim()).map_err(|_| something_else(&path))?;
        let authority = signers::ssh(&folder, &pass_phrase)?;
        let certificate = authority.certify(&key, &holder, valid).map_err(failed)?;
        let text = certificate.to_openssh().map_err(|error| failed(error.into()))?;
        (text + "\n", beside_key(&path))
    };
    let out = args.out.clone().unwrap_or(default_out);
    let mut batch = FileBatch::default();
    batch.public(out.clone(), certificate);
    let kept = batch.write(args.force, now)?;
    let below = out.parent().unwrap_or(Path::new("")).to_owned();
    let data = match role {
        HolderRole::User => lines::session_user(&name),
        HolderRole::Host => String::new(),
    };
    Ok(Report { data, notes: describe(&[out], &kept, &below), ..Report::default() })
}

/// Returns `KEY-cert.pub` in the directory of `KEY.pub`, where ssh looks for it.
fn beside_key(path: &Path) -> PathBuf {
    let mut name = path.with_extension("").into_os_string();
    if path.extension().is_none_or(|extension| extension != "pub") {
        name = OsString::from(path);
    }
    name.push("-cert.pub");
    name.into()
}

fn something_else(path: &Path) -> CommandError {
    CommandError::at(path, "neither a public SSH key nor a certificate request").with_hint(
        "expected a file such as id_ed25519.pub, or the output of `openssl req -new`; `portreeve keys show` displays the file",
    )
}
