//! SSH keys for a demo, all Ed25519: the agent's host key and a user's.

use std::{fs, net::SocketAddr, path::Path};

use ssh_key::{LineEnding, PrivateKey, private::Ed25519Keypair};

use crate::{
    files::{make_private_directory, write_private},
    process::Failure,
};

/// Makes both in `directory`, in place of those that are there, and the files that tell each end of the other's.
pub(super) fn make(directory: &Path, user: &str, address: SocketAddr) -> Result<(), Failure> {
    let listed = directory.join(AUTHORIZED_KEYS).join(user);
    let files = [HOST_KEY, USER_KEY, KNOWN_HOSTS].map(|name| directory.join(name));
    for file in files.iter().chain([&listed]).filter(|file| file.exists()) {
        fs::remove_file(file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
    }
    let host = public_half(&directory.join(HOST_KEY))?;
    let public = public_half(&directory.join(USER_KEY))?;
    let (ip, port) = (address.ip(), address.port());
    write_private(&directory.join(KNOWN_HOSTS), &format!("[{ip}]:{port} {host}\n"))?;
    make_private_directory(&directory.join(AUTHORIZED_KEYS))?;
    write_private(&listed, &format!("{public}\n"))
}

/// Writes a new key; returns its public half as a line of authorized_keys.
fn public_half(file: &Path) -> Result<String, Failure> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(Failure::new)?;
    let key = PrivateKey::from(Ed25519Keypair::from_seed(&seed));
    let text = key.to_openssh(LineEnding::LF).map_err(Failure::new)?;
    write_private(file, &text)?;
    key.public_key().to_openssh().map_err(Failure::new)
}

pub(super) const HOST_KEY: &str = "ssh_host_ed25519_key";
pub(super) const USER_KEY: &str = "id_ed25519";
pub(super) const KNOWN_HOSTS: &str = "known_hosts";
pub(super) const AUTHORIZED_KEYS: &str = "authorized_keys";
