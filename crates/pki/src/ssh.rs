//! SSH keys, and authorities that sign them in OpenSSH's format (PROTOCOL.certkeys).

use portreeve_secret::Secret;
use ssh_key::{
    Certificate, Cipher, Kdf, LineEnding, PrivateKey, PublicKey,
    certificate::{Builder, CertType},
    private::Ed25519Keypair,
    public::KeyData,
};

use crate::{Holder, HolderRole, PkiError, Validity, encrypted_key, random};

/// An SSH authority: an ordinary key whose signatures are trusted.
pub struct SshAuthority(PrivateKey);

impl SshAuthority {
    /// Creates an authority from its key.
    ///
    /// # Errors
    /// If the key is encrypted.
    pub fn new(key: PrivateKey) -> Result<Self, PkiError> {
        if key.is_encrypted() { Err(PkiError::PassPhraseRequired) } else { Ok(Self(key)) }
    }

    /// Reads an authority from the text of its key file.
    ///
    /// # Errors
    /// If it is not a private key, or the pass phrase is missing or wrong.
    pub fn load(text: &Secret, pass_phrase: Option<&Secret>) -> Result<Self, PkiError> {
        const NOT_A_KEY: PkiError = PkiError::WrongContent("a private key in OpenSSH format");
        let key = PrivateKey::from_openssh(encrypted_key::text(text).map_err(|_| NOT_A_KEY)?)
            .map_err(|_| NOT_A_KEY)?;
        if !key.is_encrypted() {
            return Ok(Self(key));
        }
        let pass_phrase = pass_phrase.ok_or(PkiError::PassPhraseRequired)?;
        key.decrypt(pass_phrase.expose()).map(Self).map_err(|_| PkiError::WrongPassPhrase)
    }

    /// The authority's public key, which peers must trust.
    pub fn public_key(&self) -> &PublicKey {
        self.0.public_key()
    }

    /// Signs a certificate for a key. It has no extensions, so it permits neither a terminal nor
    /// port forwarding.
    ///
    /// # Errors
    /// If the holder has no principal, or keys of the authority's type are not supported for
    /// signing.
    pub fn certify(
        &self,
        key: &PublicKey,
        holder: &Holder,
        valid: Validity,
    ) -> Result<Certificate, PkiError> {
        let mut builder = builder(key.key_data().clone(), valid)?;
        builder.cert_type(match holder.role {
            HolderRole::Host => CertType::Host,
            HolderRole::User => CertType::User,
        })?;
        builder.key_id(holder.name.as_str())?;
        for principal in &holder.principals {
            builder.valid_principal(principal.as_str())?;
        }
        if let Some(networks) = &holder.source_address {
            builder.critical_option("source-address", networks.as_str())?;
        }
        builder.comment(key.comment().clone())?;
        Ok(builder.sign(&self.0)?)
    }

    /// Renews a certificate that this authority has signed. The new certificate has the same key
    /// and the same content, except the serial number and the dates.
    ///
    /// # Errors
    /// If another authority has signed it.
    pub fn renew(&self, old: &Certificate, valid: Validity) -> Result<Certificate, PkiError> {
        if old.signature_key() != self.public_key().key_data() || old.verify_signature().is_err() {
            return Err(PkiError::NotSignedByAuthority);
        }
        let mut builder = builder(old.public_key().clone(), valid)?;
        builder.cert_type(old.cert_type())?.key_id(old.key_id())?;
        for principal in old.valid_principals() {
            builder.valid_principal(principal.as_str())?;
        }
        if old.valid_principals().is_empty() {
            builder.all_principals_valid()?;
        }
        for (name, value) in old.critical_options().iter() {
            builder.critical_option(name.as_str(), value.as_str())?;
        }
        for (name, value) in old.extensions().iter() {
            builder.extension(name.as_str(), value.as_str())?;
        }
        builder.comment(old.comment())?;
        Ok(builder.sign(&self.0)?)
    }
}

impl std::fmt::Debug for SshAuthority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SshAuthority").field(&self.public_key().key_data()).finish()
    }
}

/// Starts a certificate for a key, with a random serial number.
fn builder(key: KeyData, valid: Validity) -> Result<Builder, PkiError> {
    let (from, until) = valid.unix_seconds();
    let nonce: [u8; Builder::RECOMMENDED_NONCE_SIZE] = random::octets()?;
    let mut builder = Builder::new(nonce, key, from, until)?;
    builder.serial(u64::from_be_bytes(random::octets()?))?;
    Ok(builder)
}

/// Generates an Ed25519 key.
///
/// # Errors
/// If the system cannot supply random bytes.
pub fn new_ssh_key(comment: &str) -> Result<PrivateKey, PkiError> {
    let mut key = PrivateKey::from(Ed25519Keypair::from_seed(&random::octets()?));
    key.set_comment(comment);
    Ok(key)
}

/// Decodes the text of a private key file; `None` if it is malformed or encrypted.
pub fn decode_ssh_key(text: &Secret) -> Option<PrivateKey> {
    PrivateKey::from_openssh(text.expose()).ok().filter(|key| !key.is_encrypted())
}

/// Encodes a private key file, encrypted if a pass phrase is given.
///
/// # Errors
/// If the system cannot supply random bytes.
pub fn encode_ssh_key(key: &PrivateKey, pass_phrase: Option<&Secret>) -> Result<Secret, PkiError> {
    let text = match pass_phrase {
        None => key.to_openssh(LineEnding::LF)?,
        Some(pass_phrase) => {
            let kdf = Kdf::Bcrypt { salt: random::octets::<16>()?.to_vec(), rounds: BCRYPT_ROUNDS };
            let check = u32::from_be_bytes(random::octets()?);
            key.encrypt_with(Cipher::Aes256Ctr, kdf, check, pass_phrase.expose())?
                .to_openssh(LineEnding::LF)?
        }
    };
    Ok(Secret::from(text.as_str()))
}

/// Rounds of bcrypt_pbkdf, the current default of `ssh-keygen`.
const BCRYPT_ROUNDS: u32 = 24;

#[cfg(test)]
mod tests;
