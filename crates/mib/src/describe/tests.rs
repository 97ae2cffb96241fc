use super::{details, outline};
use crate::names::{BUILT_IN, object};

#[test]
fn details_of_instance_show_definition_of_its_object() {
    assert_eq!(
        details(&BUILT_IN, &[1, 3, 6, 1, 2, 1, 2, 2, 1, 7, 3]),
        "ifAdminStatus OBJECT-TYPE\n  -- FROM\tIF-MIB\n  SYNTAX\tINTEGER {up(1), down(2), testing(3)} \n  \
         MAX-ACCESS\tread-write\n  STATUS\tcurrent\n  DESCRIPTION\t\"The desired state of the interface.\"\n\
         ::= { iso(1) org(3) dod(6) internet(1) mgmt(2) mib-2(1) interfaces(2) ifTable(2) ifEntry(1) \
         ifAdminStatus(7) 3 }\n"
    );
}

#[test]
fn details_include_index_textual_convention_and_notification_objects() {
    let described = |name: &str| details(&BUILT_IN, object(name).unwrap().arcs());
    assert!(described("ifEntry").contains("  INDEX\t\t{ ifIndex }\n"));
    assert!(described("ifXEntry").contains("  AUGMENTS\t{ ifEntry }\n"));
    assert!(described("vacmAccessEntry").contains("vacmAccessContextPrefix, vacmAccessSecurityModel"));
    assert!(
        described("sysDescr")
            .contains("  -- TEXTUAL CONVENTION DisplayString\n  SYNTAX\tOCTET STRING (0..255) \n")
    );
    assert!(described("linkDown").contains("  OBJECTS\t{ ifIndex, ifAdminStatus, ifOperStatus }\n"));
    assert!(described("snmpTargetAddrTimeout").contains("  DEFVAL\t{ 1500 }\n"));
    assert!(described("system").starts_with("system OBJECT-TYPE\n  -- FROM\tSNMPv2-MIB\n::= { iso(1)"));
    assert_eq!(details(&BUILT_IN, &[]), "");
}

#[test]
fn outline_of_table_is_drawn_as_tree_with_access_and_types() {
    assert_eq!(
        outline(&BUILT_IN, object("sysORTable").unwrap()),
        "\
+--sysORTable(9)
   |
   +--sysOREntry(1)
      |  Index: sysORIndex
      |
      +-- ---- Integer32 sysORIndex(1)
      |        Range: 1..2147483647
      +-- -R-- ObjID     sysORID(2)
      +-- -R-- String    sysORDescr(3)
      |        Textual Convention: DisplayString
      |        Size: 0..255
      +-- -R-- TimeTicks sysORUpTime(4)
               Textual Convention: TimeStamp
"
    );
}
