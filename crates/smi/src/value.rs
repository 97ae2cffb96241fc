//! The value of a variable, borrowed from a message or from the module that serves it (RFC 3416 §3,
//! RFC 2578 §7.1).

use crate::{
    Oid, OidBuf,
    ber::{self, BerError, Tag},
};

/// One value or exception. It is cheap to copy, because long content is borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the ASN.1 types'")]
pub enum Value<'a> {
    Integer(i32),
    OctetString(&'a [u8]),
    Null,
    ObjectId(OidRef<'a>),
    IpAddress([u8; 4]),
    Counter32(u32),
    Gauge32(u32),
    TimeTicks(u32),
    Opaque(&'a [u8]),
    Counter64(u64),
    NoSuchObject,
    NoSuchInstance,
    EndOfMibView,
}

impl<'a> Value<'a> {
    /// Returns the tag of this value on the wire.
    pub fn tag(&self) -> Tag {
        match self {
            Self::Integer(_) => Tag::INTEGER,
            Self::OctetString(_) => Tag::OCTET_STRING,
            Self::Null => Tag::NULL,
            Self::ObjectId(_) => Tag::OBJECT_IDENTIFIER,
            Self::IpAddress(_) => Tag::IP_ADDRESS,
            Self::Counter32(_) => Tag::COUNTER32,
            Self::Gauge32(_) => Tag::GAUGE32,
            Self::TimeTicks(_) => Tag::TIME_TICKS,
            Self::Opaque(_) => Tag::OPAQUE,
            Self::Counter64(_) => Tag::COUNTER64,
            Self::NoSuchObject => Tag::NO_SUCH_OBJECT,
            Self::NoSuchInstance => Tag::NO_SUCH_INSTANCE,
            Self::EndOfMibView => Tag::END_OF_MIB_VIEW,
        }
    }

    /// Returns whether this is an exception instead of a value (noSuchObject, noSuchInstance,
    /// endOfMibView).
    pub fn is_exception(&self) -> bool {
        matches!(self, Self::NoSuchObject | Self::NoSuchInstance | Self::EndOfMibView)
    }

    /// Decodes the content octets of a value with this tag.
    ///
    /// # Errors
    /// [`BerError::BadValue`] if the content is invalid for its type, [`BerError::UnexpectedTag`]
    /// if `tag` is not the tag of a value.
    #[inline(always)]
    pub fn from_content(tag: Tag, content: &'a [u8]) -> Result<Self, BerError> {
        if tag == Tag::OBJECT_IDENTIFIER {
            ber::check_oid(content)?;
        }
        Self::from_validated_content(tag, content)
    }

    /// Like [`Value::from_content`], for content that [`Value::from_content`] has already accepted:
    /// object identifiers are not checked again.
    ///
    /// # Errors
    /// See [`Value::from_content`].
    // Inlined, because otherwise a value is stored field by field and then loaded as a whole. The
    // resulting processor stall takes longer than the decoding.
    #[inline(always)]
    pub fn from_validated_content(tag: Tag, content: &'a [u8]) -> Result<Self, BerError> {
        Ok(match tag {
            Tag::INTEGER => Self::Integer(ber::decode_i32(content)?),
            Tag::OCTET_STRING => Self::OctetString(content),
            Tag::NULL => ber::expect_empty(content, Self::Null)?,
            Tag::OBJECT_IDENTIFIER => Self::ObjectId(OidRef::Encoded(content)),
            Tag::IP_ADDRESS => Self::IpAddress(content.try_into().map_err(|_| BerError::BadValue)?),
            Tag::COUNTER32 => Self::Counter32(ber::decode_u32(content)?),
            Tag::GAUGE32 => Self::Gauge32(ber::decode_u32(content)?),
            Tag::TIME_TICKS => Self::TimeTicks(ber::decode_u32(content)?),
            Tag::OPAQUE => Self::Opaque(content),
            Tag::COUNTER64 => Self::Counter64(ber::decode_u64(content)?),
            Tag::NO_SUCH_OBJECT => ber::expect_empty(content, Self::NoSuchObject)?,
            Tag::NO_SUCH_INSTANCE => ber::expect_empty(content, Self::NoSuchInstance)?,
            Tag::END_OF_MIB_VIEW => ber::expect_empty(content, Self::EndOfMibView)?,
            _ => return Err(BerError::UnexpectedTag),
        })
    }

    /// Returns the number of content octets that the value has on the wire.
    pub fn content_len(&self) -> usize {
        match self {
            Self::Integer(value) => ber::i32_len(*value),
            Self::OctetString(octets) | Self::Opaque(octets) => octets.len(),
            Self::ObjectId(oid) => oid.encoded_len(),
            Self::IpAddress(_) => 4,
            Self::Counter32(value) | Self::Gauge32(value) | Self::TimeTicks(value) => {
                ber::u64_len(u64::from(*value))
            }
            Self::Counter64(value) => ber::u64_len(*value),
            Self::Null | Self::NoSuchObject | Self::NoSuchInstance | Self::EndOfMibView => 0,
        }
    }
}

/// An object identifier as a value: as arcs, or as the validated content octets of a message.
#[derive(Clone, Copy, Debug)]
pub enum OidRef<'a> {
    /// Arcs in memory, at most 128.
    Arcs(&'a [u32]),
    /// Content octets that [`ber::check_oid`] has accepted.
    Encoded(&'a [u8]),
}

impl OidRef<'_> {
    /// Copies the arcs into a new identifier.
    pub fn to_buf(&self) -> OidBuf {
        let mut oid = OidBuf::new();
        self.decode_into(&mut oid);
        oid
    }

    /// Copies the arcs into `oid` and replaces its content.
    #[inline]
    pub fn decode_into(&self, oid: &mut OidBuf) {
        // Neither form can contain more than 128 arcs; a longer identifier would be decoded as
        // empty.
        let copied = match self {
            Self::Arcs(arcs) => oid.set(arcs).map_err(|_| BerError::BadValue),
            Self::Encoded(content) => ber::decode_oid(content, oid),
        };
        if copied.is_err() {
            oid.clear();
        }
    }

    /// Returns the number of content octets that the identifier has on the wire.
    pub fn encoded_len(&self) -> usize {
        match self {
            Self::Arcs(arcs) => ber::oid_len(arcs),
            Self::Encoded(content) => content.len(),
        }
    }
}

impl PartialEq for OidRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.to_buf() == other.to_buf()
    }
}

