//! What the flags said, with the defaults of Net-SNMP's commands for what they left open.

use std::{rc::Rc, time::Duration};

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::format::OutputFormat;
use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineId, SecurityLevel};

use super::{input_names::InputNames, keys::GivenKey};
use crate::{debug::TokenSet, log::Log, output::record::DataFormat, snmp_conf, verb::Verb};

/// Everything flags can set.
pub(crate) struct Settings {
    pub(crate) version: Version,
    pub(crate) community: Option<Secret>,
    pub(crate) user: Option<Vec<u8>>,
    pub(crate) level: SecurityLevel,
    pub(crate) auth_protocol: AuthProtocol,
    pub(crate) auth_pass: Option<Secret>,
    pub(crate) priv_protocol: PrivProtocol,
    pub(crate) priv_pass: Option<Secret>,
    /// Of `snmp.conf`: where neither flag nor environment has a pass phrase, nor a word for that one alone.
    pub(crate) default_pass: Option<Secret>,
    /// Of `snmp.conf`, as the next.
    pub(crate) default_auth_pass: Option<Secret>,
    pub(crate) default_priv_pass: Option<Secret>,
    /// Of `snmp.conf`: say nothing of words it does not know.
    pub(crate) suppress_token_warnings: bool,
    pub(crate) context_name: Vec<u8>,
    pub(crate) context_engine_id: Option<EngineId>,
    pub(crate) security_engine_id: Option<EngineId>,
    /// `-t`; without it and `-r`, waits follow from what is measured.
    pub(crate) timeout: Option<Duration>,
    /// `-r`
    pub(crate) retries: Option<u32>,
    pub(crate) format: OutputFormat,
    /// `-m`
    pub(crate) mib_modules: Option<String>,
    /// `-M`
    pub(crate) mib_directories: Option<String>,
    /// Of `snmp.conf`: where neither flag nor environment says which modules and directories.
    pub(crate) mib_directives: snmp_conf::MibDirectives,
    /// Of `snmp.conf`: hosts have no files of their own.
    pub(crate) no_host_files: bool,
    /// Of a host's file: where the host really is.
    pub(crate) host_transport: Option<String>,
    pub(crate) application: ApplicationOptions,
    /// `-Pe`: faults in MIB files are not told.
    pub(crate) suppress_mib_warnings: bool,
    /// `-I`
    pub(crate) input_names: InputNames,
    /// `-Ih`: strings to be written are taken as they are.
    pub(crate) without_display_hints: bool,
    /// `-3m`, `-3k`
    pub(crate) auth_key: Option<GivenKey>,
    /// `-3M`, `-3K`
    pub(crate) priv_key: Option<GivenKey>,
    /// `-Z`
    pub(crate) agent_clock: Option<ClockReading>,
    /// `-T`, for the transports that have options.
    pub(crate) transport_options: Vec<(&'static str, String)>,
    /// The same of `snmp.conf`.
    pub(crate) transport_directives: Vec<(&'static str, String)>,
    /// Of secure transports, beside `-T`.
    pub(crate) secure: SecureOptions,
    /// `--password-file`, `--password-fd`
    pub(crate) ssh_password: Option<Secret>,
    /// Of `snmp.conf`: whether users are those of USM also where a session proves who asks.
    pub(crate) usm_in_sessions: bool,
    /// `-d`
    pub(crate) dump_packets: bool,
    /// `-D`
    pub(crate) debug: TokenSet,
    /// `-L`
    pub(crate) log: Rc<Log>,
    /// `--compat net-snmp`
    pub(crate) like_net_snmp: bool,
    /// `-Ir`: what is to be written is the agent's to judge.
    pub(crate) unchecked_values: bool,
    /// `--deadline`: how long one request may take, however often it is sent.
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
    /// `--max-variables`; 0 for no bound.
    pub(crate) max_variables: Option<u64>,
    /// `--export-smi`
    pub(crate) export_smi: bool,
    /// `-T` of `translate`
    pub(crate) report: TranslateReport,
}

/// What `translate` prints beside, or instead of, names.
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

/// Whom to be and whom to trust over a secure transport. Paths are absolute.
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

/// `-C`: what only some verbs know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct ApplicationOptions {
    /// `n`
    pub(crate) non_repeaters: i32,
    /// `r`
    pub(crate) max_repetitions: i32,
    /// `f`: an error ends the command instead of a second try without the variable at fault.
    pub(crate) keep_errors: bool,
    /// `p`
    pub(crate) print_count: bool,
    /// `i`: read the given name first.
    pub(crate) include_given: bool,
    /// `I`: do not read the given name where nothing is below it.
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
    /// `b`: leave out what all columns' names begin with.
    pub(crate) brief: bool,
    /// `B`: ask with GetNext.
    pub(crate) without_bulk: bool,
    /// `c`: cut every column to this width, in characters.
    pub(crate) column_width: Option<usize>,
    /// `f`: what stands between columns instead of padding.
    pub(crate) separator: Option<String>,
    /// `h`
    pub(crate) headers_only: bool,
    /// `H`
    pub(crate) no_headers: bool,
    /// `i`
    pub(crate) with_index: bool,
    /// `l`
    pub(crate) left_align: bool,
    /// `w`: begin a new part where a line would be longer, in characters.
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
    /// `w`: new users wait until they are activated.
    pub(crate) wait: bool,
    /// `p`: what usmUserPublic is to say.
    pub(crate) public: Option<String>,
    /// `E`: the engine of the user.
    pub(crate) engine_id: Option<EngineId>,
}

/// `-C` of `delta`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct DeltaOptions {
    /// `p`: seconds between two requests.
    pub(crate) period: u32,
    /// `P`: how many requests one line tells of.
    pub(crate) peaks: Option<u32>,
    /// `v`: how many variables one request asks for.
    pub(crate) variables: usize,
    /// `t`: divide by the time that the agent says has passed.
    pub(crate) agent_time: bool,
    /// `s`
    pub(crate) timestamps: bool,
    /// `k`: seconds in timestamps, whatever the period.
    pub(crate) keep_seconds: bool,
    /// `S`: tell the sum too.
    pub(crate) sum: bool,
    /// `L`: what the sum is called.
    pub(crate) sum_name: String,
    /// `m`: tell the largest value too.
    pub(crate) maximum: bool,
    /// `l`: write into files.
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
    /// `u`: ask dskTable only.
    pub(crate) ucd: bool,
    /// `h`, `H`: sizes with the unit that suits them, each so many times the one before.
    pub(crate) scale: Option<u16>,
}

