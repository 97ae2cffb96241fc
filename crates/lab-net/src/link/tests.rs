use super::*;

#[test]
fn links_with_impossible_properties_are_rejected() {
    let rejected = [
        Link { loss: Loss::both(1.5), ..Link::default() },
        Link { loss: Loss { to_agent: 0.0, to_manager: -0.1 }, ..Link::default() },
        Link { loss: Loss::both(f64::NAN), ..Link::default() },
        Link { rate: Some(1), ..Link::default() },
        Link { delay: Some(Duration::from_secs(60)), ..Link::default() },
    ];
    for link in rejected {
        assert!(check(&link).is_err(), "{link:?}");
    }
    check(&Link::default()).unwrap();
    let all = Link { loss: Loss::both(1.0), rate: Some(MIN_RATE), delay: Some(Duration::ZERO) };
    check(&all).unwrap();
}