impl Eq for OidRef<'_> {}

/// A value that owns its content, for results that outlive their message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the ASN.1 types'")]
pub enum OwnedValue {
    Integer(i32),
    OctetString(Vec<u8>),
    Null,
    ObjectId(Oid),
    IpAddress([u8; 4]),
    Counter32(u32),
    Gauge32(u32),
    TimeTicks(u32),
    Opaque(Vec<u8>),
    Counter64(u64),
    NoSuchObject,
    NoSuchInstance,
    EndOfMibView,
}

impl OwnedValue {
    /// Returns the value in borrowed form.
    pub fn as_value(&self) -> Value<'_> {
        match self {
            Self::Integer(value) => Value::Integer(*value),
            Self::OctetString(octets) => Value::OctetString(octets),
            Self::Null => Value::Null,
            Self::ObjectId(oid) => Value::ObjectId(OidRef::Arcs(oid)),
            Self::IpAddress(address) => Value::IpAddress(*address),
            Self::Counter32(value) => Value::Counter32(*value),
            Self::Gauge32(value) => Value::Gauge32(*value),
            Self::TimeTicks(value) => Value::TimeTicks(*value),
            Self::Opaque(octets) => Value::Opaque(octets),
            Self::Counter64(value) => Value::Counter64(*value),
            Self::NoSuchObject => Value::NoSuchObject,
            Self::NoSuchInstance => Value::NoSuchInstance,
            Self::EndOfMibView => Value::EndOfMibView,
        }
    }
}

impl From<Value<'_>> for OwnedValue {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Integer(value) => Self::Integer(value),
            Value::OctetString(octets) => Self::OctetString(octets.to_vec()),
            Value::Null => Self::Null,
            Value::ObjectId(oid) => Self::ObjectId(Oid::new(&oid.to_buf()).unwrap_or_default()),
            Value::IpAddress(address) => Self::IpAddress(address),
            Value::Counter32(value) => Self::Counter32(value),
            Value::Gauge32(value) => Self::Gauge32(value),
            Value::TimeTicks(value) => Self::TimeTicks(value),
            Value::Opaque(octets) => Self::Opaque(octets.to_vec()),
            Value::Counter64(value) => Self::Counter64(value),
            Value::NoSuchObject => Self::NoSuchObject,
            Value::NoSuchInstance => Self::NoSuchInstance,
            Value::EndOfMibView => Self::EndOfMibView,
        }
    }
}
