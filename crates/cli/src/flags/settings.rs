//! The settings from the flags, with the defaults of the Net-SNMP commands.

use std::{rc::Rc, time::Duration};

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::format::OutputFormat;
use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineId, SecurityLevel};

use super::{input_names::InputNames, keys::GivenKey};
use crate::{debug::TokenSet, log::Log, output::record::DataFormat, snmp_conf, verb::Verb};

/// All settings of a command.
pub(crate) struct Settings {
    pub(crate) version: Version,
    pub(crate) community: Option<Secret>,
    pub(crate) user: Option<Vec<u8>>,
    pub(crate) level: SecurityLevel,
    pub(crate) auth_protocol: AuthProtocol,
    pub(crate) auth_pass: Option<Secret>,
    pub(crate) priv_protocol: PrivProtocol,
    pub(crate) priv_pass: Option<Secret>,
    /// `defPassphrase`: used for both purposes if no other pass phrase is set.
    pub(crate) default_pass: Option<Secret>,
    /// `defAuthPassphrase`
    pub(crate) default_auth_pass: Option<Secret>,
    /// `defPrivPassphrase`
    pub(crate) default_priv_pass: Option<Secret>,
    /// `noTokenWarnings`: do not report unknown directives.
    pub(crate) suppress_token_warnings: bool,
    pub(crate) context_name: Vec<u8>,
    pub(crate) context_engine_id: Option<EngineId>,
    pub(crate) security_engine_id: Option<EngineId>,
    /// `-t`; without `-t` and `-r`, the timeout adapts to the round-trip time.
    pub(crate) timeout: Option<Duration>,
    /// `-r`
    pub(crate) retries: Option<u32>,
    pub(crate) format: OutputFormat,
    /// `-m`
    pub(crate) mib_modules: Option<String>,
    /// `-M`
    pub(crate) mib_directories: Option<String>,
    /// Directives of `snmp.conf` about MIB modules, directories and files. Flags and the
    /// environment replace the modules and the directories, but not the files.
    pub(crate) mib_directives: snmp_conf::MibDirectives,
    /// `dontLoadHostConfig`: do not read the files of hosts.
    pub(crate) no_host_files: bool,
    /// `transport` in the file of a host: the address to use instead of the operand.
    pub(crate) host_transport: Option<String>,
    pub(crate) application: ApplicationOptions,
    /// `-Pe`: do not report errors in MIB files.
    pub(crate) suppress_mib_warnings: bool,
    /// `-I`
    pub(crate) input_names: InputNames,
    /// `-Ih`: write strings unchanged, without DISPLAY-HINT.
    pub(crate) without_display_hints: bool,
    /// `-3m`, `-3k`
    pub(crate) auth_key: Option<GivenKey>,
    /// `-3M`, `-3K`
    pub(crate) priv_key: Option<GivenKey>,
    /// `-Z`
    pub(crate) agent_clock: Option<ClockReading>,
    /// `-T`
    pub(crate) transport_options: Vec<(&'static str, String)>,
    /// Directives of `snmp.conf` that are equivalent to `-T`.
    pub(crate) transport_directives: Vec<(&'static str, String)>,
    /// The other options of secure transports.
    pub(crate) secure: SecureOptions,
    /// `--password-file`, `--password-fd`
    pub(crate) ssh_password: Option<Secret>,
    /// `defSecurityModel usm`: use USM users even in a session that authenticates the user.
    pub(crate) usm_in_sessions: bool,
    /// `-d`
    pub(crate) dump_packets: bool,
    /// `-D`
    pub(crate) debug: TokenSet,
    /// `-L`
    pub(crate) log: Rc<Log>,
    /// `--raw`: print the octets of strings unchanged.
    pub(crate) raw_octets: bool,
    /// `--compat net-snmp`
    pub(crate) like_net_snmp: bool,
    /// `-Ir`: do not check values before they are sent.
    pub(crate) unchecked_values: bool,
    /// `--deadline`: the time limit of one request, including retransmissions.
    pub(crate) deadline: Option<Duration>,
    /// `--json`, `--jsonl`, `--csv`
    pub(crate) data_format: DataFormat,
    /// `--stats`
    pub(crate) stats: bool,
    /// `--explain`
    pub(crate) explain: bool,
    /// `--no-cache`
    pub(crate) no_cache: bool,
    /// `--one-by-one`
    pub(crate) one_by_one: bool,
    /// `--max-variables`; 0 for no limit.
    pub(crate) max_variables: Option<u64>,
    /// `--export-smi`
    pub(crate) export_smi: bool,
    /// `-T` of `translate`
    pub(crate) report: TranslateReport,
}

/// The reports that `translate` prints in addition to, or instead of, names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -T")]
pub(crate) struct TranslateReport {
    /// `B`
    pub(crate) matching: bool,
    /// `d`
    pub(crate) details: bool,
    /// `p`
    pub(crate) outline: bool,
    /// `l`
    pub(crate) labeled_paths: bool,
    /// `o`
    pub(crate) numbers: bool,
    /// `s`
    pub(crate) names: bool,
}

/// `-v`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    V1,
    V2c,
    V3,
}

impl Version {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "1" => Some(Self::V1),
            "2c" => Some(Self::V2c),
            "3" => Some(Self::V3),
            _ => None,
        }
    }
}

