use super::*;

fn sample(round: usize, axes: &[(&str, &str)], time: f64) -> Record {
    Record::Sample(Sample::new("walk", Variant::of(axes.iter().copied()), round).value("time", time))
}

fn unavailable(axes: &[(&str, &str)], reason: &str) -> Record {
    Record::Unavailable(Unavailable {
        experiment: "walk".to_owned(),
        variant: Variant::of(axes.iter().copied()),
        reason: reason.to_owned(),
    })
}

fn run() -> Samples {
    Samples::new(vec![
        sample(1, &[("rows", "10"), ("stack", "udp")], 2.0),
        sample(0, &[("rows", "10"), ("stack", "udp")], 1.0),
        sample(0, &[("rows", "100"), ("stack", "udp")], 10.0),
        sample(0, &[("rows", "9"), ("stack", "tls")], 4.0),
        sample(1, &[("rows", "10"), ("stack", "tls")], 6.0),
        sample(0, &[("rows", "10"), ("stack", "tls")], 5.0),
        sample(2, &[("rows", "10"), ("stack", "tls")], 7.0),
        unavailable(&[("stack", "ssh")], "no SSH"),
        unavailable(&[("stack", "dtls"), ("rows", "100")], "too slow"),
    ])
}

#[test]
fn selection_restricts_axes() {
    let samples = run();
    let walk = samples.experiment("walk");
    assert_eq!(walk.with("stack", "udp").with("rows", "10").values("time"), [1.0, 2.0]);
    assert_eq!(walk.with_all(&Variant::of([("rows", "9"), ("stack", "tls")])).values("time"), [4.0]);
    assert!(walk.with("agent", "portreeved").is_empty());
    assert!(samples.experiment("other").is_empty());
    assert_eq!(walk.values("octets"), [0.0; 0]);
    assert_eq!(walk.variants().len(), 4);
}

#[test]
fn axis_of_numbers_is_sorted_by_size() {
    let samples = run();
    let walk = samples.experiment("walk");
    assert_eq!(walk.axis("rows"), ["9", "10", "100"]);
    assert_eq!(walk.axis("stack"), ["tls", "udp"]);
}

#[test]
fn reason_applies_to_all_values_of_an_axis_that_it_lacks() {
    let samples = run();
    let walk = samples.experiment("walk");
    assert_eq!(walk.with("stack", "ssh").with("rows", "10").unavailable(), Some("no SSH"));
    assert_eq!(walk.with("stack", "dtls").with("rows", "100").unavailable(), Some("too slow"));
    assert_eq!(walk.with("stack", "dtls").with("rows", "10").unavailable(), None);
    assert_eq!(walk.all_unavailable().len(), 2);
}

#[test]
fn points_have_a_summary_for_each_number() {
    let samples = run();
    let points = samples.experiment("walk").with("stack", "udp").points("rows", "time");
    assert_eq!(
        points.iter().map(|(x, time)| (*x, time.n, time.median)).collect::<Vec<_>>(),
        [(10.0, 2, 1.5), (100.0, 1, 10.0)]
    );
    let pairs = samples.experiment("walk").with("stack", "udp").pairs("rows", "time");
    assert_eq!(pairs, [(10.0, 1.0), (10.0, 2.0), (100.0, 10.0)]);
}

#[test]
fn ratios_are_paired_by_round() {
    let samples = run();
    let ten = samples.experiment("walk").with("rows", "10");
    let ratios = ten.with("stack", "tls").ratios(&ten.with("stack", "udp"), "time").unwrap();
    assert_eq!(ratios.sorted(), [3.0, 5.0]);
    assert_eq!(ten.with("stack", "ssh").ratios(&ten, "time"), None);
}

#[test]
fn differences_are_paired_by_round_and_related_to_a_third_value() {
    let at = |round, stack, time| sample(round, &[("stack", stack)], time);
    let samples = Samples::new(vec![
        at(0, "tls", 7.0),
        at(1, "tls", 12.0),
        at(2, "tls", 50.0),
        at(0, "tcp", 5.0),
        at(1, "tcp", 15.0),
        at(0, "udp", 4.0),
        at(1, "udp", 10.0),
    ]);
    let walk = samples.experiment("walk");
    let [tls, tcp, udp] = ["tls", "tcp", "udp"].map(|stack| walk.with("stack", stack));
    assert_eq!(tls.differences(&tcp, "time").unwrap().sorted(), [-3.0, 2.0]);
    assert_eq!(tls.relative_differences(&tcp, &udp, "time").unwrap().sorted(), [-0.3, 0.5]);
    assert_eq!(tls.relative_differences(&tcp, &walk.with("stack", "ssh"), "time"), None);
}

#[test]
fn several_samples_of_a_round_are_paired_in_their_order() {
    let samples = Samples::new(vec![
        sample(0, &[("stack", "udp")], 1.0),
        sample(0, &[("stack", "udp")], 2.0),
        sample(0, &[("stack", "tls")], 4.0),
        sample(0, &[("stack", "tls")], 10.0),
    ]);
    let walk = samples.experiment("walk");
    let ratios = walk.with("stack", "tls").ratios(&walk.with("stack", "udp"), "time").unwrap();
    assert_eq!(ratios.sorted(), [4.0, 5.0]);
}

#[test]
fn variants_that_are_not_measured_in_a_round_are_not_replaced_by_others() {
    let at = |round, stack, rows, time| sample(round, &[("rows", rows), ("stack", stack)], time);
    let samples = Samples::new(vec![
        at(0, "tls", "10", 3.0),
        at(0, "tls", "20", 40.0),
        at(0, "udp", "10", 1.0),
        at(0, "udp", "20", 10.0),
        at(1, "tls", "20", 50.0),
        at(1, "udp", "10", 1.0),
        at(1, "udp", "20", 10.0),
    ]);
    let walk = samples.experiment("walk");
    let ratios = walk.with("stack", "tls").ratios(&walk.with("stack", "udp"), "time").unwrap();
    assert_eq!(ratios.sorted(), [3.0, 4.0, 5.0]);
}

#[test]
fn elements_of_lists_are_summarized_by_position() {
    let list = |round, values: &[f64]| {
        Record::Sample(Sample::new("walk", Variant::default(), round).list("message", values.to_vec()))
    };
    let samples = Samples::new(vec![list(0, &[5.0, 3.0]), list(1, &[7.0])]);
    let walk = samples.experiment("walk");
    assert_eq!(walk.element("message", 0).unwrap().median, 6.0);
    assert_eq!(walk.element("message", 1).unwrap().n, 1);
    assert_eq!(walk.element("message", 2), None);
}

#[test]
fn noise_is_summarized_by_experiment_and_over_the_run() {
    let noise = |experiment: &str, value| {
        let values = BTreeMap::from([("idle_loop".to_owned(), value)]);
        Record::Noise(Noise { experiment: experiment.to_owned(), round: 0, values })
    };
    let samples = Samples::new(vec![noise("a", 1.0), noise("b", 3.0)]);
    assert_eq!(samples.noise("idle_loop").unwrap().mean, 2.0);
    assert_eq!(samples.experiment("b").noise("idle_loop").unwrap().mean, 3.0);
    assert_eq!(samples.experiments().collect::<Vec<_>>(), ["a", "b"]);
}
