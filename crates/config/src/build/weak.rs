//! Weak choices: insecure options that must be enabled explicitly in the file.

use portreeve_crypto::{AuthProtocol, PrivProtocol};

use crate::{
    options,
    problem::{Problems, TextPosition},
    raw::RawWeak,
    reader::{display_escaped, report_unknown},
};

/// The weak choices that the file allows.
#[derive(Default)]
pub(super) struct AllowedWeaknesses {
    allowed: Vec<Weakness>,
}

impl AllowedWeaknesses {
    pub(super) fn build(raw: &RawWeak, problems: &mut Problems) -> Self {
        let mut allowed = Vec::new();
        for written in &raw.allow {
            match Weakness::ALL.into_iter().find(|weakness| weakness.name() == written.value) {
                Some(weakness) => allowed.push(weakness),
                None => {
                    let known = Weakness::ALL.iter().map(|weakness| weakness.name());
                    let found =
                        format!("unknown insecure option \"{}\" in [weak]", display_escaped(&written.value));
                    report_unknown(problems, written.position, &found, &written.value, known);
                }
            }
        }
        Self { allowed }
    }

    /// Returns the weak choices that rows made by SET may use.
    pub(super) fn for_rows_made_by_set(&self) -> portreeve_lcd::AllowedWeaknesses {
        let allows = |weakness| self.allowed.contains(&weakness);
        portreeve_lcd::AllowedWeaknesses {
            communities: allows(Weakness::Communities),
            no_auth_no_priv: allows(Weakness::NoAuthNoPriv),
            md5: allows(Weakness::Md5),
            sha: allows(Weakness::Sha),
            des: allows(Weakness::Des),
            triple_des: allows(Weakness::TripleDes),
        }
    }

    /// Reports the weak choice `found` unless it is allowed. `better` is the suggested replacement.
    pub(super) fn check(
        &self,
        weakness: Weakness,
        position: TextPosition,
        found: &str,
        better: &str,
        problems: &mut Problems,
    ) {
        if self.allowed.contains(&weakness) {
            return;
        }
        let (heading, name) = (options::WEAK.heading(), weakness.name());
        problems
            .error(position, format!("{found} is a weak choice: {}", weakness.reason()))
            .hint(format!("{better}, or allow it with {heading} allow = [\"{name}\"]"));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weakness {
    Communities,
    NoAuthNoPriv,
    Md5,
    Sha,
    Des,
    TripleDes,
}

impl Weakness {
    const ALL: [Self; 6] =
        [Self::Communities, Self::NoAuthNoPriv, Self::Md5, Self::Sha, Self::Des, Self::TripleDes];

    /// Returns the weakness of an authentication protocol, if it has one.
    pub(super) fn of_auth(protocol: AuthProtocol) -> Option<Self> {
        match protocol {
            AuthProtocol::HmacMd5_96 => Some(Self::Md5),
            AuthProtocol::HmacSha96 => Some(Self::Sha),
            _ => None,
        }
    }

    /// Returns the weakness of a privacy protocol, if it has one.
    pub(super) fn of_privacy(protocol: PrivProtocol) -> Option<Self> {
        match protocol {
            PrivProtocol::Des => Some(Self::Des),
            PrivProtocol::TripleDes => Some(Self::TripleDes),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Communities => "communities",
            Self::NoAuthNoPriv => "noAuthNoPriv",
            Self::Md5 => "MD5",
            Self::Sha => "SHA",
            Self::Des => "DES",
            Self::TripleDes => "3DES",
        }
    }

    fn reason(self) -> &'static str {
        match self {
            Self::Communities => "anyone on the network path can read and use the community string",
            Self::NoAuthNoPriv => "anyone can send requests in the name of the user",
            Self::Md5 | Self::Sha => "the hash function has known collisions",
            Self::Des => "DES keys have only 56 bits",
            Self::TripleDes => "3DES blocks have only 64 bits",
        }
    }
}