/// `-C` of `netstat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct NetstatOptions {
    /// `a`: sockets that listen, too.
    pub(crate) listeners: bool,
    /// `i`, `I`: interfaces.
    pub(crate) interfaces: bool,
    /// `I`: one of them only.
    pub(crate) interface: Option<String>,
    /// `b`: octets beside packets.
    pub(crate) with_octets: bool,
    /// `o`: octets in place of packets.
    pub(crate) octets_only: bool,
    /// `d`: packets dropped.
    pub(crate) drops: bool,
    /// `r`: routes.
    pub(crate) routes: bool,
    /// `s`: counters of protocols; twice: without those that are zero.
    pub(crate) statistics: u8,
    /// `p`
    pub(crate) protocol: Option<String>,
    /// `f`
    pub(crate) family: Option<String>,
    /// `n`: numbers in place of names.
    pub(crate) numeric: bool,
    /// `v`: long names are not cut.
    pub(crate) verbose: bool,
}

impl Settings {
    /// What holds before the first flag is read; a host may have defaults of its own.
    pub(crate) fn for_verb(verb: Verb, host: Option<&str>) -> Self {
        let mut settings = Self::default();
        // Values in a table carry no type; -Oq turns that over.
        settings.format.quick = verb == Verb::Table;
        snmp_conf::load(&mut settings);
        if let Some(host) = host {
            snmp_conf::load_of_host(&mut settings, host);
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
