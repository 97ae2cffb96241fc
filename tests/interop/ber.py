"""A minimal BER codec for SNMPv3 requests and informs with the Transport Security Model.

Used where no third-party program can send such requests.
"""

GET, SET, INFORM = 0xA0, 0xA3, 0xA6
RESPONSE = 0xA2
UP_TIME, TRAP_OID = "1.3.6.1.2.1.1.3.0", "1.3.6.1.6.3.1.1.4.1.0"
# The contextEngineID of a manager that does not know the engine ID of the agent (RFC 5343).
LOCAL_ENGINE = bytes.fromhex("8000000006")


def v1(community, kind, oid, value=b"\x05\x00"):
    """A request of SNMPv1."""
    return tlv(0x30, integer(0) + octets(community.encode()) + request_pdu(kind, oid, value))


def v3_tsm(kind, oid, value=b"\x05\x00"):
    """An authPriv request with the reportableFlag set."""
    return v3_tsm_message(request_pdu(kind, oid, value))


def v3_tsm_inform(trap_oid):
    """An inform without further variables, at sysUpTime 0."""
    bindings = tlv(0x30, object_id(UP_TIME) + tlv(0x43, b"\0")) + tlv(0x30, object_id(TRAP_OID) + object_id(trap_oid))
    return v3_tsm_message(tlv(INFORM, integer(1) + integer(0) + integer(0) + tlv(0x30, bindings)))


def v3_tsm_message(confirmed_pdu):
    scoped = tlv(0x30, octets(LOCAL_ENGINE) + octets(b"") + confirmed_pdu)
    header = tlv(0x30, integer(7) + integer(65507) + octets(b"\x07") + integer(4))
    return tlv(0x30, integer(3) + header + octets(b"") + scoped)


def request_pdu(kind, oid, value):
    binding = tlv(0x30, object_id(oid) + value)
    return tlv(kind, integer(1) + integer(0) + integer(0) + tlv(0x30, binding))


def make_response(request, value_of):
    """Encodes the Response to a GET request of `v3_tsm`, with `value_of(oid)` for each variable."""
    version, header, security, scoped = elements(request)
    identifier, size, flags, model = elements(header)
    header = tlv(0x30, identifier + size + octets(bytes([flags[2] & 3])) + model)
    engine, context, pdu = elements(scoped)
    request_id, *_, bindings = elements(pdu)
    names = [elements(binding)[0] for binding in elements(bindings)]
    bound = b"".join(tlv(0x30, name + value_of(dotted(name))) for name in names)
    response = tlv(RESPONSE, request_id + integer(0) + integer(0) + tlv(0x30, bound))
    return tlv(0x30, version + header + security + tlv(0x30, engine + context + response))


def is_complete(message):
    if len(message) < 2:
        return False
    start, length = content(message)
    return len(message) >= start + length


def messages(stream):
    """The complete messages at the start of a stream."""
    while is_complete(stream):
        start, length = content(stream)
        yield stream[:start + length]
        stream = stream[start + length:]


def is_response(message):
    return bool(message) and pdu(message)[0] == RESPONSE


def security_flags(message):
    return elements(elements(message)[1])[2][2]


def error_status(message):
    return decode_integer(elements(pdu(message))[1])


def only_integer(message):
    """The integer value of the only variable."""
    [binding] = elements(elements(pdu(message))[3])
    return decode_integer(elements(binding)[1])


def pdu(message):
    return elements(elements(message)[3])[2]


def elements(message):
    """The elements of a constructed value, each with its header."""
    start, length = content(message)
    rest, found = message[start:start + length], []
    while rest:
        offset, size = content(rest)
        found.append(rest[:offset + size])
        rest = rest[offset + size:]
    return found


def content(message):
    """The offset and the length of the content."""
    first = message[1]
    if first < 0x80:
        return 2, first
    count = first & 0x7F
    return 2 + count, int.from_bytes(message[2:2 + count], "big")


def decode_integer(element):
    start, length = content(element)
    return int.from_bytes(element[start:start + length], "big")


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


def dotted(element):
    """Decodes an object identifier to dotted notation."""
    start, length = content(element)
    first, *rest = element[start:start + length]
    arcs, arc = [first // 40, first % 40], 0
    for digit in rest:
        arc = arc << 7 | digit & 0x7F
        if digit < 0x80:
            arcs.append(arc)
            arc = 0
    return ".".join(map(str, arcs))
