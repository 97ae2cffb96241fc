// A small agent based on node's net-snmp. Reads settings as JSON from the first line of stdin,
// prints `ready`, and exits at the end of stdin.
"use strict";

const path = require("path");
const snmp = require(path.join(process.argv[2], "net-snmp"));

const AUTHS = { SHA: snmp.AuthProtocols.sha, "SHA-256": snmp.AuthProtocols.sha256 };
const PRIVS = { AES: snmp.PrivProtocols.aes };
const SYSTEM = "1.3.6.1.2.1.1";

process.stdin.setEncoding("utf8");
process.stdin.once("data", (line) => start(JSON.parse(line)));
process.stdin.on("end", () => process.exit(0));

function start(settings) {
  const agent = snmp.createAgent({
    port: settings.port, address: "127.0.0.1", accessControlModelType: snmp.AccessControlModelType.Simple,
  }, () => {});
  const authorizer = agent.getAuthorizer();
  const access = authorizer.getAccessControlModel();
  for (const [community, level] of [[settings.read, "ReadOnly"], [settings.write, "ReadWrite"]]) {
    authorizer.addCommunity(community);
    access.setCommunityAccess(community, snmp.AccessLevel[level]);
  }
  for (const user of settings.users) {
    authorizer.addUser({
      name: user.name, level: snmp.SecurityLevel[user.level],
      authProtocol: AUTHS[user.auth], authKey: user.auth_pass, privProtocol: PRIVS[user.priv], privKey: user.priv_pass,
    });
    access.setUserAccess(user.name, snmp.AccessLevel.ReadWrite);
  }
  fill(agent);
  // The library binds the socket now or in the next turn of the event loop, so `ready` is printed later.
  setTimeout(() => console.log("ready"), 100);
}

function fill(agent) {
  const { Integer, OctetString, OID, TimeTicks, Counter } = snmp.ObjectType;
  const scalars = [
    ["sysDescr", 1, OctetString, "node's net-snmp", "read-only"], ["sysObjectID", 2, OID, "1.3.6.1.4.1.8072.3.2.10", "read-only"],
    ["sysUpTime", 3, TimeTicks, 4711, "read-only"], ["sysContact", 4, OctetString, "admin", "read-write"],
    ["sysName", 5, OctetString, "peer", "read-write"], ["sysLocation", 6, OctetString, "lab", "read-write"],
  ];
  for (const [name, arc, type, value, mode] of scalars) {
    agent.registerProvider({
      name, type: snmp.MibProviderType.Scalar, oid: `${SYSTEM}.${arc}`, scalarType: type,
      maxAccess: snmp.MaxAccess[mode],
    });
    agent.getMib().setScalarValue(name, value);
  }
  const column = (number, name, type) => ({ number, name, type, maxAccess: snmp.MaxAccess["read-only"] });
  agent.registerProvider({
    name: "ifTable", type: snmp.MibProviderType.Table, oid: "1.3.6.1.2.1.2.2.1", maxAccess: snmp.MaxAccess["not-accessible"],
    tableColumns: [column(1, "ifIndex", Integer), column(2, "ifDescr", OctetString), column(3, "ifType", Integer),
      column(10, "ifInOctets", Counter)],
    tableIndex: [{ columnName: "ifIndex" }],
  });
  for (const row of [1, 2]) {
    agent.getMib().addTableRow("ifTable", [row, `port ${row}`, 6, 1000 * row]);
  }
}
