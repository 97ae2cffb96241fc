use super::*;

#[test]
fn text_that_fits_is_unchanged() {
    assert_eq!(fit("v2c/UDP", 12.0, 100.0), "v2c/UDP");
}

#[test]
fn text_that_does_not_fit_is_shortened() {
    let text = "a very long name of a protocol stack";
    let short = fit(text, 12.0, 100.0);
    assert!(short.ends_with('…') && width(&short, 12.0) <= 100.0, "{short}");
    assert!(text.starts_with(short.trim_end_matches('…')));
    assert_eq!(fit("漢字漢字", 12.0, 5.0), "…");
}
