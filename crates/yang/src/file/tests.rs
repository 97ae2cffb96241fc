use proptest::prelude::*;

use super::{FileReason, HEADER_LEN, MAGIC, VERSION};
use crate::{
    MAX_FILE, MAX_IDENTITIES, MAX_LIST, MAX_MODULES, MAX_NODES, MAX_TYPES, Module, Schema, SchemaBuilder,
    SchemaError,
    test_schemas::{random_schema, sample, sample_schema},
};

/// Returns a file with this body and the right checksum.
fn seal(body: &[u8]) -> Vec<u8> {
    [MAGIC, &VERSION.to_be_bytes(), &crc32fast::hash(body).to_be_bytes(), body].concat()
}

fn decode(file: &[u8]) -> Result<Schema, SchemaError> {
    let schema = Schema::decode(file);
    if let Ok(schema) = &schema {
        assert_eq!(schema.encode(), file, "the reader accepts only what the writer writes");
    }
    schema
}

fn refused(reason: FileReason) -> Result<Schema, SchemaError> {
    Err(SchemaError::File(reason))
}

#[test]
fn schema_is_equal_after_encode_and_decode() {
    for schema in [sample_schema().0, SchemaBuilder::new().build().unwrap()] {
        assert_eq!(decode(&schema.encode()), Ok(schema));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn random_schemas_are_equal_after_encode_and_decode(script in prop::collection::vec(any::<[u8; 4]>(), 0..40)) {
        let schema = random_schema(&script);
        prop_assert_eq!(decode(&schema.encode()), Ok(schema));
    }

    #[test]
    fn random_bodies_do_not_panic(body in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode(&seal(&body));
    }
}

#[test]
fn each_prefix_of_a_file_is_refused() {
    let file = sample_schema().0.encode();
    for length in 0..file.len() {
        assert!(decode(&file[..length]).is_err(), "{length} octets");
    }
    let body = &file[HEADER_LEN..];
    for length in 0..body.len() {
        assert_eq!(
            decode(&seal(&body[..length])),
            refused(FileReason::Truncated),
            "{length} octets of the body"
        );
    }
}

#[test]
fn each_changed_octet_is_refused_by_the_checksum() {
    let file = sample_schema().0.encode();
    for index in 0..file.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[index] ^= change;
            assert!(decode(&changed).is_err(), "octet {index}");
        }
    }
}

#[test]
fn no_changed_octet_with_a_valid_checksum_causes_a_panic() {
    let file = sample_schema().0.encode();
    let mut accepted = 0;
    for index in HEADER_LEN..file.len() {
        for change in [1, 2, 0x80, 0xff] {
            let mut body = file[HEADER_LEN..].to_vec();
            body[index - HEADER_LEN] ^= change;
            accepted += usize::from(decode(&seal(&body)).is_ok());
        }
    }
    assert!(accepted > 100, "names and texts can change");
}

#[test]
fn digest_depends_on_the_whole_content() {
    // The published value of FNV-1a for this text.
    assert_eq!(super::digest(b"foobar"), 0x8594_4171_f739_67e8);
    let (builder, sample) = sample();
    let schema = builder.clone().build().unwrap();
    assert_eq!(decode(&schema.encode()).unwrap().digest(), schema.digest());
    let mut builder = builder;
    builder.module_mut(sample.module).unwrap().text = "module sample { }\n".into();
    assert_ne!(builder.build().unwrap().digest(), schema.digest());
}

#[test]
fn other_files_are_refused() {
    let file = sample_schema().0.encode();
    let mut newer = file.clone();
    newer[MAGIC.len() + 1] += 1;
    assert_eq!(decode(&newer), refused(FileReason::UnsupportedVersion(VERSION + 1)));
    assert_eq!(decode(b"module a {}"), refused(FileReason::NotASchemaFile));
    assert_eq!(decode(&vec![0; MAX_FILE]), refused(FileReason::NotASchemaFile));
    assert_eq!(decode(&vec![0; MAX_FILE + 1]), refused(FileReason::TooLong));
    let longer = [&file[HEADER_LEN..], &[0]].concat();
    assert_eq!(decode(&seal(&longer)), refused(FileReason::TrailingOctets));
}

#[test]
fn too_many_definitions_are_refused_before_they_are_read() {
    let count = |count: usize| u32::try_from(count).unwrap().to_be_bytes();
    // The file does not contain the root.
    let lists = [
        ("modules", MAX_MODULES),
        ("identities", MAX_IDENTITIES),
        ("types", MAX_TYPES),
        ("nodes", MAX_NODES - 1),
    ];
    for (position, (items, max)) in lists.into_iter().enumerate() {
        let before = [0; 4].repeat(position);
        let body = [&before, &count(max + 1)[..]].concat();
        assert_eq!(decode(&seal(&body)), Err(SchemaError::TooMany { items, max }));
        let body = [&before, &count(max)[..]].concat();
        assert_eq!(decode(&seal(&body)), refused(FileReason::Truncated));
    }
}

#[test]
fn list_within_a_definition_is_limited() {
    let with_features = |count: usize| {
        let mut builder = SchemaBuilder::new();
        let features = vec!["f".into(); count];
        builder.add_module(Module { features, ..Module::new("m", "urn:m", "m") });
        decode(&builder.build().unwrap().encode())
    };
    assert!(with_features(MAX_LIST).is_ok());
    assert_eq!(with_features(MAX_LIST + 1), refused(FileReason::ListTooLong));
}

#[test]
fn list_longer_than_the_rest_of_the_file_is_refused_at_once() {
    // A module with empty texts and 2³² - 1 features.
    let body = [&1u32.to_be_bytes()[..], &[0; 17], &u32::MAX.to_be_bytes()].concat();
    assert_eq!(decode(&seal(&body)), refused(FileReason::Truncated));
}
