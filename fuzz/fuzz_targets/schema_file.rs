#![no_main]

libfuzzer_sys::fuzz_target!(|octets: &[u8]| portreeve_fuzz_targets::schema_file(octets));
