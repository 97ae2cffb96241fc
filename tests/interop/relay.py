"""A UDP relay on loopback that writes all messages to a pcap file, so that capturing needs no root.

The packet headers in the file are made up (Ethernet, IPv4, UDP with port 161 on the agent's side).
The payloads are the real ones.
"""

import contextlib
import select
import socket
import struct
import threading

CLIENT = bytes([192, 0, 2, 1])
AGENT = bytes([192, 0, 2, 161])
CLIENT_PORT = 40000
LINKTYPE_ETHERNET = 1


class Relay:
    """Listens on its own port (`address`) and forwards to `target` and back. A context manager."""

    def __init__(self, target, pcap):
        self.front = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.front.bind(("127.0.0.1", 0))
        self.target = target
        self.pcap = pcap
        self.address = "127.0.0.1:%d" % self.front.getsockname()[1]
        self.running = True
        self.thread = threading.Thread(target=self.run, daemon=True)

    def __enter__(self):
        self.file = self.pcap.open("wb")
        self.file.write(file_header())
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.running = False
        self.thread.join()
        self.front.close()
        self.file.close()

    def run(self):
        """Forwards in both directions. A late response still reaches the client, which may have sent its request again."""
        client = None
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as back:
            back.connect(self.target)
            while self.running:
                readable, _, _ = select.select([self.front, back], [], [], 0.1)
                if self.front in readable:
                    request, client = self.front.recvfrom(65535)
                    self.file.write(packet(request, CLIENT, CLIENT_PORT, AGENT, 161))
                    with contextlib.suppress(ConnectionRefusedError):
                        back.send(request)
                if back in readable:
                    with contextlib.suppress(ConnectionRefusedError):
                        response = back.recv(65535)
                        self.file.write(packet(response, AGENT, 161, CLIENT, CLIENT_PORT))
                        self.front.sendto(response, client)


def file_header():
    return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, LINKTYPE_ETHERNET)


def packet(payload, source, source_port, target, target_port):
    """One pcap record. Its UDP checksum is zero (unused), which IPv4 allows."""
    udp = struct.pack(">HHHH", source_port, target_port, 8 + len(payload), 0) + payload
    ip = bytearray(struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0, source, target))
    ip[10:12] = struct.pack(">H", internet_checksum(ip))
    frame = bytes(12) + b"\x08\x00" + bytes(ip) + udp
    return struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame


def internet_checksum(header):
    total = sum(struct.unpack(">%dH" % (len(header) // 2), bytes(header)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF
