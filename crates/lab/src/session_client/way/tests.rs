use super::{CARRIERS, MESSAGES, Way};

#[test]
fn every_way_is_read_from_its_word() {
    for (_, carrier) in CARRIERS {
        for (_, message) in MESSAGES {
            let way = Way { carrier, message };
            assert_eq!(way.word().parse::<Way>().map_err(|failure| failure.sentence().to_owned()), Ok(way));
        }
    }
}

#[test]
fn what_is_no_way_is_refused() {
    for word in ["", "v2c", "tcp/v2c", "v2c/", "v2c/sctp"] {
        assert!(word.parse::<Way>().is_err(), "{word}");
    }
}
