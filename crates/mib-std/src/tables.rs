//! The tables, one file per table.

mod access;
mod cert_to_name;
mod community;
mod group;
mod notify;
mod notify_filter;
mod notify_filter_profile;
mod target_address;
mod target_params;
mod tls_address;
mod tls_params;
mod user;
mod view_family;

use crate::table::Editable;

/// Every table of the datastore except the context table, which is read-only.
pub(crate) static TABLES: &[&dyn Editable] = &[
    &user::TABLE,
    &group::TABLE,
    &access::TABLE,
    &view_family::TABLE,
    &community::TABLE,
    &target_address::TABLE,
    &target_params::TABLE,
    &notify::TABLE,
    &notify_filter_profile::TABLE,
    &notify_filter::TABLE,
    &cert_to_name::TABLE,
    &tls_params::TABLE,
    &tls_address::TABLE,
];
