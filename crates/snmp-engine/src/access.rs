//! Access control: may this principal see or change that? (RFC 3415)

pub mod vacm;
