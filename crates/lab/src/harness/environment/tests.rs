use super::{crypto_instructions, describe, memory, value_after, version_line};

#[test]
fn this_machine_is_described() {
    let environment = describe(&[]);
    assert!(environment.cores > 0 && environment.memory > 0, "{environment:?}");
    assert!(!environment.kernel.is_empty() && !environment.congestion_control.is_empty(), "{environment:?}");
    assert!(environment.versions.contains_key("portreeve"), "{environment:?}");
}

#[test]
fn only_cryptographic_instructions_are_listed() {
    let text = "processor\t: 0\nflags\t\t: fpu vme aes sha_ni rdtscp aesx\n";
    assert_eq!(crypto_instructions(text), ["aes", "sha_ni"]);
    assert_eq!(crypto_instructions("Features\t: fp asimd aes sha2\n"), ["aes", "sha2"]);
    assert!(crypto_instructions("").is_empty());
}

#[test]
fn memory_is_converted_to_bytes() {
    assert_eq!(memory("MemFree: 1 kB\nMemTotal:       24567 kB\n"), 24567 * 1024);
    assert_eq!(memory("MemFree: 1 kB\n"), 0);
    assert_eq!(value_after("NAME=a\nPRETTY_NAME=\"Debian\"\n", "PRETTY_NAME="), "\"Debian\"");
}

#[test]
fn version_is_found_among_other_lines() {
    let netconfd = "Starting netconfd...\nCopyright (c)\n\nnetconfd version 2.13-1\n\nShutting down\n";
    assert_eq!(version_line(netconfd), Some("netconfd version 2.13-1"));
    assert_eq!(version_line("OpenSSH_9.2p1 Debian-2\n"), Some("OpenSSH_9.2p1 Debian-2"));
    assert_eq!(version_line("\n"), None);
}
