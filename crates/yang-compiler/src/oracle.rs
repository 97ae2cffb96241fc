//! libyang and our validator decide alike if random configuration is valid, and report the same
//! faults.
//!
//! ```text
//! schema ─ generate ─▶ document ─▶ XML ──▶ libyang ─▶ verdict, paths ────────────┐
//!                                   └─▶ DataReader ─▶ Tree ─▶ Validator ─▶ faults ┴▶ equal?
//! ```

mod document;
mod generate;
mod verdict;

use std::{collections::BTreeMap, sync::Arc};

use portreeve_yang::Schema;
use portreeve_yang_tree::Validator;

use crate::{
    CompileRequest,
    compile::compile_in_context,
    fixture::Fixture,
    libyang::{Context, Verdict},
    shipped::tests::fetched,
};
use generate::Generator;
use verdict::{Outcome, faults_of_libyang, ours};

/// A module with every kind of condition that needs no XPath.
const CONDITIONS: &str = include_str!("oracle/o.yang");

/// Instance identifiers of this module.
const PATHS_OF_CONDITIONS: &[&str] = &[
    "/o:box/o:name",
    "/o:box/o:item[o:id='#']",
    "/o:box/o:item[o:id=\"#\"]/o:sub/o:y",
    "/o:box/o:lid",
    "/o:box/o:item[o:id = '#']/o:tag[. = 'a']",
    "/o:box/o:item[o:id='#']/o:below[o:k='1'][o:l='true']",
    "/o:box/o:fourth[.='2']",
    "/o:box/o:one",
];

/// A module in which references lead to values with defaults, through conditions, and across lists.
const REFERENCES: &str = include_str!("oracle/v.yang");

/// Instance identifiers of this module.
const PATHS_OF_REFERENCES: &[&str] = &[
    "/v:item[v:id='#']/v:shape",
    "/v:item[v:id='#']",
    "/v:modes/v:mode[.='a']",
    "/v:group[v:name='a']/v:alias",
    "/v:item[v:id='#']/v:options/v:label[.='a']",
];

/// Compares the verdicts on documents from random numbers, and returns how often each outcome
/// occurred.
fn compare(context: &mut Context, schema: Schema, paths: &[&str], count: u64) -> BTreeMap<String, usize> {
    let schema = Arc::new(schema);
    let validator = Validator::new(Arc::clone(&schema));
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..count {
        let document = Generator::new(&schema, paths, seed).document();
        let xml = document.to_xml(&schema);
        let theirs = context.validate(&std::ffi::CString::new(xml.as_str()).unwrap());
        let ours = ours(&schema, &validator, &xml);
        match (&theirs, &ours) {
            (Verdict::Valid, Outcome::Valid) | (Verdict::Unreadable(_), Outcome::Refused(_)) => {}
            // The editor refuses duplicates at once, libyang at the end.
            (Verdict::Invalid(messages), Outcome::Refused(_)) => {
                let is_known =
                    |text: &str| text.starts_with("Duplicate instance") || text.starts_with("Data for both");
                assert!(messages.iter().any(|it| is_known(&it.text)), "{seed}: {xml}\n{theirs:#?}\n{ours:?}");
            }
            (Verdict::Invalid(messages), Outcome::Faults(faults)) => {
                assert_same(faults, &faults_of_libyang(messages), &format!("{seed}: {xml}\n{theirs:#?}"));
                for (kind, _) in faults {
                    *outcomes.entry(kind.clone()).or_default() += 1;
                }
            }
            _ => panic!("{seed}: {xml}\n{theirs:#?}\n{ours:?}"),
        }
        *outcomes.entry(ours.name().to_owned()).or_default() += 1;
    }
    outcomes
}

/// Checks that both have the same faults. libyang stops after the first missing instance, which it
/// looks for before it checks the rest.
fn assert_same(ours: &[(String, String)], theirs: &[(String, String)], context: &str) {
    let is_reference = |(kind, _): &&(String, String)| kind == "instance-required";
    let (references, others): (Vec<_>, Vec<_>) = ours.iter().partition(is_reference);
    let (their_references, their_others): (Vec<_>, Vec<_>) = theirs.iter().partition(is_reference);
    if references.is_empty() {
        assert_eq!(others, their_others, "{context}");
    }
    assert!(their_others.iter().all(|fault| others.contains(fault)), "{others:?} {context}");
    assert_eq!(references.is_empty(), their_references.is_empty(), "{context}");
    assert!(their_references.iter().all(|fault| references.contains(fault)), "{references:?} {context}");
}

fn assert_frequent(outcomes: &BTreeMap<String, usize>, expected: &[&str]) {
    for name in expected {
        let count = outcomes.get(*name).copied().unwrap_or_default();
        assert!(count >= 20, "{name} occurs {count} times: {outcomes:?}");
    }
}

#[test]
fn libyang_and_validator_agree_on_random_configuration() {
    let fixture = Fixture::new(&[("o.yang", CONDITIONS)]);
    let (mut context, schema) = compile_in_context(&fixture.request(&["o"])).unwrap();
    let outcomes = compare(&mut context, schema, PATHS_OF_CONDITIONS, 4_000);
    let expected = [
        "valid",
        "refused",
        "faults",
        "mandatory",
        "missing-choice",
        "too-few-elements",
        "too-many-elements",
        "data-not-unique",
        "instance-required",
    ];
    assert_frequent(&outcomes, &expected);
}

#[test]
fn libyang_and_validator_agree_on_references() {
    let fixture = Fixture::new(&[("v.yang", REFERENCES)]);
    let (mut context, schema) = compile_in_context(&fixture.request(&["v"])).unwrap();
    let outcomes = compare(&mut context, schema, PATHS_OF_REFERENCES, 4_000);
    assert_frequent(&outcomes, &["valid", "refused", "faults", "data-not-unique", "instance-required"]);
}

#[test]
fn libyang_and_validator_agree_on_the_example() {
    let Some(folder) = fetched() else { return };
    let example = format!("{}/examples/stair.yang", env!("CARGO_MANIFEST_DIR"));
    let request =
        CompileRequest { modules: vec![example], directories: vec![folder], ..CompileRequest::default() };
    let (mut context, schema) = compile_in_context(&request).unwrap();
    assert_frequent(&compare(&mut context, schema, &[], 1_000), &["valid", "refused"]);
}
