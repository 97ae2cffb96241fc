"""A server of AsyncSSH's with the subsystem snmp, whose answers are made up; ends when it is killed.  Run in its venv."""

import asyncio
import pathlib
import sys

import asyncssh

import ber
import openssl_peer


async def main():
    directory = pathlib.Path(sys.argv[1])
    (directory / "clients").write_text((directory / "listed.pub").read_text() + "cert-authority "
                                       + (directory / "user_ca.pub").read_text())
    # With the certificate that lies beside it.
    server = await asyncssh.listen("127.0.0.1", 0, server_host_keys=[str(directory / "host")],
                                   authorized_client_keys=str(directory / "clients"), process_factory=serve, encoding=None,
                                   rekey_bytes=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.wait_closed()


async def serve(process):
    user = process.get_extra_info("username")
    if process.subsystem != "snmp" or user != "ops":
        return process.exit(1)
    waiting = b""
    while octets := await process.stdin.read(4096):
        waiting += octets
        while ber.is_whole(waiting):
            start, length = ber.content(waiting)
            message, waiting = waiting[:start + length], waiting[start + length:]
            process.stdout.write(ber.answer(message, openssl_peer.value_of))
    process.exit(0)


asyncio.run(main())
