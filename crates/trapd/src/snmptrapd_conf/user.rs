//! `createUser`: users of the User-based Security Model.

use std::{fmt, str::FromStr, sync::Arc};

use portreeve_crypto::{AuthProtocol, LocalizedKey, MasterKey, PrivProtocol, password_to_key};
use portreeve_lcd::{Credential, StorageType, UserKey, UserRow};
use portreeve_mib::Object;
use portreeve_net_snmp_conf::ConfLocation;
use portreeve_secret::{Redacted, Secret, SecretBuffer};
use portreeve_smi::{EngineId, Oid};
use portreeve_snmp_engine::{
    security::usm::{auth_protocol_identity, priv_protocol_identity},
    senders::{SenderCredential, SenderRule},
};

use super::{Arguments, Reason};

/// A user of `createUser`.
pub struct CreatedUser {
    /// The location of the directive.
    pub location: ConfLocation,
    /// The engine of the option `-e`, which sends traps. Without it, the user may send informs to
    /// this receiver and, unless a key is localized, traps from every engine.
    pub engine_id: Option<EngineId>,
    /// The name, 1 to 32 octets.
    pub name: Vec<u8>,
    /// The authentication protocol and its key.
    pub auth: Option<(AuthProtocol, UserKeySource)>,
    /// The privacy protocol and its key.
    pub privacy: Option<(PrivProtocol, UserKeySource)>,
}

/// The form of a key in the file.
pub enum UserKeySource {
    /// A pass phrase of at least eight octets.
    PassPhrase(Secret),
    /// The key before localization (`-m`).
    Master(Secret),
    /// The localized key (`-l`), at least as long as its protocol requires.
    Localized(Secret),
}

/// Omits the keys.
impl fmt::Debug for CreatedUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreatedUser")
            .field("name", &self.name.escape_ascii().to_string())
            .field("engine_id", &self.engine_id)
            .field("auth", &self.auth)
            .field("privacy", &self.privacy)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for UserKeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Redacted.fmt(f)
    }
}

impl CreatedUser {
    /// Parses `[-e ENGINEID] USER [AUTH [-m|-l] KEY [PRIV [[-m|-l] KEY]]]`. No error contains a
    /// value after USER, because a missing value would move a pass phrase to its place.
    pub(super) fn parse(location: ConfLocation, arguments: &mut Arguments) -> Result<Self, Reason> {
        let engine_id = match arguments.takes_option("-e") {
            true => {
                Some(parse_engine_id(&arguments.required("an engine ID, for example 0x8000000001020304")?)?)
            }
            false => None,
        };
        let name = arguments.required("the name of a user")?.into_bytes();
        if !(1..=MAX_NAME).contains(&name.len()) {
            return Err(format!("invalid name of a user: expected 1 to {MAX_NAME} octets"));
        }
        let auth = Self::parse_auth(arguments)?;
        let privacy = match &auth {
            Some((protocol, key)) => Self::parse_privacy(*protocol, key, arguments)?,
            None => None,
        };
        arguments.end("the privacy key")?;
        Ok(Self { location, engine_id, name, auth, privacy })
    }

    fn parse_auth(arguments: &mut Arguments) -> Result<Option<(AuthProtocol, UserKeySource)>, Reason> {
        let Some(protocol) = arguments.optional() else { return Ok(None) };
        let protocol: AuthProtocol =
            protocol_named(&protocol, "authentication", "SHA-512, SHA-384, SHA-256, SHA-224, SHA or MD5")?;
        let key = UserKeySource::parse(arguments, "authentication", protocol, protocol.key_len())?;
        let key = key.ok_or("missing value: expected the pass phrase of the authentication protocol")?;
        Ok(Some((protocol, key)))
    }

    fn parse_privacy(
        auth: AuthProtocol,
        auth_key: &UserKeySource,
        arguments: &mut Arguments,
    ) -> Result<Option<(PrivProtocol, UserKeySource)>, Reason> {
        let Some(protocol) = arguments.optional() else { return Ok(None) };
        let protocol: PrivProtocol = protocol_named(&protocol, "privacy", "AES, AES-192, AES-256 or DES")?;
        let key = match UserKeySource::parse(arguments, "privacy", auth, protocol.key_len())? {
            Some(key) => key,
            None => auth_key.duplicate(protocol.key_len())?,
        };
        Ok(Some((protocol, key)))
    }

