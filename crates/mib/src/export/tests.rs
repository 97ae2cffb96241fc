use super::*;
use crate::modules::{self, if_mib, notification_mib, snmpv2_tc};

#[test]
fn column_is_exported_with_all_clauses() {
    let text = export_smi(&notification_mib::MODULE);
    let expected = "\
snmpNotifyFilterMask OBJECT-TYPE
    SYNTAX OCTET STRING (SIZE (0..16))
    MAX-ACCESS read-create
    STATUS current
    DESCRIPTION
        \"One bit per sub-identifier; 0 makes it a wildcard. A short mask is extended with ones.\"
    DEFVAL { ''H }
    ::= { snmpNotifyFilterEntry 2 }
";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("    INDEX { snmpNotifyFilterProfileName, IMPLIED snmpNotifyFilterSubtree }\n"));
}

#[test]
fn imports_of_exported_module_list_exactly_the_used_symbols() {
    let text = export_smi(&if_mib::MODULE);
    let (imports, _) = text.split_once(';').unwrap();
    for used in
        ["IANAifType", "snmpTraps", "TruthValue", "MODULE-COMPLIANCE", "NOTIFICATION-TYPE", "Counter64"]
    {
        assert!(imports.contains(used), "{used}");
    }
    for unused in ["StorageType", "Unsigned32", "IpAddress", "InterfaceIndex", "OBJECT-IDENTITY", "ifMIB"] {
        assert!(!imports.contains(unused), "{unused}");
    }
    assert!(!export_smi(&snmpv2_tc::MODULE).contains("FROM SNMPv2-TC"));
}

#[test]
fn every_definition_is_exported() {
    for module in modules::ALL {
        let text = export_smi(module);
        for object in module.objects.iter().filter(|object| object.parent.is_some()) {
            let start = format!("\n\n{} ", object.name);
            assert_eq!(text.matches(&start).count(), 1, "{object:?}");
        }
        for convention in module.conventions {
            assert!(
                text.contains(&format!("\n\n{} ::= TEXTUAL-CONVENTION", convention.name)),
                "{convention:?}"
            );
        }
    }
}
