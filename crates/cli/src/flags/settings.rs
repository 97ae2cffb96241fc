//! The settings from the flags, with the defaults of the Net-SNMP commands.

use std::{path::PathBuf, rc::Rc, time::Duration};

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
    /// `-a`: the authentication protocol; MD5 if it is not given.
    pub(crate) auth_protocol: Option<AuthProtocol>,
    pub(crate) auth_pass: Option<Secret>,
    /// `-x`: the privacy protocol; DES if it is not given.
    pub(crate) priv_protocol: Option<PrivProtocol>,
    pub(crate) priv_pass: Option<Secret>,
    /// `defPassphrase`: used for authentication and privacy if no other pass phrase is set.
    pub(crate) default_pass: Option<Secret>,
    /// `defAuthPassphrase`: the default pass phrase for authentication.
    pub(crate) default_auth_pass: Option<Secret>,
    /// `defPrivPassphrase`: the default pass phrase for privacy.
    pub(crate) default_priv_pass: Option<Secret>,
    /// `noTokenWarnings`: do not report unknown directives.
    pub(crate) suppress_token_warnings: bool,
    pub(crate) context_name: Vec<u8>,
    pub(crate) context_engine_id: Option<EngineId>,
    pub(crate) security_engine_id: Option<EngineId>,
    /// `-t`: the timeout of one attempt. Without `-t` and `-r`, the timeout adapts to the
    /// round-trip time.
    pub(crate) timeout: Option<Duration>,
    /// `-r`: the number of retransmissions.
    pub(crate) retries: Option<u32>,
    pub(crate) format: OutputFormat,
    /// `-m`: the MIB modules to load.
    pub(crate) mib_modules: Option<String>,
    /// `-M`: the directories of MIB files.
    pub(crate) mib_directories: Option<String>,
    /// Directives of `snmp.conf` about MIB modules, directories and files. Flags and the
    /// environment replace the modules and the directories, but not the files.
    pub(crate) mib_directives: snmp_conf::MibDirectives,
    /// `dontLoadHostConfig`: do not read the files of hosts.
    pub(crate) no_host_files: bool,
    /// `alias`: names for agent addresses.
    pub(crate) aliases: snmp_conf::Aliases,
    /// `transport` in the file of a host: the address to use instead of the operand.
    pub(crate) host_transport: Option<String>,
    pub(crate) application: ApplicationOptions,
    /// `-Pe`: do not report errors in MIB files.
    pub(crate) suppress_mib_warnings: bool,
    /// `-I`: how names are completed before they are looked up.
    pub(crate) input_names: InputNames,
    /// `-Ih`: write strings unchanged, without DISPLAY-HINT.
    pub(crate) without_display_hints: bool,
    /// `-3m`, `-3k`: the authentication key.
    pub(crate) auth_key: Option<GivenKey>,
    /// `-3M`, `-3K`: the privacy key.
    pub(crate) priv_key: Option<GivenKey>,
    /// `-Z`: snmpEngineBoots and snmpEngineTime of the agent.
    pub(crate) agent_clock: Option<ClockReading>,
    /// `-T`: the options of secure transports, in Net-SNMP's syntax.
    pub(crate) transport_options: Vec<(&'static str, String)>,
    /// Directives of `snmp.conf` that are equivalent to `-T`.
    pub(crate) transport_directives: Vec<(&'static str, String)>,
    /// The options of secure transports that Net-SNMP does not have.
    pub(crate) secure: SecureOptions,
    /// `--password-file`, `--password-fd`: the SSH password.
    pub(crate) ssh_password: Option<Secret>,
    /// `defSecurityModel usm`: authenticate as a USM user even over SSH, TLS or DTLS, which
    /// authenticate the user themselves.
    pub(crate) usm_in_sessions: bool,
    /// `-d`: dump the octets of all messages.
    pub(crate) dump_packets: bool,
    /// `-D`: the categories of debug output.
    pub(crate) debug: TokenSet,
    /// `-L`: the log destinations.
    pub(crate) log: Rc<Log>,
    /// `--raw`: print the octets of strings unchanged.
    pub(crate) raw_octets: bool,
    /// `--compat net-snmp`: send requests, prompt and print as Net-SNMP's commands do.
    pub(crate) like_net_snmp: bool,
    /// `-Ir`: do not check values before they are sent.
    pub(crate) unchecked_values: bool,
    /// `--via-daemon`: how notifications are submitted to the agent of this machine.
    pub(crate) daemon: DaemonOptions,
    /// `--deadline`: the time limit of one request, including retransmissions.
    pub(crate) deadline: Option<Duration>,
    /// `--json`, `--jsonl`, `--csv`: the data format of the output.
    pub(crate) data_format: DataFormat,
    /// `--stats`: print statistics after the command.
    pub(crate) stats: bool,
    /// `--explain`: explain failures and missing values.
    pub(crate) explain: bool,
    /// `--no-cache`: do not use the cache of derived keys.
    pub(crate) no_cache: bool,
    /// `--one-by-one`: walk with one GETNEXT request at a time.
    pub(crate) one_by_one: bool,
    /// `--max-variables`: the number of variables after which a walk ends with an error; 0 for no
    /// limit. The default depends on the verb.
    pub(crate) max_variables: Option<u64>,
    /// `--export-smi`: print MIB modules as SMIv2 text.
    pub(crate) export_smi: bool,
    /// `-T` of `translate`: the reports to print.
    pub(crate) report: TranslateReport,
}

/// The reports that `translate` can print. Some replace the names, others are printed with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -T")]
pub(crate) struct TranslateReport {
    /// `-TB`: print every name that matches a regular expression.
    pub(crate) matching: bool,
    /// `-Td`: print the full definition.
    pub(crate) details: bool,
    /// `-Tp`: print an outline of the subtree.
    pub(crate) outline: bool,
    /// `-Tl`: print every name with its numbers.
    pub(crate) labeled_paths: bool,
    /// `-To`: print every object identifier.
    pub(crate) numbers: bool,
    /// `-Ts`: print every name.
    pub(crate) names: bool,
}

impl TranslateReport {
    /// Returns true for reports on objects that the operands do not name.
    pub(crate) fn covers_all_definitions(self) -> bool {
        self.matching || self.outline || self.labeled_paths || self.numbers || self.names
    }
}

/// `-v`: the SNMP version.
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
    /// `--certificate`: the client's certificate file.
    pub(crate) certificate: Option<String>,
    /// `--key`: the file of the certificate's private key.
    pub(crate) key: Option<String>,
    /// `--ca`: files of trusted CA certificates.
    pub(crate) authorities: Vec<String>,
    /// `--pin`: fingerprints of trusted server certificates.
    pub(crate) pins: Vec<String>,
    /// `--server-name`: the name that the server's certificate must contain.
    pub(crate) server_name: Option<String>,
    /// `--identity`: SSH private key files.
    pub(crate) identities: Vec<String>,
    /// `--persist`: the time that the session stays open; zero closes it when the command ends.
    pub(crate) persist: Duration,
}

