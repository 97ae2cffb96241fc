use std::time::Duration;

use portreeve_smi::Value::{self, *};

use super::*;
use crate::recording::{Recording, RecordingFormat};

fn recording(line: &str) -> Recording {
    let (recording, errors) = Recording::read(RecordingFormat::Snmprec, line.as_bytes());
    assert_eq!(errors, [], "{line}");
    recording
}

fn numeric(tag: &str, settings: &str) -> NumericVariation {
    match recording(&format!("1.3|{tag}:numeric|{settings}")).variation(0) {
        Some(Variation::Numeric(numeric)) => numeric.clone(),
        other => panic!("{other:?}"),
    }
}

fn after(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn number(value: Value<'_>) -> i128 {
    match value {
        Integer(number) => number.into(),
        Counter32(number) | Gauge32(number) | TimeTicks(number) => number.into(),
        Counter64(number) => number.into(),
        other => panic!("{other:?}"),
    }
}

fn expected(line: &str) -> Option<SyntaxError> {
    let (_, errors) = Recording::read(RecordingFormat::Snmprec, line.as_bytes());
    errors.first().map(|problem| problem.expected)
}

#[test]
fn numeric_variation_changes_value_over_time_within_bounds() {
    for (tag, settings, seconds, expected) in [
        ("67", "rate=100,initial=123999", 0.0, TimeTicks(123_999)),
        ("67", "rate=100,initial=123999", 2.5, TimeTicks(124_249)),
        ("65", "rate=1000,initial=4294967295", 0.001, Counter32(0)),
        ("65", "scale=10,max=99", 10.0, Counter32(0)),
        ("65", "scale=10,max=99,wrap=0", 10.0, Counter32(99)),
        ("65", "rate=10,scale=10,offset=5", 2.0, Counter32(210)),
        ("70", "initial=18446744073709551615,rate=0", 9.0, Counter64(u64::MAX)),
        ("66", "min=5,max=50,initial=25", 10.0, Gauge32(35)),
        ("66", "min=5,max=50,initial=25", 100.0, Gauge32(50)),
        ("66", "min=5,max=50,initial=25,rate=-1", 100.0, Gauge32(5)),
        ("2", "min=-10,rate=-1,initial=0", 4.0, Integer(-4)),
        ("66", "initial=100,scale=50,function=cos", 0.0, Gauge32(150)),
        ("66", "initial=100,scale=50,function=sin,rate=1.5707963267948966", 1.0, Gauge32(150)),
        ("65", "scale=100,function=sin,rate=3.14159265358979", 10.0, Counter32(636)),
        ("65", "scale=100,function=cos,rate=0", 10.0, Counter32(1000)),
    ] {
        assert_eq!(numeric(tag, settings).at(after(seconds), 7), expected, "{tag} {settings} {seconds}");
    }
}

#[test]
fn counters_with_random_deviation_never_decrease() {
    for settings in [
        "rate=100,deviation=5000",
        "scale=90,deviation=60,function=cos,rate=0.7",
        "offset=3,deviation=1,rate=0",
    ] {
        let counter = numeric("65", settings);
        let values: Vec<i128> =
            (0..20_000).map(|step| number(counter.at(after(f64::from(step) / 50.0), 3))).collect();
        assert!(values.is_sorted(), "{settings}");
        assert_eq!(values[0], 0);
        assert!(values[19_999] > 100, "{settings}: {}", values[19_999]);
    }
}

#[test]
fn random_deviation_stays_within_its_limit_and_depends_on_seed() {
    let gauge = numeric("66", "initial=1000,rate=0,deviation=20");
    let line =
        |seed| (0..1000).map(|step| number(gauge.at(after(f64::from(step)), seed))).collect::<Vec<_>>();
    assert!(line(1).iter().all(|value| (980..=1020).contains(value)));
    assert!(line(1).iter().any(|value| *value < 985) && line(1).iter().any(|value| *value > 1015));
    assert_ne!(line(1), line(2));
    assert_eq!(line(1), line(1));
}

#[test]
fn extreme_variation_settings_and_times_do_not_panic() {
    for settings in [
        "rate=1e24,scale=1e24,function=sin",
        "rate=-1e24,scale=1e24,offset=1e24,deviation=1e24",
        "initial=-1e24",
    ] {
        for tag in ["2", "65", "66", "67", "70"] {
            for time in [Duration::ZERO, after(0.5), Duration::MAX] {
                numeric(tag, settings).at(time, u64::MAX);
            }
        }
    }
}

#[test]
fn delay_variation_is_at_most_wait_plus_deviation() {
    let wait = |line: &str, time, seed| match recording(line).variation(0) {
        Some(Variation::Delay(delay)) => delay.at(time, seed),
        other => panic!("{other:?}"),
    };
    assert_eq!(recording("1.3|4:delay|hexvalue=00ff,wait=800").value(0), Some(OctetString(&[0, 255])));
    assert_eq!(
        wait("1.3|4x:delay|hexvalue=00ff,wait=800", Duration::ZERO, 1),
        Some(Duration::from_millis(800))
    );
    assert_eq!(wait("1.3|2:delay|value=6", Duration::ZERO, 1), Some(Duration::from_millis(500)));
    assert_eq!(wait("1.3|2:delay|value=6,wait=1000000", Duration::ZERO, 1), None);
    for step in 0..1000 {
        let some =
            wait("1.3|2:delay|value=6,wait=100,deviation=200", Duration::from_micros(step), 1).unwrap();
        assert!(some <= Duration::from_millis(300), "{some:?}");
    }
}

#[test]
fn error_variation_is_accepted_with_and_without_value() {
    for line in [
        "1.3|2:error|status=genError,op=get,value=1",
        "1.3|4:error|status=generr",
        "1.3|4:error|op=any,status=genErr,hexvalue=00",
    ] {
        assert_eq!(recording(line).variation(0), Some(&Variation::Error), "{line}");
    }
}

#[test]
fn unsupported_variation_is_reported_with_expected_syntax() {
    for (line, what) in [
        ("1.3|2:writecache|value=42", SyntaxError::Variation),
        ("1.3|:sql|snmprec", SyntaxError::Variation),
        ("1.3|4:numeric|rate=1", SyntaxError::Numeric),
        ("1.3|65:numeric|atime=1", SyntaxError::Numeric),
        ("1.3|65:numeric|function=log", SyntaxError::Numeric),
        ("1.3|65:numeric|rate=1,rate=2", SyntaxError::Numeric),
        ("1.3|65:numeric|rate=nan", SyntaxError::Numeric),
        ("1.3|65:numeric|min=2,max=1", SyntaxError::Numeric),
        ("1.3|65:numeric|rate", SyntaxError::Numeric),
        ("1.3|2:delay|wait=100", SyntaxError::Delay),
        ("1.3|2:delay|value=1,vlist=eq:0:100", SyntaxError::Delay),
        ("1.3|2:delay|value=x", SyntaxError::Number),
        ("1.3|2:error|status=noAccess", SyntaxError::Error),
        ("1.3|2:error|status=genErr,op=set", SyntaxError::Error),
    ] {
        assert_eq!(expected(line), Some(what), "{line}");
    }
}
