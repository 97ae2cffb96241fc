"""A small agent based on pysnmp, for SNMPv1, SNMPv2c and SNMPv3.

Reads settings as JSON from the first line of stdin, prints `ready`, and exits at the end of stdin.
"""

import json
import os
import sys

from pysnmp.carrier.asyncio.dgram import udp
from pysnmp.entity import config, engine
from pysnmp.entity.rfc3413 import cmdrsp, context
from pysnmp.proto.api import v2c

from pysnmp_client import AUTHS, PRIVS

MODELS = {"v1": 1, "v2c": 2, "v3": 3}
READ = (1, 3, 6, 1, 2, 1)
IF_ENTRY = (1, 3, 6, 1, 2, 1, 2, 2, 1)


def main():
    settings = json.loads(sys.stdin.readline())
    snmp = engine.SnmpEngine()
    config.add_transport(snmp, config.SNMP_UDP_DOMAIN, udp.UdpTransport().open_server_mode(("127.0.0.1", settings["port"])))
    for community, may_write in ((settings["read"], False), (settings["write"], True)):
        config.add_v1_system(snmp, community, community)
        for version in ("v1", "v2c"):
            config.add_vacm_user(snmp, MODELS[version], community, "noAuthNoPriv", READ, READ if may_write else ())
    for user in settings["users"]:
        keys = []
        if user["level"] != "noAuthNoPriv":
            keys += [AUTHS[user["auth"]], user["auth_pass"]]
        if user["level"] == "authPriv":
            keys += [PRIVS[user["priv"]], user["priv_pass"]]
        config.add_v3_user(snmp, user["name"], *keys)
        config.add_vacm_user(snmp, MODELS["v3"], user["name"], user["level"], READ, READ)
    served = context.SnmpContext(snmp)
    fill(served.get_mib_instrum().get_mib_builder())
    for responder in (cmdrsp.GetCommandResponder, cmdrsp.NextCommandResponder, cmdrsp.BulkCommandResponder,
                      cmdrsp.SetCommandResponder):
        responder(snmp, served)
    snmp.transport_dispatcher.loop.add_reader(sys.stdin.fileno(), exit_with_parent)
    snmp.transport_dispatcher.job_started(1)
    print("ready", flush=True)
    snmp.open_dispatcher()


def fill(builder):
    """Adds two interfaces to pysnmp's system group."""
    scalar, instance = builder.import_symbols("SNMPv2-SMI", "MibScalar", "MibScalarInstance")
    symbols = {}
    columns = {1: v2c.Integer32, 2: v2c.OctetString, 3: v2c.Integer32, 10: v2c.Counter32}
    for column, syntax in columns.items():
        name = IF_ENTRY + (column,)
        symbols[f"column{column}"] = scalar(name, syntax())
        for row in (1, 2):
            value = {1: row, 2: f"port {row}".encode(), 3: 6, 10: 1000 * row}[column]
            symbols[f"cell{column}x{row}"] = instance(name, (row,), syntax(value))
    builder.export_symbols("__INTERFACES", **symbols)


def exit_with_parent():
    """Exits when the parent process has exited or closed the pipe."""
    if not os.read(sys.stdin.fileno(), 1024):
        os._exit(0)


if __name__ == "__main__":
    main()
