//! A small schema with the kinds of nodes that operations treat differently, and with the modules
//! that the server itself fills.

use std::sync::Arc;

use portreeve_yang::{
    EnumValue, Extension, Identity, IntegerKind, LeafrefPath, LeafrefStart, LeafrefStep, List, Module,
    ModuleId, Node, NodeId, NodeKind, Schema, SchemaBuilder, Status, Submodule, Type, TypeId, TypeKind,
    Typedef, YangVersion,
};

/// Builds the schema.
struct Builder {
    builder: SchemaBuilder,
    string: TypeId,
    number: TypeId,
}

/// Returns the schema. The module `example` has the namespace `urn:example`.
pub(crate) fn schema() -> Arc<Schema> {
    let mut builder = SchemaBuilder::new();
    let string = builder.add_type(Type::new(TypeKind::string()));
    let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint32)));
    let mut builder = Builder { builder, string, number };
    builder.add_example();
    builder.add_access_control();
    builder.add_monitoring();
    builder.add_library();
    Arc::new(builder.builder.build().unwrap())
}

impl Builder {
    fn module(&mut self, name: &str, namespace: &str, version: YangVersion) -> ModuleId {
        let mut module = Module::new(name, namespace, name);
        module.revision = "2026-11-23".into();
        module.yang_version = version;
        module.text = format!("module {name} {{ description \"a < b & ]]> \"; }}\n").into();
        self.builder.add_module(module)
    }

    fn add(&mut self, parent: NodeId, module: ModuleId, name: &str, kind: NodeKind) -> NodeId {
        let config = self.builder.node(parent).config;
        let node = Node { config, ..Node::new(module, name, kind) };
        self.builder.add_node(parent, node)
    }

    fn container(&mut self, parent: NodeId, module: ModuleId, name: &str) -> NodeId {
        self.add(parent, module, name, NodeKind::container())
    }

    fn leaf(&mut self, parent: NodeId, module: ModuleId, name: &str) -> NodeId {
        self.add(parent, module, name, NodeKind::leaf(self.string))
    }

    fn number(&mut self, parent: NodeId, module: ModuleId, name: &str) -> NodeId {
        self.add(parent, module, name, NodeKind::leaf(self.number))
    }

    /// Adds a list whose keys are strings.
    fn list(&mut self, parent: NodeId, module: ModuleId, name: &str, keys: &[&str]) -> NodeId {
        let list = self.add(parent, module, name, NodeKind::list());
        let keys: Vec<_> = keys.iter().map(|key| self.leaf(list, module, key)).collect();
        self.builder.set_keys(list, &keys);
        list
    }

    fn leafs(&mut self, parent: NodeId, module: ModuleId, names: &[&str]) {
        names.iter().for_each(|name| {
            self.leaf(parent, module, name);
        });
    }

    fn deny(&mut self, node: NodeId, extension: &str) {
        self.extend(node, "ietf-netconf-acm", extension, "");
    }

    fn extend(&mut self, node: NodeId, module: &str, name: &str, argument: &str) {
        let extension = Extension { module: module.into(), name: name.into(), argument: argument.into() };
        self.builder.node_mut(node).unwrap().extensions.push(extension);
    }

