//! Monitoring, the YANG library, and the texts of modules.

use crate::test_server::{OK, TestServer, tags};

const MONITORING: &str = "urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring";

fn monitoring(part: &str) -> String {
    format!("<get><filter><netconf-state xmlns='{MONITORING}'><{part}/></netconf-state></filter></get>")
}

//= rfc6022#2.1.2-p1
//= type=test
#[test]
fn monitoring_shows_datastores_with_locks() {
    let mut server = TestServer::new();
    let mut client = server.client("writer");
    assert_eq!(client.request(&mut server, "<lock><target><candidate/></target></lock>"), OK);
    let reply = client.request(&mut server, &monitoring("datastores"));
    assert!(
        reply.contains(
            "<datastores><datastore><name>running</name></datastore><datastore><name>candidate</name>\
             <locks><global-lock><locked-by-session>1</locked-by-session>\
             <locked-time>2026-11-23T12:34:46Z</locked-time></global-lock></locks></datastore></datastores>"
        ) || reply.contains(
            "<datastores><datastore><name>candidate</name>\
             <locks><global-lock><locked-by-session>1</locked-by-session>\
             <locked-time>2026-11-23T12:34:46Z</locked-time></global-lock></locks></datastore>\
             <datastore><name>running</name></datastore></datastores>"
        ),
        "{reply}"
    );
}

//= rfc6022#2.1.3-p1
//= type=test
#[test]
fn monitoring_lists_texts_that_get_schema_returns() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    let reply = client.request(&mut server, &monitoring("schemas"));
    let schemas: Vec<&str> = reply.split("<schema>").skip(1).collect();
    let between = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>")).unwrap();
        rest.split_once(&format!("</{name}>")).unwrap().0.to_owned()
    };
    for name in ["example", "example-part", "example-deviations", "ietf-yang-library"] {
        let found = schemas.iter().filter(|schema| between(schema, "identifier") == name).count();
        assert_eq!(found, 1, "{name}");
    }
    assert_eq!(schemas.iter().filter(|schema| between(schema, "identifier") == "example-types").count(), 2);
    for schema in schemas {
        assert!(
            schema.contains(":yang</format>") && schema.contains("<location>NETCONF</location>"),
            "{schema}"
        );
        let request = format!(
            "<get-schema xmlns='{MONITORING}'><identifier>{}</identifier><version>{}</version></get-schema>",
            between(schema, "identifier"),
            between(schema, "version"),
        );
        assert!(client.request(&mut server, &request).contains("module"), "{request}");
    }
}

//= rfc6022#2.1.4-p1
//= type=test
//= rfc6022#2.1.5-p1
//= type=test
#[test]
fn monitoring_counts_messages_and_sessions() {
    let mut server = TestServer::new();
    let (mut one, mut two) = (server.client("writer"), server.client("reader"));
    one.request(&mut server, "<commit/>");
    one.request(&mut server, "<none/>");
    two.request(&mut server, "<commit/>");
    server.server.closed(two.id);
    let reply = one.request(&mut server, &monitoring("sessions"));
    let session = "<session><session-id>1</session-id><transport xmlns:ietf-netconf-monitoring=\"urn:ietf:params:xml:ns:yang:ietf-netconf-monitoring\">ietf-netconf-monitoring:netconf-ssh</transport><username>writer</username>\
        <source-host>192.0.2.7</source-host><login-time>2026-11-23T12:34:46Z</login-time>\
        <in-rpcs>1</in-rpcs><in-bad-rpcs>1</in-bad-rpcs><out-rpc-errors>1</out-rpc-errors>\
        <out-notifications>0</out-notifications></session>";
    assert!(reply.contains(&format!("<sessions>{session}</sessions>")), "{reply}");
    let reply = one.request(&mut server, &monitoring("statistics"));
    let statistics = "<statistics><netconf-start-time>2026-11-23T12:34:46Z</netconf-start-time>\
        <in-bad-hellos>0</in-bad-hellos><in-sessions>2</in-sessions><dropped-sessions>1</dropped-sessions>\
        <in-rpcs>2</in-rpcs><in-bad-rpcs>2</in-bad-rpcs><out-rpc-errors>2</out-rpc-errors>\
        <out-notifications>0</out-notifications></statistics>";
    assert!(reply.contains(statistics), "{reply}");
}

#[test]
fn monitoring_lists_the_announced_capabilities() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    let reply = client.request(&mut server, &monitoring("capabilities"));
    assert!(reply.contains("<capability>urn:ietf:params:netconf:base:1.1</capability>"), "{reply}");
    assert!(
        reply.contains("<capability>urn:snmp?module=ietf-snmp&amp;revision=2026-11-23</capability>"),
        "{reply}"
    );
}

