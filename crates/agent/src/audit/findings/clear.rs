//! What anybody on the way can read, repeat or change: communities, messages without keys, sockets open to all.

use portreeve_channel::{Algorithm, KeyExchange};
use portreeve_smi::SecurityLevel;

use super::{Evidence, Grant, Kind, List, Weight};
use crate::audit::is_clear;

pub(super) fn look(evidence: &Evidence<'_>, grants: &[Grant], list: &mut List) {
    for grant in grants {
        let in_clear = grant.through.iter().any(|transport| is_clear(*transport));
        let (who, place) = (format!("{} ({})", grant.name, grant.proof), grant.place.clone());
        match grant.level {
            _ if !in_clear => {}
            _ if grant.is_by_community() && !grant.write.is_empty() => {
                let what =
                    format!("{who} may write {}, and whoever hears one message can do the same", grant.write);
                list.add(
                    Weight::Grave,
                    (Kind::CommunityWrite, &grant.name),
                    place,
                    what,
                    "access = \"read\", or a [[session-user]] or [[user]] in its place",
                );
            }
            _ if grant.is_by_community() => {
                let what = format!("{who} is read in clear by everybody on the way");
                let id = (Kind::CommunityRead, &*grant.name);
                list.add(Weight::Weak, id, place, what, "make a [[session-user]] or a [[user]] in its place");
            }
            SecurityLevel::NoAuthNoPriv if !grant.write.is_empty() => {
                let what = format!("{who} may write {} without any proof", grant.write);
                let id = (Kind::UnprovenWrite, &*grant.name);
                list.add(Weight::Grave, id, place, what, "give the user keys, and level = \"authPriv\"");
            }
            SecurityLevel::NoAuthNoPriv => {
                let what = format!("anybody who says to be {} may read {}", grant.name, grant.read);
                let id = (Kind::UnprovenRead, &*grant.name);
                list.add(Weight::Weak, id, place, what, "give the user keys, and level = \"authPriv\"");
            }
            SecurityLevel::AuthNoPriv => {
                let what =
                    format!("{who} may ask unencrypted, so that everybody on the way can read the answers");
                let id = (Kind::Unencrypted, &*grant.name);
                list.add(Weight::Weak, id, place, what, "level = \"authPriv\"");
            }
            SecurityLevel::AuthPriv => {}
        }
    }
    sockets(evidence, grants, list);
    recordings(evidence, list);
    if evidence.lcd.tables().communities_in_sessions {
        let what =
            "SNMPv1 and v2c are taken in sessions: who asks is proven, and what they say of contexts is not";
        list.add(
            Weight::Note,
            (Kind::SessionCommunities, ""),
            evidence.place(0),
            what,
            "[sessions] communities = false, if nothing needs it",
        );
    }
}

/// Listeners that were told to do without the one key exchange that withstands quantum computers. No weakness of today, and
/// what every listener offers unless it is told.
fn recordings(evidence: &Evidence<'_>, list: &mut List) {
    for (number, listener) in evidence.config.listeners.iter().enumerate() {
        let narrowed = listener.algorithms.key_exchanges;
        if narrowed.is_some_and(|choice| !choice.has(KeyExchange::MlKem768X25519)) {
            let line = evidence.config.lines.listeners.get(number).copied().unwrap_or_default();
            let what = format!(
                "{} {} exchanges keys without ML-KEM: whoever records a session may read it once there are quantum \
                 computers for it",
                listener.transport, listener.address
            );
            let about = format!("{}:{}", listener.transport, listener.address);
            let cure = format!("add \"{}\" to key-exchanges", KeyExchange::MlKem768X25519.name());
            list.add(Weight::Note, (Kind::NoPostQuantum, &about), evidence.place(line), what, cure);
        }
    }
}

/// Sockets in clear that everybody can reach.
fn sockets(evidence: &Evidence<'_>, grants: &[Grant], list: &mut List) {
    let is_weak = |grant: &Grant| {
        grant.level < SecurityLevel::AuthPriv && grant.through.iter().any(|transport| is_clear(*transport))
    };
    let weight = if grants.iter().any(is_weak) { Weight::Weak } else { Weight::Note };
    for (number, listener) in evidence.config.listeners.iter().enumerate() {
        if is_clear(listener.transport) && listener.address.ip().is_unspecified() {
            let line = evidence.config.lines.listeners.get(number).copied().unwrap_or_default();
            let what = format!(
                "{} {} listens in clear on every address of this machine",
                listener.transport, listener.address
            );
            let about = format!("{}:{}", listener.transport, listener.address);
            let id = (Kind::OpenSocket, &*about);
            list.add(
                weight,
                id,
                evidence.place(line),
                what,
                "name the address of the network that is managed",
            );
        }
    }
}