    /// ```text
    /// top ─┬─ interface* [name] ─┬─ name, mtu
    ///      │                     └─ address* [ip] ─ ip, prefix-length
    ///      ├─ main-interface (leafref), tag* (leaf-list), rule* [id] (ordered by users)
    ///      ├─ users ─ user* [name] ─ name, type, full-name, company-info ─ dept, id
    ///      ├─ key and vault ─ pin (default-deny-all), limits (default-deny-write) ─ sessions
    ///      └─ choice transport: udp ─ port (mandatory) | unix
    /// ```
    fn add_example(&mut self) {
        let m = self.module("example", "urn:example", YangVersion::Version1);
        let module = self.builder.module_mut(m).unwrap();
        module.features = vec!["fast".into(), "safe".into()];
        module.deviations = vec!["example-deviations".into()];
        module.submodules = vec![Submodule {
            name: "example-part".into(),
            revision: "2026-01-01".into(),
            text: "submodule example-part { }\n".into(),
        }];
        self.module("example-deviations", "urn:example-deviations", YangVersion::Version1_1);
        for revision in ["2020-01-01", "2021-01-01"] {
            let mut types = Module::new("example-types", "urn:example-types", "et");
            (types.is_implemented, types.revision) = (false, revision.into());
            types.text = format!("module example-types {{ revision {revision}; }}\n").into();
            self.builder.add_module(types);
        }

        let top = self.container(NodeId::ROOT, m, "top");
        let interface = self.list(top, m, "interface", &["name"]);
        self.number(interface, m, "mtu");
        self.add_row_status(interface, m);
        let address = self.list(interface, m, "address", &["ip"]);
        self.number(address, m, "prefix-length");
        self.add_reference(top, m, interface);
        self.add(top, m, "tag", NodeKind::leaf_list(self.string));
        let rule = self.add(top, m, "rule", NodeKind::List(List { user_ordered: true, ..List::default() }));
        let id = self.number(rule, m, "id");
        self.builder.set_keys(rule, &[id]);
        self.leaf(rule, m, "action");
        let users = self.container(top, m, "users");
        let user = self.list(users, m, "user", &["name"]);
        self.leafs(user, m, &["type", "full-name"]);
        let company = self.container(user, m, "company-info");
        self.number(company, m, "dept");
        self.number(company, m, "id");
        let secret = self.leaf(top, m, "key");
        self.deny(secret, "default-deny-all");
        let vault = self.container(top, m, "vault");
        self.leaf(vault, m, "pin");
        self.deny(vault, "default-deny-all");
        let limits = self.container(top, m, "limits");
        self.number(limits, m, "sessions");
        self.deny(limits, "default-deny-write");
        let choice = self.add(top, m, "transport", NodeKind::choice());
        let udp = self.add(choice, m, "udp", NodeKind::Case);
        let udp = self.add(udp, m, "udp", NodeKind::presence_container());
        let port = self.number(udp, m, "port");
        if let Some(Node { kind: NodeKind::Leaf(leaf), .. }) = self.builder.node_mut(port) {
            leaf.mandatory = true;
        }
        let unix = self.add(choice, m, "unix", NodeKind::Case);
        self.leaf(unix, m, "unix");
    }

    /// Adds `row-status`, with which SNMP creates and deletes the entries of a list.
    fn add_row_status(&mut self, list: NodeId, m: ModuleId) {
        let value = |name: &str, value| EnumValue { name: name.into(), value };
        let values = vec![value("active", 1), value("createAndGo", 4), value("destroy", 6)];
        let typedef = Typedef { module: "example".into(), name: "RowStatus".into() };
        let row_status = Type { typedef: Some(typedef), kind: TypeKind::Enumeration { values } };
        let row_status = self.builder.add_type(row_status);
        let leaf = self.add(list, m, "row-status", NodeKind::leaf(row_status));
        self.extend(leaf, "ietf-yang-smiv2", "oid", "1.3.6.1.4.1.32473.1.1.3");
    }

    /// Adds `main-interface`, a reference to the name of an interface.
    fn add_reference(&mut self, top: NodeId, m: ModuleId, interface: NodeId) {
        let name = self.key_of(interface);
        let step = |node| LeafrefStep { node, predicates: Vec::new() };
        let steps =
            LeafrefPath { start: LeafrefStart::Root, steps: vec![step(top), step(interface), step(name)] };
        let reference = self.builder.add_type(Type::new(TypeKind::Leafref {
            target: name,
            path: "/ex:top/ex:interface/ex:name".into(),
            steps,
            require_instance: true,
        }));
        self.add(top, m, "main-interface", NodeKind::leaf(reference));
    }

    fn key_of(&self, list: NodeId) -> NodeId {
        match &self.builder.node(list).kind {
            NodeKind::List(list) => list.keys[0],
            _ => panic!("not a list"),
        }
    }

    fn add_access_control(&mut self) {
        let acm = self.module("ietf-netconf-acm", "urn:acm", YangVersion::Version1);
        let nacm = self.container(NodeId::ROOT, acm, "nacm");
        self.leaf(nacm, acm, "enable-nacm");
        let snmp = self.module("ietf-snmp", "urn:snmp", YangVersion::Version1);
        let top = self.container(NodeId::ROOT, snmp, "snmp");
        for name in ["vacm", "usm", "engine"] {
            let part = self.container(top, snmp, name);
            self.leaf(part, snmp, "x");
        }
    }

    fn state_container(&mut self, module: ModuleId, name: &str) -> NodeId {
        let node = self.container(NodeId::ROOT, module, name);
        self.builder.node_mut(node).unwrap().config = false;
        node
    }