/// Submission of notifications to the agent of this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DaemonOptions {
    /// `--via-daemon`: submit the notification instead of sending it.
    pub(crate) is_used: bool,
    /// `--control`: the control socket of the agent.
    pub(crate) socket: Option<PathBuf>,
}

/// `-C`: options of individual verbs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct ApplicationOptions {
    /// `-Cn`: non-repeaters.
    pub(crate) non_repeaters: i32,
    /// `-Cr`: max-repetitions.
    pub(crate) max_repetitions: i32,
    /// `-Cf`: fail on an error response instead of sending the request again without the rejected
    /// variable.
    pub(crate) keep_errors: bool,
    /// `-Cp`: print the number of variables found.
    pub(crate) print_count: bool,
    /// `-Ci`: read the given OID before the variables below it.
    pub(crate) include_given: bool,
    /// `-CI`: do not read the given OID if there is nothing below it.
    pub(crate) exclude_given: bool,
    /// `-Ci` of `trap`: send an inform.
    pub(crate) inform: bool,
    /// `-Cc`: do not check that the returned OIDs increase.
    pub(crate) unchecked_order: bool,
    /// `-Ct`: print the duration of the walk.
    pub(crate) print_total_time: bool,
    /// `-CT`: print the duration of each request.
    pub(crate) print_each_time: bool,
    /// `-CE`: the OID at which the walk ends.
    pub(crate) end: Option<String>,
    /// `-Cq`: print nothing if the SET succeeds.
    pub(crate) quiet: bool,
    pub(crate) table: TableOptions,
    pub(crate) usm: UsmOptions,
    pub(crate) delta: DeltaOptions,
    pub(crate) df: DfOptions,
    pub(crate) netstat: NetstatOptions,
    /// `-Ce` of `vacm`: the view's subtree is excluded.
    pub(crate) excluded: bool,
}

