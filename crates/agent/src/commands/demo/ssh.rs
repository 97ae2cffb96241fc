//! SSH keys for a demo, all Ed25519: the agent's host key and a user's.

use std::{fs, net::SocketAddr, path::Path};

use portreeve_authority::{new_ssh_key, seal_ssh_key};

use crate::{
    failure::Failure,
    files::{make_private_directory, write_private},
};

/// Makes both in `directory`, in place of those that are there, and the files that tell each end of the other's.
pub(super) fn make(directory: &Path, user: &str, address: SocketAddr) -> Result<(), Failure> {
    let listed = directory.join(AUTHORIZED_KEYS).join(user);
    let files = [HOST_KEY, USER_KEY, KNOWN_HOSTS].map(|name| directory.join(name));
    for file in files.iter().chain([&listed]).filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    let host = public_half(&directory.join(HOST_KEY), "demo")?;
    let public = public_half(&directory.join(USER_KEY), user)?;
    let (ip, port) = (address.ip(), address.port());
    write_private(&directory.join(KNOWN_HOSTS), &format!("[{ip}]:{port} {host}\n"))?;
    make_private_directory(&directory.join(AUTHORIZED_KEYS))?;
    write_private(&listed, &format!("{public}\n"))
}

/// Writes a new key; returns its public half as a line of authorized_keys.
fn public_half(file: &Path, comment: &str) -> Result<String, Failure> {
    let key = new_ssh_key(comment).map_err(Failure::new)?;
    let text = seal_ssh_key(&key, None).map_err(Failure::new)?;
    write_private(file, &String::from_utf8_lossy(text.expose()))?;
    key.public_key().to_openssh().map_err(Failure::new)
}

pub(super) const HOST_KEY: &str = "ssh_host_ed25519_key";
pub(super) const USER_KEY: &str = "id_ed25519";
pub(super) const KNOWN_HOSTS: &str = "known_hosts";
pub(super) const AUTHORIZED_KEYS: &str = "authorized_keys";
