"""Reads and writes with pysnmp.

Reads settings as JSON from stdin. Prints a line `ok TITLE` or `FAIL TITLE: REASON` for each check.
"""

import asyncio
import contextlib
import json
import sys

from pysnmp.hlapi.v3arch import asyncio as snmp

from reporting import report

SYS_DESCR = "1.3.6.1.2.1.1.1.0"
SYS_UP_TIME = "1.3.6.1.2.1.1.3.0"
SYS_CONTACT = "1.3.6.1.2.1.1.4.0"
IF_DESCR = "1.3.6.1.2.1.2.2.1.2"

AUTHS = {"MD5": snmp.USM_AUTH_HMAC96_MD5, "SHA": snmp.USM_AUTH_HMAC96_SHA, "SHA-224": snmp.USM_AUTH_HMAC128_SHA224,
         "SHA-256": snmp.USM_AUTH_HMAC192_SHA256, "SHA-384": snmp.USM_AUTH_HMAC256_SHA384,
         "SHA-512": snmp.USM_AUTH_HMAC384_SHA512}
PRIVS = {"DES": snmp.USM_PRIV_CBC56_DES, "3DES": snmp.USM_PRIV_CBC168_3DES, "AES": snmp.USM_PRIV_CFB128_AES,
         "AES-192": snmp.USM_PRIV_CFB192_AES_BLUMENTHAL, "AES-256": snmp.USM_PRIV_CFB256_AES_BLUMENTHAL,
         "AES-192-C": snmp.USM_PRIV_CFB192_AES, "AES-256-C": snmp.USM_PRIV_CFB256_AES}


class Client:
    """A client with its own engine, as if it were a separate program."""

    def __init__(self, address, auth, timeout=20):
        self.engine = snmp.SnmpEngine()
        self.address = address
        self.auth = auth
        self.timeout = timeout

    async def call(self, operation, *arguments):
        host, _, port = self.address.rpartition(":")
        target = await snmp.UdpTransportTarget.create((host, int(port)), timeout=self.timeout, retries=0)
        error, status, index, varbinds = await operation(
            self.engine, self.auth, target, snmp.ContextData(), *arguments, lookupMib=False)
        assert error is None, str(error)
        assert not status, f"{status.prettyPrint()} at {index}"
        return varbinds

    async def get(self, *names):
        return await self.call(snmp.get_cmd, *map(variable, names))

    async def set(self, name, value):
        return await self.call(snmp.set_cmd, variable(name, snmp.OctetString(value)))

    async def bulk(self, name, repetitions):
        return await self.call(snmp.bulk_cmd, 0, repetitions, variable(name))

    def close(self):
        self.engine.close_dispatcher()


def variable(name, *value):
    return snmp.ObjectType(snmp.ObjectIdentity(name), *value)


async def main():
    settings = json.load(sys.stdin)
    address = settings["udp"]
    for version, model in (("v1", 0), ("v2c", 1)):
        await check(f"{version} GET reads two objects", read, Client(address, snmp.CommunityData(settings["read"], mpModel=model)))
        await check(f"{version} SET changes sysContact", write, Client(address, snmp.CommunityData(settings["write"], mpModel=model)), version)
    await check("v2c GETBULK reads five variables", bulk, Client(address, snmp.CommunityData(settings["read"], mpModel=1)))
    for user in settings["users"]:
        title = " ".join(filter(None, ["v3 GET reads two objects at", user["level"], user["auth"], user["priv"]]))
        if user["auth"] and user["auth"] not in AUTHS or user["priv"] and user["priv"] not in PRIVS:
            print(f"skip {title}: pysnmp does not support the algorithm")
        else:
            await check(title, read, Client(address, credentials(user)))
    await check("v3 SET changes sysContact", write, Client(address, credentials(settings["writer"])), "v3")
    wrong = {**settings["writer"], "auth_pass": "not the password"}
    await check("v3 a wrong password is reported", get_fails, Client(address, credentials(wrong), timeout=2), "digest")


def credentials(user):
    data = {}
    if user["level"] != "noAuthNoPriv":
        data.update(authKey=user["auth_pass"], authProtocol=AUTHS[user["auth"]])
    if user["level"] == "authPriv":
        data.update(privKey=user["priv_pass"], privProtocol=PRIVS[user["priv"]])
    return snmp.UsmUserData(user["name"], **data)


async def check(title, action, client, *arguments):
    with report(title), contextlib.closing(client):
        await asyncio.wait_for(action(client, *arguments), timeout=60)


async def read(client):
    varbinds = await client.get(SYS_UP_TIME, SYS_DESCR)
    assert [str(name) for name, _ in varbinds] == [SYS_UP_TIME, SYS_DESCR], varbinds
    assert isinstance(varbinds[0][1], snmp.TimeTicks) and int(varbinds[0][1]) > 0, varbinds
    assert len(varbinds[1][1]) > 0, varbinds


async def write(client, version):
    value = f"pysnmp {version}"
    await client.set(SYS_CONTACT, value)
    varbinds = await client.get(SYS_CONTACT)
    assert str(varbinds[0][1]) == value, varbinds


async def bulk(client):
    varbinds = await client.bulk(IF_DESCR, 5)
    assert len(varbinds) == 5 and str(varbinds[0][0]).startswith(IF_DESCR), varbinds


async def get_fails(client, word):
    try:
        await client.get(SYS_UP_TIME)
    except AssertionError as error:
        assert word in str(error).lower(), error
    else:
        raise AssertionError("a wrong password was accepted")


if __name__ == "__main__":
    asyncio.run(main())
