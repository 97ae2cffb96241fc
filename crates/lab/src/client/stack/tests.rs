use super::{CARRIERS, MESSAGES, ProtocolStack};

#[test]
fn every_protocol_stack_is_parsed_from_its_id() {
    for (_, carrier) in CARRIERS {
        for (_, message) in MESSAGES {
            let stack = ProtocolStack { carrier, message };
            assert_eq!(
                stack.id().parse::<ProtocolStack>().map_err(|error| error.message().to_owned()),
                Ok(stack)
            );
        }
    }
}

#[test]
fn invalid_protocol_stacks_are_rejected() {
    for word in ["", "v2c", "tcp/v2c", "v2c/", "v2c/sctp"] {
        assert!(word.parse::<ProtocolStack>().is_err(), "{word}");
    }
}
