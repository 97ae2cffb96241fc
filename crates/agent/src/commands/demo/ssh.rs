//! SSH keys for a demo, all Ed25519: the agent's host key and a user's.

use std::{env, fs, io::ErrorKind, net::SocketAddr, path::Path};

use portreeve_pki::{new_ssh_key, read_ssh_key, seal_ssh_key, ssh_key::PrivateKey};
use portreeve_secret::Secret;
use portreeve_sys::{account_name, effective_user};

use crate::{
    failure::Failure,
    files::{make_private_directory, write_private},
};

/// Whoever starts the demo, and may ask it with the keys that are there already.
pub(super) struct Starter {
    /// Letters, digits and `-_.` only.
    pub(super) name: String,
    /// Lines of authorized_keys.
    keys: String,
}

impl Starter {
    /// `None` where there is no public key in `~/.ssh`, or the account is called what no file should be.
    pub(super) fn find() -> Option<Self> {
        let name = account_name(effective_user()).ok()??;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.starts_with('.') || !name.chars().all(is_plain) {
            return None;
        }
        let mut files: Vec<_> = fs::read_dir(env::home_dir()?.join(".ssh")).ok()?.flatten().collect();
        files.sort_by_key(fs::DirEntry::file_name);
        let is_key = |file: &fs::DirEntry| {
            let name = file.file_name();
            let name = name.to_string_lossy();
            name.starts_with("id_") && name.ends_with(".pub") && !name.ends_with("-cert.pub")
        };
        let lines =
            files.iter().filter(|file| is_key(file)).filter_map(|file| fs::read_to_string(file.path()).ok());
        let keys: String = lines.filter_map(|text| Some(text.lines().next()?.to_owned() + "\n")).collect();
        (!keys.is_empty()).then_some(Self { name, keys })
    }
}

/// Makes both in `directory`, and the files that tell each end of the other's. A host key that is there stays: whoever has
/// asked the demo before knows it.
pub(super) fn make(
    directory: &Path,
    user: &str,
    starter: Option<&Starter>,
    address: SocketAddr,
) -> Result<(), Failure> {
    let folder = directory.join(AUTHORIZED_KEYS);
    // Those of whoever has started it before, too.
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(Failure::new(format!("{}: {error}", folder.display())));
        }
        _ => {}
    }
    let known = fs::read(directory.join(HOST_KEY)).ok().and_then(|text| read_ssh_key(&Secret::new(text)));
    let files = [HOST_KEY, USER_KEY, KNOWN_HOSTS].map(|name| directory.join(name));
    for file in files.iter().filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    let made = |comment| new_ssh_key(comment).map_err(Failure::new);
    let host = public_half(&directory.join(HOST_KEY), &known.map_or_else(|| made("demo"), Ok)?)?;
    let public = public_half(&directory.join(USER_KEY), &made(user)?)?;
    let (ip, port) = (address.ip(), address.port());
    write_private(&directory.join(KNOWN_HOSTS), &format!("[{ip}]:{port} {host}\n"))?;
    make_private_directory(&folder)?;
    let of_starter =
        |name: &str| starter.filter(|starter| starter.name == name).map_or("", |starter| &starter.keys);
    write_private(&folder.join(user), &format!("{public}\n{}", of_starter(user)))?;
    match starter {
        Some(starter) if starter.name != user => write_private(&folder.join(&starter.name), &starter.keys),
        _ => Ok(()),
    }
}

/// Writes a key; returns its public half as a line of authorized_keys.
fn public_half(file: &Path, key: &PrivateKey) -> Result<String, Failure> {
    let text = seal_ssh_key(key, None).map_err(Failure::new)?;
    write_private(file, &String::from_utf8_lossy(text.expose()))?;
    key.public_key().to_openssh().map_err(Failure::new)
}

pub(super) const HOST_KEY: &str = "ssh_host_ed25519_key";
pub(super) const USER_KEY: &str = "id_ed25519";
pub(super) const KNOWN_HOSTS: &str = "known_hosts";
pub(super) const AUTHORIZED_KEYS: &str = "authorized_keys";