    /// Returns whether a key of the user can be localized to any engine.
    fn is_for_every_engine(&self) -> bool {
        let auth = self.auth.as_ref().map(|(_, key)| key);
        let privacy = self.privacy.as_ref().map(|(_, key)| key);
        let is_localized = |key: &UserKeySource| matches!(key, UserKeySource::Localized(_));
        self.engine_id.is_none() && ![auth, privacy].into_iter().flatten().any(is_localized)
    }
}

impl UserKeySource {
    /// Parses `[-m|-l] KEY`; `None` if there are no more values. `length` is the length of the
    /// localized key.
    fn parse(
        arguments: &mut Arguments,
        of: &str,
        auth: AuthProtocol,
        length: usize,
    ) -> Result<Option<Self>, Reason> {
        if arguments.takes_option("-m") {
            let key = parse_hex(arguments, of)?;
            return match key.len() == auth.key_len() {
                true => Ok(Some(Self::Master(key))),
                false => Err(wrong_length(of, auth.key_len(), key.len())),
            };
        }
        if arguments.takes_option("-l") {
            let key = parse_hex(arguments, of)?;
            return Self::localized(of, &key, length).map(Some);
        }
        let Some(phrase) = arguments.optional() else { return Ok(None) };
        let phrase = Secret::from(phrase);
        if phrase.len() < MIN_PASS_PHRASE {
            return Err(format!(
                "the {of} pass phrase has {} octets: expected at least {MIN_PASS_PHRASE}",
                phrase.len()
            ));
        }
        Ok(Some(Self::PassPhrase(phrase)))
    }

    /// Creates a localized key from the first octets of `key`.
    fn localized(of: &str, key: &Secret, length: usize) -> Result<Self, Reason> {
        let octets = key.expose().get(..length).ok_or_else(|| wrong_length(of, length, key.len()))?;
        Ok(Self::Localized(Secret::from(octets)))
    }

    /// Returns the same key for the privacy protocol.
    fn duplicate(&self, length: usize) -> Result<Self, Reason> {
        match self {
            Self::PassPhrase(phrase) => Ok(Self::PassPhrase(phrase.duplicate())),
            Self::Master(key) => Ok(Self::Master(key.duplicate())),
            Self::Localized(key) => Self::localized("privacy", key, length),
        }
    }
}

/// The users of the file as the engine needs them.
#[derive(Default)]
pub struct EngineUsers {
    /// Rows of usmUserTable: users of single engines, and users who send informs.
    pub rows: Vec<UserRow>,
    /// Users who exist on every engine that sends traps.
    pub sender_rules: Vec<SenderRule>,
}

impl EngineUsers {
    pub(super) fn derive(users: &[CreatedUser], local: EngineId) -> Self {
        let mut all = Self::default();
        for user in users {
            // An invalid key is an error of the file. Omitting the user is safer than adding it
            // without keys.
            let Some(keys) = DerivedUser::of(user) else { continue };
            all.rows.push(keys.row(user, user.engine_id.unwrap_or(local)));
            if user.is_for_every_engine() {
                all.sender_rules.push(keys.sender_rule(user));
            }
        }
        all
    }
}

/// The keys of a user, derived once for all uses.
struct DerivedUser {
    auth: Option<(AuthProtocol, DerivedKey)>,
    privacy: Option<(PrivProtocol, DerivedKey)>,
}

enum DerivedKey {
    Master(MasterKey),
    Localized(LocalizedKey),
}

impl DerivedUser {
    fn of(user: &CreatedUser) -> Option<Self> {
        let Some((protocol, key)) = &user.auth else { return Some(Self { auth: None, privacy: None }) };
        let privacy = match &user.privacy {
            Some((privacy, key)) => Some((*privacy, DerivedKey::of(*protocol, key)?)),
            None => None,
        };
        Some(Self { auth: Some((*protocol, DerivedKey::of(*protocol, key)?)), privacy })
    }

