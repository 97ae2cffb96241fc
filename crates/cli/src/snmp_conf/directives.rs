//! The directives of `snmp.conf`, each defined in one place.

use std::time::Duration;

use portreeve_net_snmp_conf::Directive;
use portreeve_secret::Secret;
use portreeve_smi::SecurityLevel;

use crate::flags::{Settings, Version, parse_time};

/// The reason why a directive cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DirectiveError {
    /// The directive is unknown.
    Unknown,
    /// The value is invalid.
    Value(&'static str),
}

/// The values of directives about MIB files, in the order of the files. Each value replaces or
/// extends the previous ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MibDirectives {
    /// The values of `mibs`: the modules to load.
    pub(crate) modules: Vec<String>,
    /// The values of `mibdirs`: the directories of MIB files.
    pub(crate) directories: Vec<String>,
    /// The values of `mibfile`: single files to load.
    pub(crate) files: Vec<String>,
}

/// Applies a directive; letter case is ignored.
pub(super) fn apply(settings: &mut Settings, directive: &Directive) -> Result<(), DirectiveError> {
    let Directive { name: word, value, raw_value: whole } = directive;
    if word.eq_ignore_ascii_case(ALIAS) {
        return settings.aliases.add(directive.values()).map_err(DirectiveError::Value);
    }
    if let Some((_, list)) = MIB_DIRECTIVES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        list(&mut settings.mib_directives).push(whole.clone());
        return Ok(());
    }
    if let Some((_, apply)) = DIRECTIVES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return apply(settings, value).map_err(DirectiveError::Value);
    }
    if let Some((_, letter)) = SWITCHES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word)) {
        return if parse_bool(value).map_err(DirectiveError::Value)? {
            settings.format.apply(letter).map_err(|_| DirectiveError::Unknown)
        } else {
            Ok(())
        };
    }
    let passed = IGNORED_DIRECTIVES.iter().any(|name| name.eq_ignore_ascii_case(word));
    if passed { Ok(()) } else { Err(DirectiveError::Unknown) }
}

/// Applies a directive from the command line. As in a file, an unknown directive is only a warning.
///
/// # Errors
/// The reason why the value is invalid.
pub(crate) fn set_directive(settings: &mut Settings, word: &str, value: &str) -> Result<(), &'static str> {
    let directive = Directive { name: word.to_owned(), value: value.to_owned(), raw_value: value.to_owned() };
    match apply(settings, &directive) {
        Ok(()) => Ok(()),
        Err(DirectiveError::Value(why)) => Err(why),
        Err(DirectiveError::Unknown) => {
            settings.log.warning(&format!("command line: Warning: Unknown token: {word}."));
            Ok(())
        }
    }
}

/// Returns every directive that has an effect, with the syntax of its value.
pub(crate) fn directives() -> impl Iterator<Item = (&'static str, &'static str)> {
    let value = |name: &str| {
        VALUE_SYNTAX.iter().find(|(known, _)| *known == name).map_or("string", |(_, value)| value)
    };
    let individual = DIRECTIVES.iter().map(move |(name, _)| (*name, value(name)));
    let lists = MIB_DIRECTIVES.iter().map(|(name, _)| (*name, "string"));
    let alias = [(ALIAS, "NAME TRANSPORT_DEFINITION")];
    individual.chain(lists).chain(alias).chain(SWITCHES.iter().map(|(name, _)| (*name, BOOL_SYNTAX)))
}

/// Returns true if the value of a directive is a secret.
pub(super) fn is_secret(word: &str) -> bool {
    SECRET_DIRECTIVES.iter().any(|name| name.eq_ignore_ascii_case(word))
}

fn parse_bool(value: &str) -> Result<bool, &'static str> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "yes" | "true" => Ok(true),
        "0" | "no" | "false" => Ok(false),
        _ => Err("Should be yes|no|true|false|0|1"),
    }
}

fn parse_number(value: &str) -> Result<u32, &'static str> {
    value.parse().map_err(|_| "Bad integer value")
}

/// The directive that names an agent address. It has two values.
const ALIAS: &str = "alias";

type Apply = fn(&mut Settings, &str) -> Result<(), &'static str>;

