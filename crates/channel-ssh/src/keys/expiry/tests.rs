use super::parse;

#[test]
fn expiry_times_are_parsed() {
    for (text, seconds) in [
        ("19700101Z", 0),
        ("20240229Z", 1_709_164_800),
        ("202401010000Z", 1_704_067_200),
        ("20240101000001Z", 1_704_067_201),
        ("20991231235959Z", 4_102_444_799),
    ] {
        assert_eq!(parse(text), Some(seconds), "{text}");
    }
    assert_eq!(parse("20240101"), Some(1_704_067_200 - 14 * 3600), "local time in the easternmost zone");
}

#[test]
fn invalid_expiry_times_are_rejected() {
    for text in [
        "",
        "Z",
        "2024",
        "20241301Z",
        "20240230Z",
        "20230229Z",
        "20240100Z",
        "2024010124Z",
        "202401012400Z",
        "2024-1-1",
        "99999999",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}