/// Identity and trust for secure transports. Paths are absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SecureOptions {
    /// `--certificate`
    pub(crate) certificate: Option<String>,
    /// `--key`
    pub(crate) key: Option<String>,
    /// `--ca`
    pub(crate) authorities: Vec<String>,
    /// `--pin`
    pub(crate) pins: Vec<String>,
    /// `--server-name`
    pub(crate) server_name: Option<String>,
    /// `--identity`
    pub(crate) identities: Vec<String>,
    /// `--persist`; zero for a session that ends with the command.
    pub(crate) persist: Duration,
}

/// `-C`: options of individual verbs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct ApplicationOptions {
    /// `n`
    pub(crate) non_repeaters: i32,
    /// `r`
    pub(crate) max_repetitions: i32,
    /// `f`: fail on an error instead of retrying without the rejected variable.
    pub(crate) keep_errors: bool,
    /// `p`
    pub(crate) print_count: bool,
    /// `i`: read the given OID first.
    pub(crate) include_given: bool,
    /// `I`: do not read the given OID if there is nothing below it.
    pub(crate) exclude_given: bool,
    /// `c`
    pub(crate) unchecked_order: bool,
    /// `t`
    pub(crate) print_total_time: bool,
    /// `T`
    pub(crate) print_each_time: bool,
    /// `E`
    pub(crate) end: Option<String>,
    /// `q`
    pub(crate) quiet: bool,
    pub(crate) table: TableOptions,
    pub(crate) usm: UsmOptions,
    pub(crate) delta: DeltaOptions,
    pub(crate) df: DfOptions,
    pub(crate) netstat: NetstatOptions,
    /// `e` of `vacm`: the view's subtree is excluded.
    pub(crate) excluded: bool,
}

/// `-C` of `table`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct TableOptions {
    /// `b`: omit the common prefix of the column names.
    pub(crate) brief: bool,
    /// `B`: use GETNEXT requests.
    pub(crate) without_bulk: bool,
    /// `c`: the fixed width of every column, in characters.
    pub(crate) column_width: Option<usize>,
    /// `f`: the separator between columns, instead of padding.
    pub(crate) separator: Option<String>,
    /// `h`
    pub(crate) headers_only: bool,
    /// `H`
    pub(crate) no_headers: bool,
    /// `i`
    pub(crate) with_index: bool,
    /// `l`
    pub(crate) left_align: bool,
    /// `w`: the maximum line width of a part of the table, in characters.
    pub(crate) width: Option<usize>,
}

/// `-C` of `usm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct UsmOptions {
    /// `a`: change the authentication key.
    pub(crate) auth_key: bool,
    /// `x`: change the privacy key.
    pub(crate) priv_key: bool,
    /// `k`: keys may be given as hexadecimal digits.
    pub(crate) localized: bool,
    /// `w`: create users inactive, with createAndWait.
    pub(crate) wait: bool,
    /// `p`: the new value of usmUserPublic.
    pub(crate) public: Option<String>,
    /// `E`: the engine ID of the user.
    pub(crate) engine_id: Option<EngineId>,
}

/// `-C` of `delta`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct DeltaOptions {
    /// `p`: seconds between two requests.
    pub(crate) period: u32,
    /// `P`: the number of periods over which average and peak are computed.
    pub(crate) peaks: Option<u32>,
    /// `v`: the number of variables in one request.
    pub(crate) variables: usize,
    /// `t`: divide by the time elapsed on the agent's clock.
    pub(crate) agent_time: bool,
    /// `s`
    pub(crate) timestamps: bool,
    /// `k`: print seconds in timestamps regardless of the period.
    pub(crate) keep_seconds: bool,
    /// `S`: print the sum too.
    pub(crate) sum: bool,
    /// `L`: the name of the sum.
    pub(crate) sum_name: String,
    /// `m`: print the largest value too.
    pub(crate) maximum: bool,
    /// `l`: write to files.
    pub(crate) files: bool,
    /// `T`
    pub(crate) table: bool,
    /// `F`: names read from files.
    pub(crate) names: Vec<String>,
}