/// Directives that each have their own function.
static DIRECTIVES: &[(&str, Apply)] = &[
    ("defVersion", |settings, value| {
        settings.version = Version::parse(value).ok_or("Unknown version specification")?;
        Ok(())
    }),
    ("defCommunity", |settings, value| {
        settings.community = Some(Secret::from(value.as_bytes()));
        Ok(())
    }),
    ("defSecurityName", |settings, value| {
        settings.user = Some(value.as_bytes().to_vec());
        Ok(())
    }),
    ("defSecurityLevel", |settings, value| {
        settings.level = value.parse::<SecurityLevel>().map_err(|_| "unknown security level")?;
        Ok(())
    }),
    ("defAuthType", |settings, value| {
        settings.auth_protocol = Some(value.parse().map_err(|_| "Unknown authentication type")?);
        Ok(())
    }),
    ("defPrivType", |settings, value| {
        settings.priv_protocol = Some(value.parse().map_err(|_| "Unknown privacy type")?);
        Ok(())
    }),
    ("defPassphrase", |settings, value| {
        settings.default_pass = Some(Secret::from(value.as_bytes()));
        Ok(())
    }),
    ("defAuthPassphrase", |settings, value| {
        settings.default_auth_pass = Some(Secret::from(value.as_bytes()));
        Ok(())
    }),
    ("defPrivPassphrase", |settings, value| {
        settings.default_priv_pass = Some(Secret::from(value.as_bytes()));
        Ok(())
    }),
    ("defContext", |settings, value| {
        settings.context_name = value.as_bytes().to_vec();
        Ok(())
    }),
    ("timeout", |settings, value| {
        let seconds = parse_number(value)?;
        settings.timeout = Some(Duration::from_secs(u64::from(seconds.max(1))));
        Ok(())
    }),
    ("retries", |settings, value| {
        settings.retries = Some(parse_number(value)?);
        Ok(())
    }),
    ("oidOutputFormat", |settings, value| {
        let letter = match parse_number(value)? {
            1 => "s",
            2 => "S",
            3 => "f",
            4 => "n",
            5 => "u",
            _ => return Err("Unknown output format"),
        };
        settings.format.apply(letter).map_err(|_| "Unknown output format")
    }),
    ("suffixPrinting", |settings, value| {
        let letter = match parse_number(value)? {
            0 => return Ok(()),
            1 => "s",
            2 => "S",
            _ => return Err("Unknown output format"),
        };
        settings.format.apply(letter).map_err(|_| "Unknown output format")
    }),
    ("noRangeCheck", |settings, value| {
        settings.unchecked_values = parse_bool(value)?;
        Ok(())
    }),
    ("dontLoadHostConfig", |settings, value| {
        settings.no_host_files = parse_bool(value)?;
        Ok(())
    }),
    ("defSecurityModel", |settings, value| {
        settings.usm_in_sessions = match value.to_ascii_lowercase().as_str() {
            "usm" => true,
            "tsm" => false,
            _ => return Err("Unknown security model"),
        };
        Ok(())
    }),
    ("localCert", |settings, value| {
        settings.transport_directives.push(("localCert", value.to_owned()));
        Ok(())
    }),
    ("peerCert", |settings, value| {
        settings.transport_directives.push(("peerCert", value.to_owned()));
        Ok(())
    }),
    ("trustCert", |settings, value| {
        settings.transport_directives.push(("trust_cert", value.to_owned()));
        Ok(())
    }),
    ("persist", |settings, value| {
        settings.secure.persist = parse_time(value).ok_or("Should be seconds, such as 60, 60s or 5m")?;
        Ok(())
    }),
    ("noTokenWarnings", |settings, value| {
        settings.suppress_token_warnings = parse_bool(value)?;
        Ok(())
    }),
];

/// Directives that correspond to a letter of `-O`.
static SWITCHES: &[(&str, &str)] = &[
    ("printNumericOids", "n"),
    ("printNumericEnums", "e"),
    ("escapeQuotes", "E"),
    ("dontBreakdownOids", "b"),
    ("quickPrinting", "q"),
    ("numericTimeticks", "t"),
    ("extendedIndex", "X"),
    ("printHexText", "T"),
    ("printValueOnly", "v"),
    ("dontPrintUnits", "U"),
];

type List = fn(&mut MibDirectives) -> &mut Vec<String>;

/// Directives whose value is the rest of the line.
static MIB_DIRECTIVES: &[(&str, List)] = &[
    ("mibs", |directives| &mut directives.modules),
    ("mibdirs", |directives| &mut directives.directories),
    ("mibfile", |directives| &mut directives.files),
];

/// Directives about parsing MIB files and about logging. They are ignored, which does not change
/// any result.
static IGNORED_DIRECTIVES: &[&str] = &[
    "showMibErrors",
    "commentToEOL",
    "strictCommentTerm",
    "mibAllowUnderline",
    "mibWarningLevel",
    "mibReplaceWithLatest",
    "logTimestamp",
    "doDebugging",
    "debugTokens",
    "debugLogLevel",
    "persistentDir",
    "noPersistentLoad",
    "noPersistentSave",
    "tempFilePattern",
];

/// The syntax of values that are not plain strings.
static VALUE_SYNTAX: &[(&str, &str)] = &[
    ("defVersion", "1|2c|3"),
    ("defSecurityLevel", "noAuthNoPriv|authNoPriv|authPriv"),
    ("defSecurityModel", "usm|tsm"),
    ("persist", "time"),
    ("timeout", "integerValue"),
    ("retries", "integerValue"),
    ("oidOutputFormat", "integerValue"),
    ("suffixPrinting", "integerValue"),
    ("noRangeCheck", BOOL_SYNTAX),
    ("noTokenWarnings", BOOL_SYNTAX),
    ("dontLoadHostConfig", BOOL_SYNTAX),
];
const BOOL_SYNTAX: &str = "(1|yes|true|0|no|false)";

static SECRET_DIRECTIVES: &[&str] = &["defPassphrase", "defAuthPassphrase", "defPrivPassphrase"];
