//! Signs logins with ssh-agent or with a private key from a file. An encrypted key is decrypted
//! only when the server accepts it.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use aws_lc_rs::signature::Ed25519KeyPair;
use russh::{
    Signer,
    keys::{
        Algorithm, HashAlg, PrivateKey,
        agent::{AgentIdentity, client::AgentClient},
        decode_secret_key,
        signature::Signer as _,
        ssh_encoding::Encode,
        ssh_key::{self, Signature, private::KeypairData},
    },
};
use tokio::net::UnixStream;

use super::prompter::{Prompter, UserQuestion};

/// An open connection to ssh-agent.
pub(crate) type Agent = AgentClient<UnixStream>;

/// The place of a private key: ssh-agent or a file.
#[derive(Clone, Debug)]
pub(crate) enum KeyHolder {
    /// ssh-agent, with the identity by which it selects the key.
    Agent(Box<AgentIdentity>),
    /// A file; the key may be encrypted.
    File { path: PathBuf, key: FileKey },
}

/// A private key from a file.
#[derive(Clone, Debug)]
pub(crate) struct FileKey(KeyForm);

#[derive(Clone, Debug)]
enum KeyForm {
    /// The decrypted key. For Ed25519, also the key pair for signing, because the library of
    /// `PrivateKey` would rebuild the pair for each signature.
    Decrypted(Box<PrivateKey>, Option<Arc<Ed25519KeyPair>>),
    /// An encrypted key in OpenSSH format.
    Encrypted(Box<PrivateKey>),
    /// An encrypted key in PEM format, from which not even the public key can be read.
    EncryptedPem(Arc<str>),
}

impl FileKey {
    /// Creates a file key from a key in OpenSSH format, or from a decrypted key in another format.
    pub(crate) fn new(key: PrivateKey) -> Self {
        if key.is_encrypted() {
            return Self(KeyForm::Encrypted(Box::new(key)));
        }
        let signing_key = match key.key_data() {
            KeypairData::Ed25519(pair) => {
                Ed25519KeyPair::from_seed_unchecked(pair.private.as_ref()).ok().map(Arc::new)
            }
            _ => None,
        };
        Self(KeyForm::Decrypted(Box::new(key), signing_key))
    }

    /// Creates a file key from the text of an encrypted PEM file.
    pub(crate) fn encrypted_pem(text: String) -> Self {
        Self(KeyForm::EncryptedPem(text.into()))
    }

    fn decrypt(&self, phrase: &[u8]) -> Option<Self> {
        match &self.0 {
            KeyForm::Decrypted(..) => Some(self.clone()),
            KeyForm::Encrypted(key) => key.decrypt(phrase).ok().map(Self::new),
            KeyForm::EncryptedPem(text) => {
                let phrase = str::from_utf8(phrase).ok()?;
                decode_secret_key(text, Some(phrase)).ok().map(Self::new)
            }
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        !matches!(self.0, KeyForm::Decrypted(..))
    }

    fn sign(&self, hash: Option<HashAlg>, octets: &[u8]) -> Result<Signature, ssh_key::Error> {
        let KeyForm::Decrypted(key, signing_key) = &self.0 else { return Err(ssh_key::Error::Encrypted) };
        match (signing_key, key.key_data()) {
            (Some(pair), _) => Signature::new(Algorithm::Ed25519, pair.sign(octets).as_ref()),
            (None, KeypairData::Rsa(pair)) => Ok((pair, hash).try_sign(octets)?),
            (None, pair) => Ok(pair.try_sign(octets)?),
        }
    }
}

/// Creates one signature.
pub(crate) struct UserSigner<'s> {
    pub(crate) holder: &'s KeyHolder,
    pub(crate) agent: Option<&'s mut Agent>,
    pub(crate) prompter: &'s dyn Prompter,
}

/// Reason why a signature could not be created.
#[derive(Debug)]
pub(crate) enum SignError {
    /// The session has ended.
    SessionClosed,
    /// The key cannot be used, for the given reason.
    Unusable(String),
}

impl From<russh::SendError> for SignError {
    fn from(_: russh::SendError) -> Self {
        Self::SessionClosed
    }
}

impl Signer for UserSigner<'_> {
    type Error = SignError;

    async fn auth_sign(
        &mut self,
        _: &AgentIdentity,
        hash: Option<HashAlg>,
        mut to_sign: Vec<u8>,
    ) -> Result<Vec<u8>, SignError> {
        match (self.holder, &mut self.agent) {
            (KeyHolder::Agent(identity), Some(agent)) => agent
                .sign_request(identity, hash, to_sign)
                .await
                .map_err(|error| SignError::Unusable(format!("ssh-agent did not sign: {error}"))),
            (KeyHolder::Agent(_), None) => {
                Err(SignError::Unusable("the connection to ssh-agent was lost".into()))
            }
            (KeyHolder::File { path, key }, _) => {
                let decrypted =
                    if key.is_encrypted() { Some(unlock(path, key, self.prompter).await?) } else { None };
                let signature = decrypted.as_ref().unwrap_or(key).sign(hash, &to_sign);
                let unusable =
                    |problem: String| SignError::Unusable(format!("{}: {problem}", path.display()));
                let mut encoded = Vec::new();
                signature
                    .and_then(|signature| Ok(signature.encode(&mut encoded)?))
                    .and_then(|()| Ok(encoded.encode(&mut to_sign)?))
                    .map_err(|error| unusable(error.to_string()))?;
                Ok(to_sign)
            }
        }
    }
}

async fn unlock(path: &Path, key: &FileKey, prompter: &dyn Prompter) -> Result<FileKey, SignError> {
    let unusable = |problem: &str| SignError::Unusable(format!("{}: {problem}", path.display()));
    for _ in 0..MAX_UNLOCK_ATTEMPTS {
        let phrase = prompter.ask(UserQuestion::PassPhrase { file: path }).await.ok_or_else(|| {
            unusable("the key is encrypted, and no pass phrase was given; load the key with ssh-add")
        })?;
        if let Some(decrypted) = key.decrypt(phrase.expose()) {
            return Ok(decrypted);
        }
    }
    Err(unusable("wrong pass phrase"))
}

const MAX_UNLOCK_ATTEMPTS: usize = 3;
