"""An AsyncSSH server whose subsystem snmp returns made-up values. Runs in its venv until killed."""

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
    # AsyncSSH also loads the host certificate that is stored next to the key.
    server = await asyncssh.listen("127.0.0.1", 0, server_host_keys=[str(directory / "host")],
                                   authorized_client_keys=str(directory / "clients"), process_factory=serve, encoding=None,
                                   rekey_bytes=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.wait_closed()


async def serve(process):
    user = process.get_extra_info("username")
    if process.subsystem != "snmp" or user != "ops":
        return process.exit(1)
    buffer = b""
    while octets := await process.stdin.read(4096):
        buffer += octets
        while ber.is_complete(buffer):
            start, length = ber.content(buffer)
            message, buffer = buffer[:start + length], buffer[start + length:]
            process.stdout.write(ber.make_response(message, openssl_peer.value_of))
    process.exit(0)


asyncio.run(main())
