use super::*;

#[test]
fn engine_id_accepts_5_to_32_octets_only() {
    for length in 0..=64 {
        assert_eq!(EngineId::from_wire(&vec![1; length]).is_ok(), (5..=32).contains(&length), "{length}");
    }
}

#[test]
fn new_engine_id_of_all_zeros_or_all_ones_is_rejected() {
    assert_eq!(EngineId::new(&[0; 5]), Err(EngineIdError));
    assert_eq!(EngineId::new(&[0xff; 12]), Err(EngineIdError));
    assert!(EngineId::from_wire(&[0; 5]).is_ok());
}

#[test]
fn engine_id_text_round_trips_and_invalid_text_is_rejected() {
    let id: EngineId = "0x8000000005AB".parse().unwrap();
    assert_eq!(id.to_string(), "0x8000000005ab");
    for text in ["", "0x8000", "800000000", "80000000zz", "0x0000000000"] {
        assert_eq!(text.parse::<EngineId>(), Err(EngineIdError), "{text}");
    }
}

#[test]
fn local_engine_id_matches_rfc_5343() {
    assert_eq!(EngineId::LOCAL.to_string(), "0x8000000006");
}
