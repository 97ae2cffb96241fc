//! The demo's SSH keys, all Ed25519: the agent's host key and a user's key.

use std::{env, fs, io::ErrorKind, net::SocketAddr, path::Path};

use portreeve_pki::{decode_ssh_key, encode_ssh_key, new_ssh_key, ssh_key::PrivateKey};
use portreeve_secret::Secret;
use portreeve_sys::{account_name, effective_uid};

use crate::{
    error::CommandError,
    files::{make_private_directory, write_private},
};

/// The account that starts the demo, whose existing SSH keys are accepted.
pub(super) struct DemoOwner {
    /// The name of the account, which contains only letters, digits, `-`, `_` and `.`.
    pub(super) name: String,
    /// The public keys of the account, as lines for authorized_keys.
    keys: String,
}

impl DemoOwner {
    /// Returns `None` if `~/.ssh` has no public key, or the account name is not a safe file name.
    pub(super) fn find() -> Option<Self> {
        let name = account_name(effective_uid()).ok()??;
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

/// Creates both keys in `directory`, and the known_hosts and authorized_keys files. An existing
/// host key is kept, so that clients of an earlier demo still know it.
pub(super) fn make(
    directory: &Path,
    user: &str,
    owner: Option<&DemoOwner>,
    address: SocketAddr,
) -> Result<(), CommandError> {
    let folder = directory.join(AUTHORIZED_KEYS);
    // The directory may contain the keys of another account that started the demo before.
    match fs::remove_dir_all(&folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(CommandError::new(format!("{}: {error}", folder.display())));
        }
        _ => {}
    }
    let known = fs::read(directory.join(HOST_KEY)).ok().and_then(|text| decode_ssh_key(&Secret::new(text)));
    let files = [HOST_KEY, USER_KEY, KNOWN_HOSTS].map(|name| directory.join(name));
    for file in files.iter().filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| CommandError::new(format!("{}: {error}", file.display())))?;
    }
    let made = |comment| new_ssh_key(comment).map_err(CommandError::new);
    let host = public_half(&directory.join(HOST_KEY), &known.map_or_else(|| made("demo"), Ok)?)?;
    let public = public_half(&directory.join(USER_KEY), &made(user)?)?;
    let (ip, port) = (address.ip(), address.port());
    write_private(&directory.join(KNOWN_HOSTS), &format!("[{ip}]:{port} {host}\n"))?;
    make_private_directory(&folder)?;
    let owner_keys = |name: &str| owner.filter(|owner| owner.name == name).map_or("", |owner| &owner.keys);
    write_private(&folder.join(user), &format!("{public}\n{}", owner_keys(user)))?;
    match owner {
        Some(owner) if owner.name != user => write_private(&folder.join(&owner.name), &owner.keys),
        _ => Ok(()),
    }
}

/// Writes a private key; returns the public key as a line for authorized_keys.
fn public_half(file: &Path, key: &PrivateKey) -> Result<String, CommandError> {
    let text = encode_ssh_key(key, None).map_err(CommandError::new)?;
    write_private(file, &String::from_utf8_lossy(text.expose()))?;
    key.public_key().to_openssh().map_err(CommandError::new)
}

pub(super) const HOST_KEY: &str = "ssh_host_ed25519_key";
pub(super) const USER_KEY: &str = "id_ed25519";
pub(super) const KNOWN_HOSTS: &str = "known_hosts";
pub(super) const AUTHORIZED_KEYS: &str = "authorized_keys";