#[test]
fn library_describes_modules_in_both_forms() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    let library = |name: &str| {
        format!("<get><filter><{name} xmlns='urn:ietf:params:xml:ns:yang:ietf-yang-library'/></filter></get>")
    };
    let new = client.request(&mut server, &library("yang-library"));
    let module = "<module><name>example</name><revision>2026-11-23</revision><namespace>urn:example</namespace>\
        <submodule><name>example-part</name><revision>2026-01-01</revision></submodule>\
        <feature>fast</feature><feature>safe</feature><deviation>example-deviations</deviation></module>";
    assert!(new.contains(module), "{new}");
    assert_eq!(new.matches("<import-only-module><name>example-types</name>").count(), 2);
    for datastore in ["running", "candidate"] {
        assert!(
            new.contains(&format!("ietf-datastores:{datastore}</name><schema>complete</schema>")),
            "{new}"
        );
    }
    let old = client.request(&mut server, &library("modules-state"));
    let module = "<module><name>example</name><revision>2026-11-23</revision><namespace>urn:example</namespace>\
        <conformance-type>implement</conformance-type><feature>fast</feature><feature>safe</feature>\
        <deviation><name>example-deviations</name><revision>2026-11-23</revision></deviation>\
        <submodule><name>example-part</name><revision>2026-01-01</revision></submodule></module>";
    assert!(old.contains(module), "{old}");
    assert_eq!(old.matches("<conformance-type>import</conformance-type>").count(), 2);
    let between = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>")).unwrap();
        rest.split_once(&format!("</{name}>")).unwrap().0.to_owned()
    };
    assert_eq!(between(&new, "content-id"), between(&old, "module-set-id"));
}

//= rfc8525#3-p1
//= type=test
#[test]
fn content_id_changes_with_the_modules() {
    use crate::state::content_id;
    use portreeve_yang::{Module, SchemaBuilder};
    let id = |features: &[&str], revision: &str| {
        let mut builder = SchemaBuilder::new();
        let mut module = Module::new("m", "urn:m", "m");
        module.features = features.iter().map(|feature| (*feature).into()).collect();
        module.revision = revision.into();
        builder.add_module(module);
        content_id(&builder.build().unwrap())
    };
    let all = [id(&[], ""), id(&["a"], ""), id(&["a"], "2026-11-23"), id(&["a", "b"], "")];
    assert_eq!(id(&["a"], ""), all[1]);
    for (index, one) in all.iter().enumerate() {
        assert!(all.iter().skip(index + 1).all(|other| other != one));
    }
}

fn get_schema(parameters: &str) -> String {
    format!("<get-schema xmlns='{MONITORING}'>{parameters}</get-schema>")
}

#[test]
fn get_schema_returns_exact_texts() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    for parameters in [
        "<identifier>example</identifier>",
        "<identifier>example</identifier><version>2026-11-23</version><format>yang</format>",
        "<version>2026-11-23</version><identifier>example</identifier>",
        &format!("<identifier>example</identifier><format xmlns:x='{MONITORING}'>x:yang</format>"),
    ] {
        let reply = client.request(&mut server, &get_schema(parameters));
        let expected = format!(
            "<rpc-reply message-id=\"1\"><data xmlns=\"{MONITORING}\">module example {{ description \"a &lt; b &amp; ]]&gt; \"; }}\n</data></rpc-reply>"
        );
        assert_eq!(reply, expected, "{parameters}");
    }
    let reply = client.request(&mut server, &get_schema("<identifier>example-part</identifier>"));
    assert!(reply.contains("submodule example-part { }"), "{reply}");
}

//= rfc6022#3.1-p1
//= type=test
//= rfc6022#3.1-p2
//= type=test
#[test]
fn get_schema_refuses_none_and_several() {
    let mut server = TestServer::new();
    let mut client = server.client("reader");
    for (parameters, tag) in [
        ("<identifier>none</identifier>", "invalid-value"),
        ("<identifier>../example</identifier>", "invalid-value"),
        ("<identifier>example</identifier><version>2000-01-01</version>", "invalid-value"),
        ("<identifier>example</identifier><version/>", "invalid-value"),
        ("<identifier>example</identifier><format>yin</format>", "invalid-value"),
        ("<identifier>example-types</identifier>", "operation-failed/data-not-unique"),
        ("", "missing-element"),
    ] {
        assert_eq!(tags(&client.request(&mut server, &get_schema(parameters))), [tag], "{parameters}");
    }
    let one = "<identifier>example-types</identifier><version>2020-01-01</version>";
    assert!(client.request(&mut server, &get_schema(one)).contains("revision 2020-01-01"));
}