    fn identities(&mut self, module: ModuleId, base: &str, names: &[&str]) -> TypeId {
        let new = |name: &str, bases| Identity { name: name.into(), module, bases, status: Status::Current };
        let base = self.builder.add_identity(new(base, Vec::new()));
        for name in names {
            self.builder.add_identity(new(name, vec![base]));
        }
        self.builder.add_type(Type::new(TypeKind::Identityref { bases: vec![base] }))
    }

    fn add_monitoring(&mut self) {
        let name = "ietf-netconf-monitoring";
        let m = self.module(name, &format!("urn:ietf:params:xml:ns:yang:{name}"), YangVersion::Version1);
        let format = self.identities(m, "schema-format", &["yang", "yin"]);
        let transport = self.identities(m, "transport", &["netconf-ssh", "netconf-tls"]);
        let state = self.state_container(m, "netconf-state");
        let capabilities = self.container(state, m, "capabilities");
        self.add(capabilities, m, "capability", NodeKind::leaf_list(self.string));
        let datastores = self.container(state, m, "datastores");
        let datastore = self.list(datastores, m, "datastore", &["name"]);
        let locks = self.add(datastore, m, "locks", NodeKind::presence_container());
        let global = self.container(locks, m, "global-lock");
        self.leafs(global, m, &["locked-by-session", "locked-time"]);
        let schemas = self.container(state, m, "schemas");
        let schema = self.list(schemas, m, "schema", &["identifier", "version"]);
        let key = self.add(schema, m, "format", NodeKind::leaf(format));
        let mut keys = match &self.builder.node(schema).kind {
            NodeKind::List(list) => list.keys.clone(),
            _ => Vec::new(),
        };
        keys.push(key);
        self.builder.set_keys(schema, &keys);
        self.leaf(schema, m, "namespace");
        let location = EnumValue { name: "NETCONF".into(), value: 0 };
        let location = self.builder.add_type(Type::new(TypeKind::Enumeration { values: vec![location] }));
        self.add(schema, m, "location", NodeKind::leaf_list(location));
        let sessions = self.container(state, m, "sessions");
        let session = self.list(sessions, m, "session", &["session-id"]);
        self.add(session, m, "transport", NodeKind::leaf(transport));
        let counters = ["in-rpcs", "in-bad-rpcs", "out-rpc-errors", "out-notifications"];
        self.leafs(session, m, &["username", "source-host", "login-time"]);
        self.leafs(session, m, &counters);
        let statistics = self.container(state, m, "statistics");
        self.leafs(
            statistics,
            m,
            &["netconf-start-time", "in-bad-hellos", "in-sessions", "dropped-sessions"],
        );
        self.leafs(statistics, m, &counters);
    }

    fn add_library(&mut self) {
        let ds = self.module("ietf-datastores", "urn:ds", YangVersion::Version1_1);
        let datastore = self.identities(ds, "datastore", &["running", "candidate"]);
        let name = "ietf-yang-library";
        let m = self.module(name, &format!("urn:ietf:params:xml:ns:yang:{name}"), YangVersion::Version1_1);
        let library = self.state_container(m, "yang-library");
        let set = self.list(library, m, "module-set", &["name"]);
        let module = self.list(set, m, "module", &["name"]);
        self.leafs(module, m, &["revision", "namespace"]);
        let submodule = self.list(module, m, "submodule", &["name"]);
        self.leaf(submodule, m, "revision");
        for leaf_list in ["feature", "deviation"] {
            self.add(module, m, leaf_list, NodeKind::leaf_list(self.string));
        }
        let import = self.list(set, m, "import-only-module", &["name", "revision"]);
        self.leaf(import, m, "namespace");
        let schema = self.list(library, m, "schema", &["name"]);
        self.add(schema, m, "module-set", NodeKind::leaf_list(self.string));
        let list = self.add(library, m, "datastore", NodeKind::list());
        let key = self.add(list, m, "name", NodeKind::leaf(datastore));
        self.builder.set_keys(list, &[key]);
        self.leaf(list, m, "schema");
        self.leaf(library, m, "content-id");
        let legacy = self.state_container(m, "modules-state");
        self.leaf(legacy, m, "module-set-id");
        let module = self.list(legacy, m, "module", &["name", "revision"]);
        self.leafs(module, m, &["namespace", "conformance-type"]);
        self.add(module, m, "feature", NodeKind::leaf_list(self.string));
        for list in ["deviation", "submodule"] {
            self.list(module, m, list, &["name", "revision"]);
        }
    }
}
