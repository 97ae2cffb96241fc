//! The columns of each table, one file per table.

pub(crate) mod access;
pub(crate) mod cert_to_name;
pub(crate) mod community;
pub(crate) mod group;
pub(crate) mod notify;
pub(crate) mod notify_filter;
pub(crate) mod notify_filter_profile;
pub(crate) mod target_address;
pub(crate) mod target_params;
pub(crate) mod tls_address;
pub(crate) mod tls_params;
pub(crate) mod user;
pub(crate) mod view_family;
