"""As much BER as it takes to ask by SNMPv3 and the Transport Security Model, where no foreign program can."""

GET, SET = 0xA0, 0xA3
RESPONSE = 0xA2
# contextEngineID for who does not know the engine's (RFC 5343).
LOCAL_ENGINE = bytes.fromhex("8000000006")


def v3_tsm(kind, oid, value=b"\x05\x00"):
    """A request at authPriv that wants a Report if it fails."""
    binding = tlv(0x30, object_id(oid) + value)
    pdu = tlv(kind, integer(1) + integer(0) + integer(0) + tlv(0x30, binding))
    scoped = tlv(0x30, octets(LOCAL_ENGINE) + octets(b"") + pdu)
    header = tlv(0x30, integer(7) + integer(65507) + octets(b"\x07") + integer(4))
    return tlv(0x30, integer(3) + header + octets(b"") + scoped)


def answer(request, value_of):
    """The Response to a GET by SNMPv3 and the Transport Security Model, with `value_of(oid)` for each variable."""
    version, header, security, scoped = elements(request)
    identifier, size, flags, model = elements(header)
    header = tlv(0x30, identifier + size + octets(bytes([flags[2] & 3])) + model)
    engine, context, pdu = elements(scoped)
    request_id, *_, bindings = elements(pdu)
    names = [elements(binding)[0] for binding in elements(bindings)]
    bound = b"".join(tlv(0x30, name + value_of(dotted(name))) for name in names)
    response = tlv(RESPONSE, request_id + integer(0) + integer(0) + tlv(0x30, bound))
    return tlv(0x30, version + header + security + tlv(0x30, engine + context + response))


def is_whole(message):
    if len(message) < 2:
        return False
    start, length = content(message)
    return len(message) >= start + length


def is_response(message):
    return bool(message) and pdu(message)[0] == RESPONSE


def security_flags(message):
    return elements(elements(message)[1])[2][2]


def error_status(message):
    return number(elements(pdu(message))[1])


def last_number(message):
    """The value of the one variable."""
    [binding] = elements(elements(pdu(message))[3])
    return number(elements(binding)[1])


def pdu(message):
    return elements(elements(message)[3])[2]


def elements(message):
    """The parts of a constructed value, each with its header."""
    start, length = content(message)
    rest, parts = message[start:start + length], []
    while rest:
        at, size = content(rest)
        parts.append(rest[:at + size])
        rest = rest[at + size:]
    return parts


def content(message):
    """Where the content begins, and how long it is."""
    first = message[1]
    if first < 0x80:
        return 2, first
    count = first & 0x7F
    return 2 + count, int.from_bytes(message[2:2 + count], "big")


def number(part):
    start, length = content(part)
    return int.from_bytes(part[start:start + length], "big")


def tlv(tag, value):
    size = len(value)
    length = bytes([size]) if size < 0x80 else bytes([0x82]) + size.to_bytes(2, "big")
    return bytes([tag]) + length + value


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def octets(value):
    return tlv(4, value)


def object_id(dotted):
    arcs = [int(arc) for arc in dotted.split(".")]
    encoded = bytes([arcs[0] * 40 + arcs[1]])
    for arc in arcs[2:]:
        digits = [arc & 0x7F]
        while arc := arc >> 7:
            digits.append(arc & 0x7F | 0x80)
        encoded += bytes(reversed(digits))
    return tlv(6, encoded)


def dotted(part):
    """An object identifier in digits and dots."""
    start, length = content(part)
    first, *rest = part[start:start + length]
    arcs, arc = [first // 40, first % 40], 0
    for digit in rest:
        arc = arc << 7 | digit & 0x7F
        if digit < 0x80:
            arcs.append(arc)
            arc = 0
    return ".".join(map(str, arcs))
