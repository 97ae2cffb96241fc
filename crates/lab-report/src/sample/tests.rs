use super::*;

fn sample() -> Sample {
    Sample::new("one-shot", Variant::of([("stack", "v2c/udp"), ("agent", "portreeved")]), 3)
        .value("time", 0.000_031)
        .value("frames", 2.0)
}

#[test]
fn line_has_the_documented_shape() {
    let line = Record::Sample(sample()).to_line();
    assert_eq!(
        line,
        r#"{"kind":"sample","experiment":"one-shot","variant":{"agent":"portreeved","stack":"v2c/udp"},"round":3,"values":{"frames":2.0,"time":0.000031}}"#
    );
    assert_eq!(Record::parse(&line), Ok(Record::Sample(sample())));
}

#[test]
fn lines_of_each_kind_are_read() {
    let text = concat!(
        r#"{"kind":"sample","experiment":"a","variant":{},"round":0,"values":{"t":1},"series":{"m":[1,2.5]}}"#,
        "\n\n",
        r#"{"kind":"unavailable","experiment":"a","variant":{"agent":"net-snmp"},"reason":"snmpd is not installed"}"#,
        "\r\n",
        r#"{"kind":"noise","experiment":"a","round":3,"values":{"idle_loop":0.01}}"#,
        "\n",
        r#"{"kind":"trace","experiment":"a","messages":[{"at":0.1,"from":"m","to":"a","octets":86,"label":"SYN"}]}"#,
        "\n",
    );
    let records = parse_lines(text).unwrap();
    assert_eq!(records.len(), 4);
    assert!(matches!(&records[0], Record::Sample(sample) if sample.series["m"] == [1.0, 2.5]));
    assert!(matches!(&records[1], Record::Unavailable(one) if one.variant.get("agent") == Some("net-snmp")));
    assert!(matches!(&records[2], Record::Noise(noise) if noise.round == 3));
    assert!(matches!(&records[3], Record::Trace(trace) if trace.messages[0].octets == 86));
    assert!(records.iter().all(|record| record.experiment() == "a"));
}

#[test]
fn incomplete_last_line_is_ignored_and_any_other_is_an_error() {
    let good = Record::Sample(sample()).to_line();
    let half: String = good.chars().take(40).collect();
    assert_eq!(parse_lines(&format!("{good}\n{half}")).unwrap().len(), 1);
    let error = parse_lines(&format!("{good}\n{half}\n{good}\n")).unwrap_err();
    assert_eq!(error.line, 2);
    assert!(error.to_string().starts_with("line 2: malformed record: "), "{error}");
    assert!(parse_lines(&format!("{good}\n{half}\n")).is_err());
}

#[test]
fn unknown_kind_and_wrong_types_are_errors() {
    for line in [
        r#"{"kind":"secret","experiment":"a"}"#,
        r#"{"experiment":"a"}"#,
        r#"{"kind":"sample","experiment":7}"#,
        r#"{"kind":"sample","experiment":"a","values":{"t":"fast"}}"#,
        r#"{"kind":"sample","experiment":"a","values":{"t":1e999}}"#,
        "[]",
    ] {
        assert!(Record::parse(line).is_err(), "{line}");
    }
}

#[test]
fn line_that_is_too_long_is_rejected() {
    let line = " ".repeat(MAX_LINE + 1);
    assert_eq!(Record::parse(&line), Err(SampleError { line: 1, reason: SampleReason::TooLong }));
}

#[test]
fn values_that_are_not_finite_are_not_written() {
    let mut sample = sample().value("rate", f64::INFINITY).list("m", vec![1.0, f64::NAN]);
    sample.values.insert("nan".to_owned(), f64::NAN);
    let read = Record::parse(&Record::Sample(sample.clone()).to_line()).unwrap();
    sample.values.remove("nan");
    sample.series.insert("m".to_owned(), vec![1.0]);
    assert_eq!(read, Record::Sample(sample));
}

#[test]
fn run_info_survives_writing_and_reading() {
    let info = RunInfo {
        seed: u64::MAX,
        budget: 60.0,
        quick: true,
        arguments: vec!["run".to_owned(), "000".to_owned()],
        environment: Environment { cores: 2, memory: 4 << 30, ..Environment::default() },
        ..RunInfo::default()
    };
    assert_eq!(RunInfo::parse(&info.to_json()), Ok(info));
    assert!(RunInfo::parse("{").is_err());
    // Runs of other versions can lack members.
    assert_eq!(RunInfo::parse("{}"), Ok(RunInfo::default()));
}

proptest::proptest! {
    #[test]
    fn each_value_survives_writing_and_reading(value in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        let record = Record::Sample(Sample::new("a", Variant::default(), 0).value("v", value));
        proptest::prop_assert_eq!(Record::parse(&record.to_line()).unwrap(), record);
    }
}

#[test]
fn run_states_how_far_it_exceeded_its_budget() {
    let mut run = RunInfo { budget: 1000.0, ..RunInfo::default() };
    run.rounds = [("walk", 3), ("memory", 3), ("one-shot", 20)].map(|(name, n)| (name.to_owned(), n)).into();
    assert_eq!(run.overrun(), None, "the run has not ended");
    run.duration = Some(1040.0);
    assert_eq!(run.overrun(), None);
    run.duration = Some(1590.0);
    let text = run.overrun().unwrap();
    assert!(
        text.starts_with("The run took 1.6 times its budget: 2 of 3 experiments have 3 rounds"),
        "{text}"
    );
    run.budget = 0.0;
    assert_eq!(run.overrun(), None, "a number of rounds is not a budget");
}
