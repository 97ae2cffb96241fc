//! Instance identifiers.

use super::*;
use ValueReason::*;

struct Fixture {
    schema: Schema,
    example: ModuleId,
    other: ModuleId,
    path: TypeId,
    union: TypeId,
}

/// ```text
/// example:top
///   user* [name]            other:extra
///   server* [ip port]
///   link* [target]          the key is an instance-identifier
///   kind* [id]              the key is an identityref
///   flag* [on]              the key is empty
///   port*                   state without keys
///   cipher                  a leaf-list
///   choice (case (leaf chosen))
/// ```
fn fixture() -> Fixture {
    let mut builder = SchemaBuilder::new();
    let example = builder.add_module(Module::new("example", "urn:example", "ex"));
    let other = builder.add_module(Module::new("other", "urn:other", "ot"));
    let mut add = |kind| builder.add_type(Type::new(kind));
    let path = add(TypeKind::InstanceIdentifier { require_instance: true });
    let string = add(TypeKind::string());
    let number = add(TypeKind::integer(IntegerKind::Uint16));
    let empty = add(TypeKind::Empty);
    let union = add(TypeKind::Union { members: vec![path, string] });
    let base = builder.add_identity(Identity {
        name: "base".into(),
        module: example,
        bases: Vec::new(),
        status: Status::Current,
    });
    builder.add_identity(Identity {
        name: "derived".into(),
        module: other,
        bases: vec![base],
        status: Status::Current,
    });
    let identity = builder.add_type(Type::new(TypeKind::Identityref { bases: vec![base] }));
    let top = builder.add_node(NodeId::ROOT, Node::new(example, "top", NodeKind::container()));
    for (list, keys) in [
        ("user", &[("name", string)][..]),
        ("server", &[("ip", string), ("port", number)]),
        ("link", &[("target", path)]),
        ("kind", &[("id", identity)]),
        ("flag", &[("on", empty)]),
    ] {
        let node = builder.add_node(top, Node::new(example, list, NodeKind::list()));
        let keys: Vec<NodeId> = keys
            .iter()
            .map(|(name, key)| builder.add_node(node, Node::new(example, name, NodeKind::leaf(*key))))
            .collect();
        builder.set_keys(node, &keys);
        if list == "user" {
            builder.add_node(node, Node::new(other, "extra", NodeKind::leaf(string)));
        }
    }
    let port = Node { config: false, ..Node::new(example, "port", NodeKind::list()) };
    let port = builder.add_node(top, port);
    builder.add_node(port, Node { config: false, ..Node::new(example, "speed", NodeKind::leaf(number)) });
    builder.add_node(top, Node::new(example, "cipher", NodeKind::leaf_list(string)));
    let choice = builder.add_node(top, Node::new(example, "choice", NodeKind::choice()));
    let case = builder.add_node(choice, Node::new(example, "case", NodeKind::Case));
    builder.add_node(case, Node::new(example, "chosen", NodeKind::leaf(string)));
    Fixture { schema: builder.build().unwrap(), example, other, path, union }
}

