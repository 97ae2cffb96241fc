"""Sends or receives notifications with pysnmp, over UDP.

Reads settings as JSON from the first line of standard input, prints `ready`, and exits at the end
of standard input.

As a sender, it sends a notification for each further line, with the fields KIND, VERSION,
PRINCIPAL, LEVEL and TRANSPORT, and answers `sent`, or the reason why not. As a receiver, it prints
a line for each notification that it accepts, with the first four of these fields, the snmpTrapOID
and the variables. The fields are separated by tabs.
"""

import asyncio
import json
import os
import sys

from pysnmp.carrier.asyncio.dgram import udp
from pysnmp.entity import config, engine
from pysnmp.entity.rfc3413 import ntfrcv
from pysnmp.hlapi.v3arch import asyncio as snmp
from pysnmp.proto.api import v2c

from pysnmp_client import AUTHS, PRIVS

UP_TIME, TRAP_OID = "1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"
# The variables that a translation from SNMPv1 adds.
ADDED = ("1.3.6.1.6.3.18.1.3.0", "1.3.6.1.6.3.18.1.4.0", "1.3.6.1.6.3.1.1.4.3.0")
TYPES = {"i": v2c.Integer32, "s": v2c.OctetString, "o": v2c.ObjectIdentifier, "a": v2c.IpAddress, "u": v2c.Unsigned32,
         "t": v2c.TimeTicks, "C": v2c.Counter64}
LETTERS = {**{syntax.__name__: letter for letter, syntax in TYPES.items()}, "Integer": "i"}
VERSIONS = ("v1", "v2c", None, "v3")
LEVELS = (None, "noAuthNoPriv", "authNoPriv", "authPriv")


def main():
    settings = json.loads(sys.stdin.readline())
    if "port" in settings:
        receive(settings)
    else:
        asyncio.run(send_all(settings))


# --- the receiver


def receive(settings):
    receiver = engine.SnmpEngine()
    config.add_transport(receiver, config.SNMP_UDP_DOMAIN, udp.UdpTransport().open_server_mode(("127.0.0.1", settings["port"])))
    config.add_v1_system(receiver, settings["community"], settings["community"])
    for user in settings["users"]:
        config.add_v3_user(receiver, user["name"], *keys(user))
        # Traps are authenticated with keys for the engines of their senders.
        for engine_id in settings["senders"]:
            config.add_v3_user(receiver, user["name"], *keys(user), securityEngineId=v2c.OctetString(hexValue=engine_id))
    message = {}

    def remember(_engine, _point, variables, _context):
        message.update(variables)

    receiver.observer.register_observer(remember, "rfc3412.receiveMessage:request")
    ntfrcv.NotificationReceiver(receiver, lambda *arguments: print_notification(message, arguments[4]))
    receiver.transport_dispatcher.loop.add_reader(sys.stdin.fileno(), exit_with_parent)
    receiver.transport_dispatcher.job_started(1)
    print("ready", flush=True)
    receiver.open_dispatcher()


def print_notification(message, variables):
    kind = "inform" if message["pdu"].tagSet == v2c.InformRequestPDU.tagSet else "trap"
    principal = str(message["securityName"])
    fields = [kind, VERSIONS[int(message["messageProcessingModel"])], principal, LEVELS[int(message["securityLevel"])]]
    (_, up_time), (_, trap_oid), *others = variables
    fields += [str(trap_oid), f"{UP_TIME}=t:{int(up_time)}"]
    fields += [f"{name}={text(value)}" for name, value in others if str(name) not in ADDED]
    print("\t".join(fields), flush=True)


def text(value):
    letter = LETTERS.get(type(value).__name__, type(value).__name__)
    if letter == "s":
        return f"s:{bytes(value).decode()}"
    return f"{letter}:{value.prettyPrint()}"


def exit_with_parent():
    """Exits when the parent process has exited or closed the pipe."""
    if not os.read(sys.stdin.fileno(), 1024):
        os._exit(0)


# --- the sender


async def send_all(settings):
    print("ready", flush=True)
    sender = snmp.SnmpEngine(v2c.OctetString(hexValue=settings["sender"]))
    # In a thread, because pysnmp sends while the event loop runs.
    while line := await asyncio.to_thread(sys.stdin.readline):
        try:
            await asyncio.wait_for(send(sender, settings, *line.rstrip("\n").split("\t")), 30)
            print("sent", flush=True)
        except Exception as reason:
            print(f"{type(reason).__name__} {reason}".replace("\n", " "), flush=True)


async def send(sender, settings, kind, version, principal, _level, _transport):
    if version == "v3":
        user = next(user for user in settings["users"] if user["name"] == principal)
        credentials = snmp.UsmUserData(principal, **dict(zip(("authProtocol", "authKey", "privProtocol", "privKey"), keys(user))))
    else:
        credentials = snmp.CommunityData(principal, mpModel=int(version == "v2c"))
    host, _, port = settings["udp"].rpartition(":")
    target = await snmp.UdpTransportTarget.create((host, int(port)), timeout=20, retries=0)
    variables = [(UP_TIME, "t", "4200"), (TRAP_OID, "o", settings["trap-oid"]), *settings["variables"]]
    bound = [snmp.ObjectType(snmp.ObjectIdentity(name), typed(letter, value)) for name, letter, value in variables
             if version != "v1" or letter != "C"]
    error, status, index, _ = await snmp.send_notification(sender, credentials, target, snmp.ContextData(), kind, *bound,
                                                           lookupMib=False)
    assert error is None, str(error)
    assert not status, f"{status.prettyPrint()} at {index}"


def typed(letter, value):
    return TYPES[letter](int(value) if letter in "iutC" else value)


def keys(user):
    """The authentication protocol and pass phrase, and those of privacy, as far as the user has them."""
    auth = [AUTHS[user["auth"]], user["auth_pass"]] if user["auth"] else []
    return auth + ([PRIVS[user["priv"]], user["priv_pass"]] if user["priv"] else [])


if __name__ == "__main__":
    main()
