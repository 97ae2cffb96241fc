//! The SSH server of the tests, and its keys and users.

use std::fs;
use std::sync::{Arc, LazyLock};

use portreeve_channel_ssh::server::{Authentication, HostKeys, KeyFiles, ServerSettings, SshServer};
use rand::rng;
use russh::keys::ssh_key::LineEnding;
use russh::keys::{Algorithm, PrivateKey};
use tempfile::TempDir;

/// Returns the SSH server of the tests.
pub fn server() -> SshServer {
    SshServer::new(settings())
}

pub fn settings() -> ServerSettings {
    let host_keys = HostKeys::load(&[TEST_KEYS.folder.path().join("host")]).unwrap();
    let pattern = TEST_KEYS.folder.path().join("%u");
    let key_files = KeyFiles::new([pattern.to_str().unwrap()]).unwrap();
    ServerSettings::new(host_keys, Authentication { key_files, ..Authentication::default() })
}

/// A user with a key and a securityName.
pub const USER: &str = "ops";

/// Another user with a key and a securityName.
pub const OTHER_USER: &str = "monitor";

/// A user with a key but without a securityName.
pub const UNNAMED_USER: &str = "unnamed";

/// The host and user keys of all tests.
pub static TEST_KEYS: LazyLock<TestKeys> = LazyLock::new(TestKeys::new);

pub struct TestKeys {
    pub folder: TempDir,
    pub key: Arc<PrivateKey>,
}

impl TestKeys {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
        host.write_openssh_file(folder.path().join("host"), LineEnding::LF).unwrap();
        let key = PrivateKey::random(&mut rng(), Algorithm::Ed25519).unwrap();
        for user in [USER, OTHER_USER, UNNAMED_USER] {
            fs::write(folder.path().join(user), key.public_key().to_openssh().unwrap()).unwrap();
        }
        Self { folder, key: Arc::new(key) }
    }
}