#[test]
fn path_of_a_document_becomes_canonical() {
    let Fixture { schema, example, other, path, .. } = fixture();
    let document = Document { prefixes: &[("e", example), ("o", other)], default: Some(example) };
    for (text, expected) in [
        ("/e:top", Ok("/example:top")),
        ("/e:top/e:chosen", Ok("/example:top/chosen")),
        ("/e:top/e:user[e:name='fred']", Ok("/example:top/user[name='fred']")),
        ("/e:top/e:user[e:name=\"fred\"]/e:name", Ok("/example:top/user[name='fred']/name")),
        ("/e:top/e:user[e:name='a']/o:extra", Ok("/example:top/user[name='a']/other:extra")),
        ("/e:top/e:user[ e:name\t= 'fred' ]", Ok("/example:top/user[name='fred']")),
        ("/e:top/e:user[e:name='']", Ok("/example:top/user[name='']")),
        ("/e:top/e:user[e:name='/]= \"[.']", Ok("/example:top/user[name='/]= \"[.']")),
        ("/e:top/e:user[e:name=\"it's\"]", Ok("/example:top/user[name=\"it's\"]")),
        // Keys are in the order of the list, and their values canonical.
        ("/e:top/e:server[e:port='080'][e:ip='::1']", Ok("/example:top/server[ip='::1'][port='80']")),
        ("/e:top/e:flag[e:on='']", Ok("/example:top/flag[on='']")),
        ("/e:top/e:kind[e:id='o:derived']", Ok("/example:top/kind[id='other:derived']")),
        ("/e:top/e:port[3]", Ok("/example:top/port[3]")),
        ("/e:top/e:port[ 4294967295 ]/e:speed", Ok("/example:top/port[4294967295]/speed")),
        ("/e:top/e:cipher[.='aes']", Ok("/example:top/cipher[.='aes']")),
        ("/e:top/e:cipher[ . = \"aes\" ]", Ok("/example:top/cipher[.='aes']")),
        (
            "/e:top/e:link[e:target=\"/e:top/e:user[e:name='a']\"]",
            Ok("/example:top/link[target=\"/example:top/user[name='a']\"]"),
        ),
        (
            "/e:top/e:link[e:target='/e:top/e:user[e:name=\"a\"]']",
            Ok("/example:top/link[target=\"/example:top/user[name='a']\"]"),
        ),
        ("", Err(NotAPath)),
        ("/", Err(NotAPath)),
        ("e:top", Err(NotAPath)),
        ("//e:top", Err(NotAPath)),
        ("/e:top/", Err(NotAPath)),
        ("/e:top ", Err(NotAPath)),
        (" /e:top", Err(NotAPath)),
        ("/e: top", Err(NotAPath)),
        ("/:top", Err(NotAPath)),
        ("/e:", Err(NotAPath)),
        ("/*", Err(NotAPath)),
        ("/e:top/..", Err(MissingPrefix)),
        ("/top", Err(MissingPrefix)),
        ("/e:top/chosen", Err(MissingPrefix)),
        ("/e:top/e:user[name='a']", Err(MissingPrefix)),
        ("/example:top", Err(UnknownPrefix)),
        ("/o:top", Err(UnknownNode)),
        ("/e:bottom", Err(UnknownNode)),
        ("/e:top/e:choice/e:case/e:chosen", Err(UnknownNode)),
        ("/e:top/e:user[e:name='a']/e:extra", Err(UnknownNode)),
        ("/e:top/e:chosen/e:top", Err(UnknownNode)),
        ("/e:top[1]", Err(InvalidPredicate)),
        ("/e:top/e:chosen[.='a']", Err(InvalidPredicate)),
        ("/e:top/e:user", Err(MissingKey)),
        ("/e:top/e:user/e:name", Err(MissingKey)),
        ("/e:top/e:server[e:ip='a']", Err(MissingKey)),
        ("/e:top/e:server[e:ip='a'][e:ip='b']", Err(InvalidPredicate)),
        ("/e:top/e:user[e:name='a'][e:name='a']", Err(NotAPath)),
        ("/e:top/e:user[o:extra='a']", Err(InvalidPredicate)),
        ("/e:top/e:user[1]", Err(InvalidPredicate)),
        ("/e:top/e:user[.='a']", Err(InvalidPredicate)),
        ("/e:top/e:user[e:missing='a']", Err(UnknownNode)),
        ("/e:top/e:server[e:ip='a'][e:port='65536']", Err(OutOfRange)),
        ("/e:top/e:kind[e:id='derived']", Err(UnknownIdentity)),
        ("/e:top/e:user[e:name='a", Err(NotAPath)),
        ("/e:top/e:user[e:name='a'", Err(NotAPath)),
        ("/e:top/e:user[e:name='a\"]", Err(NotAPath)),
        ("/e:top/e:user[e:name=a]", Err(NotAPath)),
        ("/e:top/e:user[e:name]", Err(NotAPath)),
        ("/e:top/e:user[e:name='a' or e:name='b']", Err(NotAPath)),
        ("/e:top/e:user[", Err(NotAPath)),
        ("/e:top/e:port", Err(MissingKey)),
        ("/e:top/e:port[0]", Err(InvalidPredicate)),
        ("/e:top/e:port[01]", Err(InvalidPredicate)),
        ("/e:top/e:port[-1]", Err(InvalidPredicate)),
        ("/e:top/e:port[4294967296]", Err(InvalidPredicate)),
        ("/e:top/e:port[e:speed='1']", Err(InvalidPredicate)),
        ("/e:top/e:port[1.5]", Err(NotAPath)),
        ("/e:top/e:cipher", Err(MissingKey)),
        ("/e:top/e:cipher[1]", Err(InvalidPredicate)),
        ("/e:top/e:cipher[.='a'][.='a']", Err(NotAPath)),
        ("/e:top/e:link[e:target='/e:missing']", Err(UnknownNode)),
        ("/é:top", Err(UnknownPrefix)),
    ] {
        let result = schema.canonical(path, text, &document).map(String::from).map_err(|error| error.reason);
        assert_eq!(result, expected.map(str::to_owned), "{text}");
        let Ok(expected) = expected else { continue };
        let again = schema.canonical(path, expected, &ModuleNames::new(&schema)).unwrap();
        assert_eq!(again, expected);
        assert!(matches!(again, Cow::Borrowed(_)), "copies {expected}");
    }
}