/// The letters of `-C` for `table`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct TableOptions {
    /// `-Cb`: omit the common prefix of the column names.
    pub(crate) brief: bool,
    /// `-CB`: use GETNEXT requests.
    pub(crate) without_bulk: bool,
    /// `-Cc`: the fixed width of every column, in characters.
    pub(crate) column_width: Option<usize>,
    /// `-Cf`: the separator between columns, instead of padding.
    pub(crate) separator: Option<String>,
    /// `-Ch`: print only the column headers.
    pub(crate) headers_only: bool,
    /// `-CH`: print no column headers.
    pub(crate) no_headers: bool,
    /// `-Ci`: print the index of each row.
    pub(crate) with_index: bool,
    /// `-Cl`: align columns to the left.
    pub(crate) left_align: bool,
    /// `-Cw`: the maximum width of the printed lines, in characters. A wider table is printed in
    /// parts.
    pub(crate) width: Option<usize>,
}

/// The letters of `-C` for `usm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct UsmOptions {
    /// `-Ca`: change the authentication key.
    pub(crate) auth_key: bool,
    /// `-Cx`: change the privacy key.
    pub(crate) priv_key: bool,
    /// `-Ck`: a value that starts with `0x` is a localized key, not a pass phrase.
    pub(crate) localized: bool,
    /// `-Cw`: create the user with createAndWait, so that it is not active yet.
    pub(crate) wait: bool,
    /// `-Cp`: the new value of usmUserPublic.
    pub(crate) public: Option<String>,
    /// `-CE`: the engine ID of the user.
    pub(crate) engine_id: Option<EngineId>,
}

/// The letters of `-C` for `delta`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct DeltaOptions {
    /// `-Cp`: the number of seconds between two requests.
    pub(crate) period: u32,
    /// `-CP`: the number of periods over which average and peak are computed.
    pub(crate) peaks: Option<u32>,
    /// `-Cv`: the number of variables in one request.
    pub(crate) variables: usize,
    /// `-Ct`: measure elapsed time with the agent's clock, and print increases per second.
    pub(crate) agent_time: bool,
    /// `-Cs`: print timestamps.
    pub(crate) timestamps: bool,
    /// `-Ck`: print seconds in timestamps even if the period is a whole number of minutes.
    pub(crate) keep_seconds: bool,
    /// `-CS`: print the sum of all variables too.
    pub(crate) sum: bool,
    /// `-CL`: the name of the sum.
    pub(crate) sum_name: String,
    /// `-Cm`: print the largest value so far too.
    pub(crate) maximum: bool,
    /// `-Cl`: write each variable to its own file.
    pub(crate) files: bool,
    /// `-CT`: print a table.
    pub(crate) table: bool,
    /// `-CF`: the names of variables that are read from files.
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

/// The letters of `-C` for `df`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DfOptions {
    /// `-Cu`: read only dskTable.
    pub(crate) ucd: bool,
    /// `-Ch` or `-CH`: print sizes in larger units. The value is the factor between units: 1024 for
    /// `-Ch`, 1000 for `-CH`.
    pub(crate) scale: Option<u16>,
}

/// The letters of `-C` for `netstat`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "one switch for each letter of -C")]
pub(crate) struct NetstatOptions {
    /// `-Ca`: show listening sockets too.
    pub(crate) listeners: bool,
    /// `-Ci` or `-CI`: show interfaces.
    pub(crate) interfaces: bool,
    /// `-CI`: the only interface to show.
    pub(crate) interface: Option<String>,
    /// `-Cb`: show octets in addition to packets.
    pub(crate) with_octets: bool,
    /// `-Co`: show octets instead of packets.
    pub(crate) octets_only: bool,
    /// `-Cd`: show dropped packets.
    pub(crate) drops: bool,
    /// `-Cr`: show routes.
    pub(crate) routes: bool,
    /// The number of times that `-Cs` is given: 1 shows protocol counters, 2 or more omit counters
    /// that are zero.
    pub(crate) statistics: u8,
    /// `-Cp`: the only protocol to show.
    pub(crate) protocol: Option<String>,
    /// `-Cf`: the address family to show.
    pub(crate) family: Option<String>,
    /// `-Cn`: print addresses and ports as numbers.
    pub(crate) numeric: bool,
    /// `-Cv`: do not truncate long names.
    pub(crate) verbose: bool,
}

impl Settings {
    /// Returns the settings before the first flag is applied: the defaults, `snmp.conf` and the
    /// file of the host.
    pub(crate) fn for_verb(verb: Verb, host: Option<&str>) -> Self {
        let mut settings = Self::default();
        // Tables print values without types by default; -Oq toggles that.
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
            auth_protocol: None,
            auth_pass: None,
            priv_protocol: None,
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
            aliases: snmp_conf::Aliases::default(),
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
            daemon: DaemonOptions::default(),
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
            inform: false,
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
