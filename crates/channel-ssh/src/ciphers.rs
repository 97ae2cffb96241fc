//! The ciphers of both ends, the best first.
//!
//! A client's first that the server has is spoken. AES-GCM leads where the processor computes AES itself: a message of
//! SNMP is a few blocks long, for which ChaCha20 then takes several times as long. All of them authenticate what they hide.

use russh::cipher::{self, Name};

/// For this machine.
pub(crate) fn preferred() -> &'static [Name] {
    if has_aes() {
        &[cipher::AES_256_GCM, cipher::AES_128_GCM, cipher::CHACHA20_POLY1305]
    } else {
        &[cipher::CHACHA20_POLY1305, cipher::AES_256_GCM, cipher::AES_128_GCM]
    }
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn has_aes() -> bool {
    std::arch::is_x86_feature_detected!("aes") && std::arch::is_x86_feature_detected!("pclmulqdq")
}

#[cfg(target_arch = "aarch64")]
fn has_aes() -> bool {
    std::arch::is_aarch64_feature_detected!("aes") && std::arch::is_aarch64_feature_detected!("pmull")
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn has_aes() -> bool {
    false
}
