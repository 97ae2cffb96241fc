//! Replays the fuzzer's corpus and a few thousand random octet strings as ordinary tests.

use std::fs;
use std::path::Path;

use portreeve_fuzz_targets::TARGETS;

#[test]
fn fuzz_targets_do_not_panic_on_any_corpus_file() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
        let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut replayed = 0;
        for file in files {
            let path = file.unwrap().path();
            println!("{}", path.display());
            target(&fs::read(&path).unwrap());
            replayed += 1;
        }
        assert!(replayed > 0, "the corpus of {name} is empty");
    }
}

#[test]
fn fuzz_targets_do_not_panic_on_random_octets() {
    let mut state = 0x5052_5245_4556_4531_u64;
    let mut next = || {
        // The generator xorshift64 gives the same octets in every run.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for (_, target) in TARGETS {
        for _ in 0..500 {
            let length = next() as usize % 300;
            let octets: Vec<u8> = (0..length).map(|_| next() as u8).collect();
            target(&octets);
        }
    }
}

#[test]
fn fuzz_targets_do_not_panic_on_changed_or_truncated_corpus_files() {
    for (name, target) in TARGETS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
        for file in fs::read_dir(folder).unwrap() {
            let octets = fs::read(file.unwrap().path()).unwrap();
            for index in 0..octets.len().min(400) {
                let mut changed = octets.clone();
                changed[index] ^= 0xff;
                target(&changed);
            }
            target(&octets[..octets.len() / 2]);
        }
    }
}