#[test]
fn names_in_a_canonical_path_inherit_the_module_of_their_parent() {
    let Fixture { schema, path, .. } = fixture();
    let canonical = "/example:top/user[name='a']/other:extra";
    assert_eq!(read(&schema, path, canonical).as_deref(), Ok(canonical));
    assert_eq!(
        read(&schema, path, "/example:top/example:user[example:name='a']/other:extra").as_deref(),
        Ok(canonical)
    );
    assert_eq!(read(&schema, path, "/top"), Err(MissingPrefix));
    assert_eq!(read(&schema, path, "/example:top/user[name='a']/extra"), Err(UnknownNode));
}

#[test]
fn path_is_written_with_a_prefix_at_each_name() {
    let Fixture { schema, example, other, path, union } = fixture();
    let prefix_of = |module: ModuleId| if module == example { "e" } else { "o" };
    for (canonical, expected, modules) in [
        ("/example:top/chosen", "/e:top/e:chosen", &[example][..]),
        (
            "/example:top/user[name=\"it's\"]/other:extra",
            "/e:top/e:user[e:name=\"it's\"]/o:extra",
            &[example, other],
        ),
        ("/example:top/kind[id='other:derived']", "/e:top/e:kind[e:id='o:derived']", &[example, other]),
        ("/example:top/cipher[.='x:y']", "/e:top/e:cipher[.='x:y']", &[example]),
        ("/example:top/port[3]/speed", "/e:top/e:port[3]/e:speed", &[example]),
        (
            "/example:top/link[target=\"/example:top/kind[id='other:derived']\"]",
            "/e:top/e:link[e:target=\"/e:top/e:kind[e:id='o:derived']\"]",
            &[example, other],
        ),
    ] {
        for value_type in [path, union] {
            let mut output = String::new();
            schema.write_value(value_type, canonical, &prefix_of, &mut output);
            assert_eq!(output, expected);
            assert_eq!(schema.modules_in_value(value_type, canonical), modules);
            let document = Document { prefixes: &[("e", example), ("o", other)], default: None };
            assert_eq!(schema.canonical(value_type, &output, &document).unwrap(), canonical);
        }
    }
    let mut output = String::new();
    schema.write_value(union, "/example:missing", &prefix_of, &mut output);
    assert_eq!(output, "/example:missing");
}

#[test]
fn parsed_path_has_nodes_and_values() {
    let Fixture { schema, example, .. } = fixture();
    let top = schema.top_level(example, "top").unwrap();
    let server = schema.data_child(top, example, "server").unwrap();
    let cipher = schema.data_child(top, example, "cipher").unwrap();
    let step = |node, entry| PathStep { node, entry };
    let first = step(top, Entry::All);
    let keys = Entry::Keys(vec!["::1".into(), "80".into()]);
    let parsed = schema.instance_identifier("/example:top/server[ip='::1'][port='80']").unwrap();
    assert_eq!(parsed.steps(), [first.clone(), step(server, keys)]);
    let text = "/example:top/cipher[.='a']";
    let parsed = schema.instance_identifier(text).unwrap();
    assert_eq!(parsed.steps(), [first, step(cipher, Entry::Value("a".into()))]);
    assert_eq!(parsed.canonical(&schema), text);
    assert_eq!(schema.instance_identifier("/ex:top").unwrap_err().reason, UnknownPrefix);
}

#[test]
fn union_reads_a_path_without_namespaces_as_it_is_read_back() {
    let Fixture { schema, union, .. } = fixture();
    let document = Document { prefixes: &[], default: None };
    // Only the string accepts it in this document, but the path accepts it when it is read back.
    let value = schema.canonical(union, "/example:top/example:chosen", &document).unwrap();
    assert_eq!(value, "/example:top/chosen");
    assert_eq!(schema.canonical(union, &value, &ModuleNames::new(&schema)).unwrap(), value);
}
