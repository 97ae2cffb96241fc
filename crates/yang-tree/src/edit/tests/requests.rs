//! Requests and their results.

use crate::EditReason;

/// A tree, an edit, and the tree after it.
pub(super) const EDITS: &[(&str, &str, &str)] = &[
    // Merge is the default.
    ("", "contact=me", "contact=me"),
    ("contact=me", "contact=you", "contact=you"),
    ("contact=me", "system { location=here }", "contact=me system { location=here }"),
    ("server { name=a port=1 }", "server { name=a tag=x }", "server { name=a port=1 tag=x }"),
    ("server { name=b }", "server { port=1 name=a }", "server { name=a port=1 } server { name=b }"),
    ("server { name=a }", "server { name=a tls { } }", "server { name=a tls { } }"),
    // An empty container without presence does not exist.
    ("", "system { clock { } }", ""),
    // Replace removes everything that the request does not contain, at and below its node.
    (
        "server { name=a port=1 tag=x alias { name=n note=m } }",
        "server!replace { name=a tag=y }",
        "server { name=a tag=y }",
    ),
    (
        "system { location=here clock { zone=z } } contact=me",
        "system!replace { location=there }",
        "contact=me system { location=there }",
    ),
    (
        "server { name=a tls { certificate=x peer { id=1 } } }",
        "server { name=a tls!replace { } }",
        "server { name=a tls { } }",
    ),
    ("server { name=a port=1 }", "server!replace { name=a tls!merge { } }", "server { name=a tls { } }"),
    ("", "server!replace { name=a }", "server { name=a }"),
    ("contact=me", "contact!replace=you", "contact=you"),
    // Create.
    ("contact=me", "system!create { location=here }", "contact=me system { location=here }"),
    ("", "server!create { name=a tls { certificate=x } }", "server { name=a tls { certificate=x } }"),
    ("server { name=a tag=x }", "server { name=a tag!create=y }", "server { name=a tag=x tag=y }"),
    // Delete and remove; what is below a removed node has no effect.
    ("contact=me", "contact!delete", ""),
    ("contact=me", "contact!remove=another", ""),
    ("", "contact!remove", ""),
    (
        "server { name=a port=1 } server { name=b }",
        "server!delete { name=a port=2 tls { peer!create { id=1 } } }",
        "server { name=b }",
    ),
    ("server { name=a }", "server!remove { name=b }", "server { name=a }"),
    ("server { name=a }", "server!remove { name=a }", ""),
    ("server { name=a tls { } }", "server { name=a tls!delete { } }", "server { name=a }"),
    ("server { name=a }", "server { name=a tls!remove { certificate=x } }", "server { name=a }"),
    ("system { location=here clock { zone=z } }", "system { clock!delete { } }", "system { location=here }"),
    ("", "system!remove { }", ""),
    (
        "server { name=a tag=x tag=y }",
        "server { name=a tag!delete=x tag!remove=z }",
        "server { name=a tag=y }",
    ),
    ("server { name=a tag=x }", "server { name=a tag!delete=x }", "server { name=a }"),
    // A case replaces the others, and does so for choices within cases.
    ("server { name=a a=1 inner { b=2 } }", "server { name=a c=3 }", "server { name=a c=3 }"),
    (
        "server { name=a c=3 d { k=1 } e=2 f=4 }",
        "server { name=a inner { b=1 } }",
        "server { name=a inner { b=1 } }",
    ),
    ("server { name=a c=3 f=4 }", "server { name=a g=5 }", "server { name=a c=3 g=5 }"),
    ("server { name=a a=1 }", "server { name=a d { k=1 } }", "server { name=a d { k=1 } }"),
    ("server { name=a a=1 }", "server { name=a e=1 }", "server { name=a e=1 }"),
    ("server { name=a a=1 }", "server { name=a a!delete c=1 }", "server { name=a c=1 }"),
    ("server { name=a a=1 }", "server { name=a c!remove }", "server { name=a a=1 }"),
    // Keys in another sequence than the list has them.
    ("", "pair { x=1 y=2 }", "pair { x=1 y=2 }"),
    ("pair { x=1 y=2 z=3 }", "pair { z=4 x=1 y=2 }", "pair { x=1 y=2 z=4 }"),
    ("pair { x=1 y=2 }", "pair { x=2 y=1 }", "pair { x=2 y=1 } pair { x=1 y=2 }"),
    // Order of entries.
    ("", "rule { id=b } rule { id=a }", "rule { id=b } rule { id=a }"),
    ("rule { id=b }", "rule@first { id=a } rule@last { id=c }", "rule { id=a } rule { id=b } rule { id=c }"),
    ("rule { id=a } rule { id=b }", "rule@after:a { id=c }", "rule { id=a } rule { id=c } rule { id=b }"),
    (
        "rule { id=a } rule { id=b }",
        "rule!create@before:b { id=c }",
        "rule { id=a } rule { id=c } rule { id=b }",
    ),
    ("rule { id=a } rule { id=b }", "rule@first { id=b }", "rule { id=b } rule { id=a }"),
    (
        "rule { id=a action=x } rule { id=b }",
        "rule!replace { id=a action=y }",
        "rule { id=a action=y } rule { id=b }",
    ),
    ("dns=1 dns=2", "dns@first=3 dns@after:1=2", "dns=3 dns=1 dns=2"),
    ("dns=1 dns=2", "dns@last=1", "dns=2 dns=1"),
    ("dns=1 dns=2", "dns=1", "dns=1 dns=2"),
    // A place has no effect if nothing else of the entry has.
    (
        "rule { id=a } rule { id=b }",
        "rule!none@first { id=b action!merge=x }",
        "rule { id=a } rule { id=b action=x }",
    ),
    ("dns=1 dns=2", "dns!none@first=2", "dns=1 dns=2"),
    ("rule { id=a } rule { id=b }", "rule!remove@first { id=b }", "rule { id=a }"),
    // A node can occur again in another entry, and within a node that is removed.
    (
        "",
        "server { name=a port=1 } server { name=b port=1 }",
        "server { name=a port=1 } server { name=b port=1 }",
    ),
    ("server { name=a }", "server!remove { name=a port=1 port=2 tls { } tls { } }", ""),
];

