//! Who signs that we hold a key: the agent, or a private key from a file, unlocked only once the server wants it.

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

/// An open connection to the agent.
pub(crate) type Agent = AgentClient<UnixStream>;

/// Where a key's private half is.
#[derive(Clone, Debug)]
pub(crate) enum KeyHolder {
    /// In the agent, which knows it so.
    Agent(Box<AgentIdentity>),
    /// In a file; the key may be locked.
    File { path: PathBuf, key: FileKey },
}

/// A private key from a file.
#[derive(Clone, Debug)]
pub(crate) struct FileKey(KeyForm);

#[derive(Clone, Debug)]
enum KeyForm {
    /// What signs, and for Ed25519 the same ready to sign: the keys' own library makes it anew for each signature.
    Unlocked(Box<PrivateKey>, Option<Arc<Ed25519KeyPair>>),
    /// Under a pass phrase, in OpenSSH's format.
    Locked(Box<PrivateKey>),
    /// Under a pass phrase, in PEM, which shows nothing of the key.
    EncryptedPem(Arc<str>),
}

impl FileKey {
    /// A key in OpenSSH's format, or out of any other.
    pub(crate) fn new(key: PrivateKey) -> Self {
        if key.is_encrypted() {
            return Self(KeyForm::Locked(Box::new(key)));
        }
        let signing_key = match key.key_data() {
            KeypairData::Ed25519(pair) => {
                Ed25519KeyPair::from_seed_unchecked(pair.private.as_ref()).ok().map(Arc::new)
            }
            _ => None,
        };
        Self(KeyForm::Unlocked(Box::new(key), signing_key))
    }

    /// The text of a file in PEM, under a pass phrase.
    pub(crate) fn encrypted_pem(text: String) -> Self {
        Self(KeyForm::EncryptedPem(text.into()))
    }

    fn decrypt(&self, phrase: &[u8]) -> Option<Self> {
        match &self.0 {
            KeyForm::Unlocked(..) => Some(self.clone()),
            KeyForm::Locked(key) => key.decrypt(phrase).ok().map(Self::new),
            KeyForm::EncryptedPem(text) => {
                let phrase = str::from_utf8(phrase).ok()?;
                decode_secret_key(text, Some(phrase)).ok().map(Self::new)
            }
        }
    }

    pub(crate) fn is_locked(&self) -> bool {
        !matches!(self.0, KeyForm::Unlocked(..))
    }

    fn sign(&self, hash: Option<HashAlg>, octets: &[u8]) -> Result<Signature, ssh_key::Error> {
        let KeyForm::Unlocked(key, signing_key) = &self.0 else { return Err(ssh_key::Error::Encrypted) };
        match (signing_key, key.key_data()) {
            (Some(pair), _) => Signature::new(Algorithm::Ed25519, pair.sign(octets).as_ref()),
            (None, KeypairData::Rsa(pair)) => Ok((pair, hash).try_sign(octets)?),
            (None, pair) => Ok(pair.try_sign(octets)?),
        }
    }
}

/// Signs once.
pub(crate) struct UserSigner<'s> {
    pub(crate) holder: &'s KeyHolder,
    pub(crate) agent: Option<&'s mut Agent>,
    pub(crate) prompter: &'s dyn Prompter,
}

/// Why there is no signature.
#[derive(Debug)]
pub(crate) enum SignError {
    /// The session has ended.
    SessionClosed,
    /// The key cannot be used: a remark.
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
                .map_err(|error| SignError::Unusable(format!("the agent does not sign: {error}"))),
            (KeyHolder::Agent(_), None) => Err(SignError::Unusable("the agent is gone".into())),
            (KeyHolder::File { path, key }, _) => {
                let unlocked =
                    if key.is_locked() { Some(unlock(path, key, self.prompter).await?) } else { None };
                let signature = unlocked.as_ref().unwrap_or(key).sign(hash, &to_sign);
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
        let phrase = prompter
            .ask(UserQuestion::PassPhrase { file: path })
            .await
            .ok_or_else(|| unusable("locked, and nobody gives its pass phrase: ssh-add would"))?;
        if let Some(unlocked) = key.decrypt(phrase.expose()) {
            return Ok(unlocked);
        }
    }
    Err(unusable("the pass phrase is wrong"))
}

const MAX_UNLOCK_ATTEMPTS: usize = 3;
