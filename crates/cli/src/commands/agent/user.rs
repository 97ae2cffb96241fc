//! The SNMPv3 user and its keys.
//!
//! A key or pass phrase is taken from the first source that provides one: flags, environment,
//! `snmp.conf`, and finally a prompt.

use portreeve_secret::Secret;
use portreeve_smi::SecurityLevel;
use portreeve_snmp_manager::{KeyMaterial, KeyMaterialError, UsmUser};

use crate::{
    assumed_protocols::{DEFAULT_AUTH, DEFAULT_PRIV},
    command_error::CommandError,
    environment::Variable,
    flags::{Settings, keys::GivenKey},
};

pub(super) fn build_user(program: &str, mut settings: Settings) -> Result<UsmUser, CommandError> {
    let shared = || settings.default_pass.as_ref().map(|shared| Secret::from(shared.expose()));
    let auth_pass = settings.auth_pass.take().or_else(|| Variable::AuthPass.secret());
    let auth_pass = auth_pass.or(settings.default_auth_pass.take()).or_else(shared);
    let priv_pass = settings.priv_pass.take().or_else(|| Variable::PrivPass.secret());
    let priv_pass = priv_pass.or(settings.default_priv_pass.take()).or_else(shared);
    check_length(auth_pass.as_ref(), program, AUTHENTICATION)?;
    check_length(priv_pass.as_ref(), program, PRIVACY)?;
    let name = settings.user.ok_or_else(missing_user_error)?;
    let (authenticates, encrypts) = match settings.level {
        SecurityLevel::NoAuthNoPriv => return Ok(UsmUser::unauthenticated(&name)),
        SecurityLevel::AuthNoPriv => (true, false),
        SecurityLevel::AuthPriv => (true, true),
    };
    let may_ask = !settings.like_net_snmp;
    let find = |needed: bool, given: Option<GivenKey>, pass_phrase: Option<Secret>, purpose: &str| {
        if !needed {
            return Ok(None);
        }
        let found = given.map(UserKey::Given).or_else(|| pass_phrase.map(UserKey::PassPhrase));
        let question = || format!("{purpose} pass phrase of {}: ", name.escape_ascii());
        let typed = if found.is_none() && may_ask { portreeve_prompt::ask(&question()) } else { None };
        check_length(typed.as_ref(), program, purpose)?;
        Ok(found.or_else(|| typed.map(UserKey::PassPhrase)))
    };
    let auth = find(authenticates, settings.auth_key, auth_pass, AUTHENTICATION)?;
    let privacy = find(encrypts && auth.is_some(), settings.priv_key, priv_pass, PRIVACY)?;
    match (&auth, &privacy) {
        (None, _) => Err(missing_key_error(
            "USM authentication failure (incorrect password or key)",
            "-A",
            Variable::AuthPass,
        )),
        (Some(_), None) if encrypts => Err(missing_key_error("USM generic error", "-X", Variable::PrivPass)),
        (Some(auth), privacy) => {
            let auth_protocol = settings.auth_protocol.unwrap_or(DEFAULT_AUTH);
            let priv_protocol = settings.priv_protocol.unwrap_or(DEFAULT_PRIV);
            let privacy = privacy.as_ref().map(|key| (priv_protocol, key.material()));
            UsmUser::with_keys(&name, (auth_protocol, auth.material()), privacy).map_err(unusable_key_error)
        }
    }
}

enum UserKey {
    Given(GivenKey),
    PassPhrase(Secret),
}

impl UserKey {
    fn material(&self) -> KeyMaterial<'_> {
        match self {
            Self::Given(GivenKey::Master(key)) => KeyMaterial::Master(key),
            Self::Given(GivenKey::Localized(key)) => KeyMaterial::Localized(key),
            Self::PassPhrase(phrase) => KeyMaterial::PassPhrase(phrase),
        }
    }
}

fn missing_user_error() -> CommandError {
    let hint =
        "use -u NAME for an SNMPv3 user, ssh://NAME@HOST for an SSH login, or -v2c -c NAME for a community";
    CommandError::Session(format!("No securityName specified\nhint: {hint}"))
}

fn missing_key_error(message: &str, flag: &str, variable: Variable) -> CommandError {
    CommandError::Session(format!(
        "{message}\nhint: this security level requires a pass phrase: set {flag} or {}",
        variable.name()
    ))
}

fn unusable_key_error(error: KeyMaterialError) -> CommandError {
    CommandError::Session(format!("USM generic error\nhint: {error}"))
}

fn check_length(pass_phrase: Option<&Secret>, program: &str, purpose: &str) -> Result<(), CommandError> {
    if pass_phrase.is_none_or(|pass_phrase| pass_phrase.len() >= MIN_PASS_PHRASE_LEN) {
        return Ok(());
    }
    Err(CommandError::Message(format!(
        "Error: passphrase chosen is below the length requirements of the USM (min={MIN_PASS_PHRASE_LEN}).\n\
         {program}:  (The supplied password length is too short.)\n\
         Error generating a key (Ku) from the supplied {purpose} pass phrase. "
    )))
}

const AUTHENTICATION: &str = "authentication";
const PRIVACY: &str = "privacy";
const MIN_PASS_PHRASE_LEN: usize = 8;
