#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| portreeve_fuzz_targets::capture_file(octets));
