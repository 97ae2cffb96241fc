use portreeve_smi::Value;

use super::*;

fn read(text: &str) -> Recording {
    let (recording, errors) = Recording::read(RecordingFormat::Snmprec, text.as_bytes());
    assert_eq!(errors, []);
    recording
}

#[test]
fn instances_of_a_recording_are_sorted_by_name() {
    let recording = read("1.3.6.1.2.1.10.0|2|3\n1.3.6.1.2.1.9.0|2|2\n1.3.6.1.2.1.9|2|1\n");
    let found: Vec<_> = (0..4).map(|row| (recording.name(row).to_vec(), recording.value(row))).collect();
    let expected = |last: &[u32], number| ([&[3, 6, 1, 2, 1], last].concat(), Some(Value::Integer(number)));
    assert_eq!(found[..3], [expected(&[9], 1), expected(&[9, 0], 2), expected(&[10, 0], 3)]);
    assert_eq!(found[3], (vec![], None));
    assert_eq!(recording.successor(&[3, 6, 1, 2, 1, 9], &mut 0), Some(1));
    assert_eq!(recording.exact(&[3, 6, 1, 2, 1, 9, 0], &mut 0), Some(1));
    assert_eq!(recording.exact(&[3, 6, 1, 2, 1, 9, 1], &mut 0), None);
}

#[test]
fn object_exists_if_recording_contains_an_instance_of_it() {
    let recording = read("1.3.6.1.2.1.2.2.1.1.7|2|7\n1.3.6.1.4.1.99999.5.0|2|7\n");
    for (name, there) in [
        ("3.6.1.2.1.2.2.1.1.8", true),
        ("3.6.1.2.1.2.2.1.1", true),
        ("3.6.1.2.1.2.2.1.2.7", false),
        ("3.6.1.4.1.99999.5.1", true),
        ("3.6.1.4.1.99999.6.0", false),
        ("", false),
        ("3", false),
    ] {
        let arcs: Vec<u32> = name.split('.').filter_map(|arc| arc.parse().ok()).collect();
        assert_eq!(recording.has_object(&arcs), there, "{name}");
    }
}

#[test]
fn duplicate_names_and_names_outside_iso_are_rejected() {
    let text = "1.3.6.1.2|2|1\n1.3.6.1.2|2|2\n2.5|2|3\n1|2|4\n";
    let (recording, errors) = Recording::read(RecordingFormat::Snmprec, text.as_bytes());
    assert_eq!(recording.len(), 1);
    assert_eq!(recording.value(0), Some(Value::Integer(1)));
    let messages: Vec<_> = errors.iter().map(|problem| (problem.line, problem.expected)).collect();
    assert_eq!(messages, [(2, SyntaxError::UniqueName), (3, SyntaxError::Name), (4, SyntaxError::Name)]);
}

#[test]
fn recording_format_is_chosen_by_file_extension() {
    assert_eq!(RecordingFormat::of(Path::new("a/b.snmprec")), RecordingFormat::Snmprec);
    for walk in ["a/b.walk", "b", "snmprec", "b.snmprec.txt"] {
        assert_eq!(RecordingFormat::of(Path::new(walk)), RecordingFormat::Snmpwalk, "{walk}");
    }
}