impl Default for DeltaOptions {
    fn default() -> Self {
        Self {
            period: 1,
            peaks: None,
            variables: 60,
            agent_time: false,
            timestamps: false,
            keep_seconds: false,
            sum: false,
            sum_name: "Sum".to_owned(),
            maximum: false,
            files: false,
            table: false,
            names: Vec::new(),
        }
    }
}

/// `-C` of `df`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DfOptions {
    /// `u`: read only dskTable.
    pub(crate) ucd: bool,
    /// `h`, `H`: print human-readable sizes; the factor between units, 1024 or 1000.
    pub(crate) scale: Option<u16>,
}

/// `-C` of `netstat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct NetstatOptions {
    /// `a`: show listening sockets too.
    pub(crate) listeners: bool,
    /// `i`, `I`: show interfaces.
    pub(crate) interfaces: bool,
    /// `I`: show only this interface.
    pub(crate) interface: Option<String>,
    /// `b`: show octets in addition to packets.
    pub(crate) with_octets: bool,
    /// `o`: show octets instead of packets.
    pub(crate) octets_only: bool,
    /// `d`: show dropped packets.
    pub(crate) drops: bool,
    /// `r`: show routes.
    pub(crate) routes: bool,
    /// `s`: show protocol counters; if 2 or more, omit counters that are zero.
    pub(crate) statistics: u8,
    /// `p`
    pub(crate) protocol: Option<String>,
    /// `f`
    pub(crate) family: Option<String>,
    /// `n`: print numbers instead of names.
    pub(crate) numeric: bool,
    /// `v`: do not truncate long names.
    pub(crate) verbose: bool,
}

impl Settings {
    /// Returns the settings before the first flag is applied: the defaults, `snmp.conf` and the
    /// file of the host.
    pub(crate) fn for_verb(verb: Verb, host: Option<&str>) -> Self {
        let mut settings = Self::default();
        // Tables show values without types; -Oq toggles that.
        settings.format.quick = verb == Verb::Table;
        snmp_conf::load(&mut settings);
        if let Some(host) = host {
            snmp_conf::load_for_host(&mut settings, host);
        }
        settings
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            version: Version::V3,
            community: None,
            user: None,
            level: SecurityLevel::NoAuthNoPriv,
            auth_protocol: AuthProtocol::HmacMd5_96,
            auth_pass: None,
            priv_protocol: PrivProtocol::Des,
            priv_pass: None,
            default_pass: None,
            default_auth_pass: None,
            default_priv_pass: None,
            suppress_token_warnings: false,
            context_name: Vec::new(),
            context_engine_id: None,
            security_engine_id: None,
            timeout: None,
            retries: None,
            format: OutputFormat::default(),
            mib_modules: None,
            mib_directories: None,
            mib_directives: snmp_conf::MibDirectives::default(),
            no_host_files: false,
            host_transport: None,
            application: ApplicationOptions::default(),
            suppress_mib_warnings: false,
            input_names: InputNames::default(),
            without_display_hints: false,
            auth_key: None,
            priv_key: None,
            agent_clock: None,
            transport_options: Vec::new(),
            transport_directives: Vec::new(),
            secure: SecureOptions::default(),
            ssh_password: None,
            usm_in_sessions: false,
            dump_packets: false,
            debug: TokenSet::default(),
            log: Rc::default(),
            raw_octets: false,
            like_net_snmp: false,
            unchecked_values: false,
            deadline: None,
            data_format: DataFormat::default(),
            stats: false,
            explain: false,
            no_cache: false,
            one_by_one: false,
            max_variables: None,
            export_smi: false,
            report: TranslateReport::default(),
        }
    }
}

impl Default for ApplicationOptions {
    fn default() -> Self {
        Self {
            non_repeaters: 0,
            max_repetitions: 10,
            keep_errors: false,
            print_count: false,
            include_given: false,
            exclude_given: false,
            unchecked_order: false,
            print_total_time: false,
            print_each_time: false,
            end: None,
            quiet: false,
            table: TableOptions::default(),
            usm: UsmOptions::default(),
            delta: DeltaOptions::default(),
            df: DfOptions::default(),
            netstat: NetstatOptions::default(),
            excluded: false,
        }
    }
}