/// A tree, an edit, the reason why it is refused, and the path at fault.
pub(super) const REFUSED: &[(&str, &str, EditReason, &str)] = &[
    ("contact=me", "contact!create=you", EditReason::DataExists, "/example:contact"),
    ("", "contact!delete", EditReason::DataMissing, "/example:contact"),
    ("server { name=a }", "server!create { name=a }", EditReason::DataExists, "/example:server[name='a']"),
    ("", "server!delete { name=a }", EditReason::DataMissing, "/example:server[name='a']"),
    ("", "server!none { name=a }", EditReason::DataMissing, "/example:server[name='a']"),
    (
        "server { name=a }",
        "server { name=a tls!delete { } }",
        EditReason::DataMissing,
        "/example:server[name='a']/tls",
    ),
    (
        "server { name=a tls { } }",
        "server { name=a tls!create { } }",
        EditReason::DataExists,
        "/example:server[name='a']/tls",
    ),
    ("", "system { clock!delete { } }", EditReason::DataMissing, "/example:system/clock"),
    (
        "system { clock { zone=z } }",
        "system { clock!create { } }",
        EditReason::DataExists,
        "/example:system/clock",
    ),
    (
        "system { clock { zone=z } }",
        "system { clock { zone!create=y } }",
        EditReason::DataExists,
        "/example:system/clock/zone",
    ),
    (
        "server { name=a tag=x }",
        "server { name=a tag!create=x }",
        EditReason::DataExists,
        "/example:server[name='a']/tag[.='x']",
    ),
    (
        "server { name=a tag=x }",
        "server { name=a tag!delete=y }",
        EditReason::DataMissing,
        "/example:server[name='a']/tag[.='y']",
    ),
    ("", "rule@after:b { id=a }", EditReason::UnknownAnchor, "/example:rule[id='a']"),
    ("", "dns@before:b=a", EditReason::UnknownAnchor, "/example:dns[.='a']"),
    ("", "server@first { name=a }", EditReason::NotUserOrdered, "/example:server"),
    ("", "server { name=a tag@first=a }", EditReason::NotUserOrdered, "/example:server[name='a']/tag[.='a']"),
    ("", "server { name!delete=a }", EditReason::KeyRemoved, "/example:server/name"),
    ("", "server { name=a name=b }", EditReason::Duplicate, "/example:server[name='a']/name"),
    ("", "server { name=a port=1 port=2 }", EditReason::Duplicate, "/example:server[name='a']/port"),
    ("", "server { port=1 port=2 name=a }", EditReason::Duplicate, "/example:server/port"),
    (
        "server { name=a }",
        "server { port!delete name=a }",
        EditReason::DataMissing,
        "/example:server[name='a']/port",
    ),
    ("", "server { tls { } name=a }", EditReason::KeysNotFirst, "/example:server"),
    ("", "server { name=a port }", EditReason::MissingValue, "/example:server[name='a']/port"),
    ("", "state { uptime=1 }", EditReason::NotConfiguration, "/example:state"),
    // A node occurs once in a request, whatever the operations are.
    ("contact=me", "contact!delete contact=you", EditReason::Duplicate, "/example:contact"),
    ("contact=me", "contact!none contact=you", EditReason::Duplicate, "/example:contact"),
    ("", "contact!remove contact!remove", EditReason::Duplicate, "/example:contact"),
    ("", "system { location=a } system { clock { zone=z } }", EditReason::Duplicate, "/example:system"),
    ("", "system!remove { } system { location=a }", EditReason::Duplicate, "/example:system"),
    ("", "system { clock { } clock!replace { zone=z } }", EditReason::Duplicate, "/example:system/clock"),
    ("", "server { name=a } server { name=a port=1 }", EditReason::Duplicate, "/example:server[name='a']"),
    (
        "",
        "server { name=b } server { name=a } server!replace { name=b }",
        EditReason::Duplicate,
        "/example:server[name='b']",
    ),
    (
        "server { name=a }",
        "server!delete { name=a } server { name=a }",
        EditReason::Duplicate,
        "/example:server[name='a']",
    ),
    ("", "server { name=a tls { } tls { } }", EditReason::Duplicate, "/example:server[name='a']/tls"),
    ("", "dns=1 dns=2 dns=1", EditReason::Duplicate, "/example:dns[.='1']"),
    ("dns=1", "dns!remove=1 dns=1", EditReason::Duplicate, "/example:dns[.='1']"),
    // The keys of one entry can have quotes of one kind.
    ("", "server!delete { name=it's }", EditReason::DataMissing, "/example:server[name=\"it's\"]"),
];
