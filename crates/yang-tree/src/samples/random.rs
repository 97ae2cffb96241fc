//! Random edits of the sample schema, in the notation of the samples.

use proptest::prelude::*;

/// Returns requests of which most are accepted.
pub(crate) fn random_edits() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(random_edit(), 1..12)
}

/// Returns a request.
pub(crate) fn random_edit() -> impl Strategy<Value = String> {
    prop::collection::vec(top_level(), 1..5).prop_map(|parts| parts.join(" "))
}

/// Returns a request for one server and one pair.
pub(crate) fn random_edit_of(name: &'static str) -> impl Strategy<Value = String> {
    let pair = (operation(), value())
        .prop_map(move |(operation, z)| format!("pair{operation} {{ x={name} y={name} z={z} }}"));
    (server(Just(name)), prop::option::of(pair))
        .prop_map(|(server, pair)| format!("{server} {}", pair.unwrap_or_default()))
}

fn operation() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["", "", "", "!replace", "!create", "!remove", "!delete"][..])
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["a", "b", "c", "a-name-that-is-longer-than-a-short-key"][..])
}

fn value() -> impl Strategy<Value = u32> {
    0..4_u32
}

fn top_level() -> impl Strategy<Value = String> {
    let place = || {
        (prop::sample::select(&["", "", "@first", "@last", "@before:", "@after:"][..]), name()).prop_map(
            |(place, anchor)| {
                if place.ends_with(':') { format!("{place}{anchor}") } else { place.to_owned() }
            },
        )
    };
    prop_oneof![
        (operation(), value()).prop_map(|(operation, value)| format!("contact{operation}={value}")),
        (operation(), value(), value()).prop_map(|(operation, location, zone)| {
            format!("system{operation} {{ location={location} clock {{ zone={zone} }} }}")
        }),
        server(name()),
        (operation(), place(), name(), value()).prop_map(|(operation, place, name, value)| {
            format!("rule{operation}{place} {{ id={name} action={value} }}")
        }),
        (operation(), place(), name())
            .prop_map(|(operation, place, name)| format!("dns{operation}{place}={name}")),
        (operation(), name(), value())
            .prop_map(|(operation, x, y)| format!("pair{operation} {{ x={x} y={y} z={y} }}")),
    ]
}

fn server(server_name: impl Strategy<Value = &'static str>) -> impl Strategy<Value = String> {
    let server_parts = prop_oneof![
        (operation(), value()).prop_map(|(operation, value)| format!("port{operation}={value}")),
        (operation(), name(), value()).prop_map(|(operation, name, value)| {
            format!("tls{operation} {{ certificate={value} peer {{ id={name} }} }}")
        }),
        (operation(), value()).prop_map(|(operation, value)| format!("a{operation}={value}")),
        value().prop_map(|value| format!("inner {{ b={value} }}")),
        value().prop_map(|value| format!("c={value} d {{ k={value} }} e={value}")),
        value().prop_map(|value| format!("f={value}")),
        value().prop_map(|value| format!("g={value}")),
        (operation(), name()).prop_map(|(operation, name)| format!("tag{operation}={name}")),
        (operation(), name(), value())
            .prop_map(|(operation, name, value)| format!("alias{operation} {{ name={name} note={value} }}")),
    ];
    (operation(), server_name, prop::collection::vec(server_parts, 0..4)).prop_map(
        |(operation, name, parts)| format!("server{operation} {{ name={name} {} }}", parts.join(" ")),
    )
}
