//! The bodies of the fuzz targets. Each accepts any octets, and panics if a property does not hold.
//!
//! The fuzzer (`fuzz/`) calls them with generated inputs, the tests (`tests/corpus.rs`) with its
//! corpus. Every target must return without a panic; its documentation lists the other properties
//! that it checks.

mod authorized_keys;
mod ber_writer;
mod broker_frames;
mod capture_file;
mod certificate_name;
mod client_hello;
mod configuration;
mod input;
mod known_hosts;
mod message;
mod mib_cache;
mod mib_text;
mod netconf_framing;
mod netconf_hello;
mod netconf_rpc;
mod notification_receive;
mod recording;
mod revocation_list;
mod schema_file;
mod scoped_pdu;
mod security_parameters;
mod snmp_conf;
mod ssh_config;
mod state_log;
mod stream_framing;
mod subtree_filter;
mod test_agent;
mod xml_tokenizer;

pub use authorized_keys::authorized_keys;
pub use ber_writer::ber_writer;
pub use broker_frames::broker_frames;
pub use capture_file::capture_file;
pub use certificate_name::certificate_name;
pub use client_hello::client_hello;
pub use configuration::configuration;
pub use known_hosts::known_hosts;
pub use message::message;
pub use mib_cache::mib_cache;
pub use mib_text::mib_text;
pub use netconf_framing::netconf_framing;
pub use netconf_hello::netconf_hello;
pub use netconf_rpc::netconf_rpc;
pub use notification_receive::notification_receive;
pub use recording::recording;
pub use revocation_list::revocation_list;
pub use schema_file::schema_file;
pub use scoped_pdu::scoped_pdu;
pub use security_parameters::security_parameters;
pub use snmp_conf::snmp_conf;
pub use ssh_config::ssh_config;
pub use state_log::state_log;
pub use stream_framing::stream_framing;
pub use subtree_filter::subtree_filter;
pub use xml_tokenizer::xml_tokenizer;

/// A fuzz target. It accepts any octets.
pub type Target = fn(&[u8]);

/// All targets by the names of their corpora.
pub const TARGETS: [(&str, Target); 26] = [
    ("authorized_keys", authorized_keys),
    ("ber_writer", ber_writer),
    ("broker_frames", broker_frames),
    ("capture_file", capture_file),
    ("certificate_name", certificate_name),
    ("client_hello", client_hello),
    ("configuration", configuration),
    ("known_hosts", known_hosts),
    ("message", message),
    ("mib_cache", mib_cache),
    ("mib_text", mib_text),
    ("netconf_framing", netconf_framing),
    ("netconf_hello", netconf_hello),
    ("netconf_rpc", netconf_rpc),
    ("notification_receive", notification_receive),
    ("recording", recording),
    ("revocation_list", revocation_list),
    ("schema_file", schema_file),
    ("scoped_pdu", scoped_pdu),
    ("security_parameters", security_parameters),
    ("snmp_conf", snmp_conf),
    ("ssh_config", ssh_config),
    ("state_log", state_log),
    ("stream_framing", stream_framing),
    ("subtree_filter", subtree_filter),
    ("xml_tokenizer", xml_tokenizer),
];
