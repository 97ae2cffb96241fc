//! The User-based Security Model (RFC 3414).