    fn row(&self, user: &CreatedUser, engine_id: EngineId) -> UserRow {
        let mut row = UserRow::new(UserKey { engine_id, name: user.name.as_slice().into() });
        let octets = engine_id.as_bytes();
        if let Some((protocol, key)) = &self.auth {
            let key = match key {
                DerivedKey::Master(master) => &master.localize(octets),
                DerivedKey::Localized(key) => key,
            };
            row.columns.auth = Some(credential(auth_protocol_identity(*protocol), key));
        }
        if let Some((protocol, key)) = &self.privacy {
            let key = match key {
                DerivedKey::Master(master) => &master.localize_for(*protocol, octets),
                DerivedKey::Localized(key) => key,
            };
            row.columns.privacy = Some(credential(priv_protocol_identity(*protocol), key));
        }
        row.into_active(StorageType::ReadOnly)
    }

    fn sender_rule(self, user: &CreatedUser) -> SenderRule {
        fn unlocalized<P>((protocol, key): (P, DerivedKey)) -> Option<SenderCredential<P>> {
            match key {
                DerivedKey::Master(key) => Some(SenderCredential { protocol, key }),
                DerivedKey::Localized(_) => None,
            }
        }
        let (auth, privacy) = (self.auth.and_then(unlocalized), self.privacy.and_then(unlocalized));
        SenderRule::new(&user.name, auth, privacy, Vec::new())
    }
}

impl DerivedKey {
    fn of(protocol: AuthProtocol, key: &UserKeySource) -> Option<Self> {
        match key {
            UserKeySource::PassPhrase(phrase) => password_to_key(protocol, phrase).ok().map(Self::Master),
            UserKeySource::Master(key) => {
                MasterKey::from_octets(protocol, key.expose()).ok().map(Self::Master)
            }
            UserKeySource::Localized(key) => {
                LocalizedKey::from_octets(key.expose()).ok().map(Self::Localized)
            }
        }
    }
}

fn credential(identity: &Object, key: &LocalizedKey) -> Arc<Credential> {
    let protocol = Oid::new(&identity.oid()).unwrap_or_default();
    Arc::new(Credential { protocol, key: Secret::from(key.expose()) })
}

fn parse_engine_id(text: &str) -> Result<EngineId, Reason> {
    text.parse().map_err(|error| format!("invalid engine ID {text:?}: {error}"))
}

fn protocol_named<P: FromStr>(text: &str, of: &str, expected: &str) -> Result<P, Reason> {
    text.parse().map_err(|_| format!("unsupported {of} protocol: expected {expected}"))
}

/// Parses pairs of hexadecimal digits with a leading `0x`.
fn parse_hex(arguments: &mut Arguments, of: &str) -> Result<Secret, Reason> {
    let text = Secret::from(arguments.required(&format!("the {of} key in hexadecimal, for example 0x0123"))?);
    let invalid = || format!("the {of} key is not hexadecimal: expected 0x and pairs of digits");
    let digits = text.expose().strip_prefix(b"0x").ok_or_else(invalid)?;
    let digit = |octet: &u8| char::from(*octet).to_digit(16);
    let mut octets = SecretBuffer::with_capacity(digits.len() / 2);
    for pair in digits.chunks(2) {
        let octet = match pair {
            [high, low] => {
                digit(high).zip(digit(low)).and_then(|(high, low)| u8::try_from(high * 16 + low).ok())
            }
            _ => None,
        };
        octets.extend(&[octet.ok_or_else(invalid)?]);
    }
    Ok(octets.into_secret())
}

fn wrong_length(of: &str, expected: usize, found: usize) -> Reason {
    format!("the {of} key has {found} octets: expected {expected}")
}

/// The minimum length of a pass phrase in octets (RFC 3414 §11.2).
const MIN_PASS_PHRASE: usize = 8;
/// The maximum length of usmUserName in octets.
const MAX_NAME: usize = 32;
