//! Parses names of objects and instances in the format of Net-SNMP's commands.
//!
//! Examples: `sysDescr.0`, `IF-MIB::ifDescr.3`, `system.1.0`, `.iso.org.dod.internet`, `1.3.6.1`,
//! `vacmGroupName.3."ops"`, `vacmGroupName[3]["ops"]`, `vacmGroupName[3][STRING: ops]`. A string in
//! double quotes is encoded with its length, a string in single quotes without. After an
//! InetAddressType, an address may be typed as text: `ipAddressIfIndex.ipv4."192.0.2.1"`,
//! `ipAddressIfIndex.ipv6."2001:db8::1"`.

use std::{borrow::Cow, fmt};

use portreeve_smi::{OidBuf, OwnedValue};

use super::{Names, object_in};
use crate::{
    Base, InetAddress, Object,
    index::IndexForm,
    inet_address::AddressType,
    modules,
    object::{Kind, RowIndex},
};

impl Names {
    /// Parses a name.
    ///
    /// # Errors
    /// Returns an error if the text is not a known name or its index is malformed.
    pub fn parse(&self, text: &str) -> Result<OidBuf, NameError> {
        read(self, text)
    }

    /// Suggests a correction of an unknown name: a name that differs only in letter case, or by one
    /// letter that is missing, superfluous, different or swapped with its neighbor. The scope and
    /// the index are preserved.
    pub fn similar(&self, text: &str) -> Option<String> {
        let (scope, path) = split_scope(text);
        let typed = path.split('.').next().filter(|typed| typed.len() >= MIN_TYPO_LEN)?;
        let modules = self.modules.iter().filter(|module| scope.is_none_or(|scope| module.name == scope));
        let known = modules.flat_map(|module| module.objects.iter().map(|object| object.name));
        // The closest name is suggested. If several names are equally close, it is the first of
        // these in alphabetical order.
        let near = known.filter_map(|name| Some((edit_distance(typed, name)?, name))).min()?.1;
        let scope = scope.map_or(String::new(), |scope| format!("{scope}::"));
        Some(format!("{scope}{near}{}", path.get(typed.len()..).unwrap_or_default()))
    }

    /// Returns the definition with this name in the modules with this name.
    fn object_within(&self, scope: &str, name: &str) -> Option<&'static Object> {
        let mut modules = self.modules.iter().filter(|module| module.name == scope);
        modules.find_map(|module| object_in(module, name))
    }

    /// Returns a child of a node. The parent of the child may be another module's definition of the
    /// node.
    fn child(&self, node: &Object, is: impl Fn(&Object) -> bool) -> Option<&'static Object> {
        self.modules
            .iter()
            .flat_map(|module| module.objects.iter().copied())
            .find(|object| is(object) && object.parent.is_some_and(|parent| parent.arcs() == node.arcs()))
    }
}

fn read(names: &Names, text: &str) -> Result<OidBuf, NameError> {
    let (scope, path) = split_scope(text);
    if let Some(scope) = scope {
        names.module(scope).ok_or_else(|| NameError::UnknownModule(scope.into()))?;
    }
    let absolute =
        scope.is_none() && (path.starts_with('.') || path.starts_with(|c: char| c.is_ascii_digit()));
    let mut components = Components { rest: path.strip_prefix('.').filter(|_| absolute).unwrap_or(path) };
    let unknown = || NameError::Unknown(text.into());
    let first = components.next().ok_or_else(unknown)?.map_err(|()| unknown())?;
    let mut name = match (first, scope) {
        (Component::Plain(word), Some(scope)) => {
            PartialName::at(names.object_within(scope, word).ok_or_else(unknown)?)
        }
        (Component::Plain(word), None) if absolute => PartialName::root(word).ok_or_else(unknown)?,
        (Component::Plain(word), None) => PartialName::at(names.object(word).ok_or_else(unknown)?),
        (Component::Bracketed(_) | Component::Quoted { .. }, _) => return Err(unknown()),
    };
    for component in components {
        let component = component.map_err(|()| unknown())?;
        let (index_object, is_leaf) = (name.index_object(), name.is_leaf());
        name.push(names, &component)
            .ok_or_else(|| component_error(text, &component, index_object, is_leaf))?;
    }
    Ok(name.oid)
}

/// Splits a name into its module, if any, and the path. The text of an index may contain `::`, for
/// example in an IPv6 address.
fn split_scope(text: &str) -> (Option<&str>, &str) {
    match text.split_once("::") {
        Some((scope, path)) if !scope.contains(['"', '\'', '[']) => (Some(scope), path),
        _ => (None, text),
    }
}

/// Returns 0 if two words differ only in letter case, 1 if they differ by one typo, and otherwise
/// `None`.
fn edit_distance(typed: &str, name: &str) -> Option<u8> {
    if typed.eq_ignore_ascii_case(name) {
        return Some(0);
    }
    if typed.len().abs_diff(name.len()) > 1 {
        return None;
    }
    let same = |(a, b): &(u8, u8)| a.eq_ignore_ascii_case(b);
    let before = typed.bytes().zip(name.bytes()).take_while(same).count();
    let (typed, name) = (typed.as_bytes().get(before..)?, name.as_bytes().get(before..)?);
    let rest = |word: &'_ [u8], from: usize| word.get(from..).map(<[u8]>::to_ascii_lowercase);
    let one = rest(typed, 1) == rest(name, 1)
        || rest(typed, 1) == rest(name, 0)
        || rest(typed, 0) == rest(name, 1)
        || (rest(typed, 2).is_some()
            && rest(typed, 2) == rest(name, 2)
            && rest(typed.get(..1)?, 0) == rest(name.get(1..2)?, 0)
            && rest(typed.get(1..2)?, 0) == rest(name.get(..1)?, 0));
    one.then_some(1)
}

/// The minimum length of a word that is corrected.
const MIN_TYPO_LEN: usize = 4;

/// Returns the reason why a component is not valid at its position in the name.
fn component_error(
    text: &str,
    component: &Component<'_>,
    index: Option<&Object>,
    is_leaf: bool,
) -> NameError {
    match (component, index) {
        (Component::Quoted { counted: true, .. }, Some(object))
            if object.syntax().is_some_and(|syntax| syntax.base == Base::OctetString) =>
        {
            NameError::CountedQuote
        }
        (Component::Plain(word) | Component::Bracketed(word), Some(object)) => {
            NameError::OutOfRange { word: (*word).into(), object: object.name }
        }
        (Component::Quoted { text, .. }, Some(object)) => {
            NameError::OutOfRange { word: text.clone().into_owned(), object: object.name }
        }
        (Component::Plain(word), None) if is_leaf && !word.is_empty() => NameError::NoNumber((*word).into()),
        _ => NameError::Unknown(text.into()),
    }
}

/// The reason a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    /// No object has this name, or its index is malformed. Contains the complete name.
    Unknown(String),
    /// No module has this name.
    UnknownModule(String),
    /// A component below a scalar is not a number.
    NoNumber(String),
    /// A component is not a value of the index.
    OutOfRange {
        /// The component of the name as typed.
        word: String,
        /// The index object to which the value belongs.
        object: &'static str,
    },
    /// A string is in double quotes, but this index encodes it without its length.
    CountedQuote,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) if split_scope(name).0.is_some() => f.write_str("Unknown Object Identifier"),
            Self::Unknown(name) => {
                let first = name.split('.').find(|word| !word.is_empty()).unwrap_or(name);
                write!(f, "Unknown Object Identifier (Sub-id not found: (top) -> {first})")
            }
            Self::NoNumber(word) => write!(f, "Unknown Object Identifier ({word})"),
            Self::OutOfRange { word, object } => {
                write!(f, "Unknown Object Identifier (Index out of range: {word} ({object}))")
            }
            Self::CountedQuote => {
                f.write_str("Unknown Object Identifier (\"-quote is for variable length strings)")
            }
            Self::UnknownModule(module) => write!(f, "Cannot find module ({module})"),
        }
    }
}

impl std::error::Error for NameError {}

/// The part of a name that has been parsed.
struct PartialName {
    oid: OidBuf,
    /// The definition of `oid`, if there is one.
    node: Option<&'static Object>,
    index: Option<RowIndex>,
    /// `position` is the position of the next value of the index. `outstanding` is the number of
    /// arcs that are still missing from the current value.
    position: usize,
    outstanding: usize,
    /// The type of the address that may follow.
    address_type: Option<AddressType>,
}

impl PartialName {
    fn at(node: &'static Object) -> Self {
        let index = if matches!(node.kind, Kind::Column(_)) { node.index() } else { None };
        Self { oid: node.oid(), node: Some(node), index, position: 0, outstanding: 0, address_type: None }
    }

    fn root(word: &str) -> Option<Self> {
        let mut roots = modules::snmpv2_smi::MODULE.objects.iter().filter(|object| object.parent.is_none());
        match word.parse() {
            Ok(arc) => {
                let node = roots.find(|root| root.arc == arc).copied();
                let oid = OidBuf::from_arcs(&[arc]).ok()?;
                Some(Self { oid, node, index: None, position: 0, outstanding: 0, address_type: None })
            }
            Err(_) => roots.find(|root| root.name == word).copied().map(Self::at),
        }
    }

    /// Returns the index object to which the next value belongs.
    fn index_object(&self) -> Option<&'static Object> {
        self.index.filter(|_| self.outstanding == 0)?.objects.get(self.position).copied()
    }

    /// Returns true if only numbers can follow.
    fn is_leaf(&self) -> bool {
        self.node.is_none_or(|node| node.syntax().is_some())
    }

    fn push(&mut self, names: &Names, component: &Component<'_>) -> Option<()> {
        match component {
            Component::Plain(word) => match word.parse() {
                Ok(arc) => self.push_arc(names, arc),
                Err(_) => self.push_word(names, word),
            },
            Component::Bracketed(word) if word.parse::<u32>().is_ok() || self.is_label(word) => {
                self.push(names, &Component::Plain(word))
            }
            Component::Quoted { text, counted } => self.push_text(text, *counted),
            Component::Bracketed(text) => self.push_value(names, text),
        }
    }

    fn push_arc(&mut self, names: &Names, arc: u32) -> Option<()> {
        if self.index.is_some() {
            self.count_arc(arc);
        } else if let Some(child) = self.node.and_then(|node| names.child(node, |child| child.arc == arc)) {
            *self = Self::at(child);
            return Some(());
        }
        self.node = None;
        self.oid.push(arc).ok()
    }

    /// Counts one arc of the index, so that the position of the next value is known.
    fn count_arc(&mut self, arc: u32) {
        if self.outstanding > 0 {
            self.outstanding -= 1;
            return;
        }
        let form = self.index.and_then(|index| IndexForm::of(index, self.position));
        self.address_type = self.index_object().and_then(|object| AddressType::of(object, arc));
        self.position += 1;
        self.outstanding = match form {
            Some(IndexForm::Number) | None => 0,
            Some(IndexForm::Fixed(length)) => length.saturating_sub(1),
            Some(IndexForm::Counted) => usize::try_from(arc).unwrap_or(usize::MAX),
            Some(IndexForm::Implied) => usize::MAX,
        };
    }

    /// Returns true if a word is a label of the next value of the index.
    fn is_label(&self, word: &str) -> bool {
        self.index_object().and_then(Object::syntax).is_some_and(|syntax| syntax.number(word).is_some())
    }

    /// Appends a child's name, or a label of an enumeration in the index.
    fn push_word(&mut self, names: &Names, word: &str) -> Option<()> {
        if let Some(index) = self.index {
            let label = index.objects.get(self.position)?.syntax()?.number(word)?;
            return self.push_arc(names, u32::try_from(label).ok()?);
        }
        *self = Self::at(names.child(self.node?, |child| child.name == word)?);
        Some(())
    }

    fn push_text(&mut self, text: &str, counted: bool) -> Option<()> {
        let form = self.index_form()?;
        if counted && form != IndexForm::Counted {
            return None;
        }
        let address = self.inet_address(text).filter(|_| counted);
        let octets = address.map_or_else(|| text.as_bytes().to_vec(), InetAddress::octets);
        let arcs: Vec<u32> = octets.into_iter().map(u32::from).collect();
        // A string in single quotes is encoded without its length.
        let form = if form == IndexForm::Counted && !counted { IndexForm::Implied } else { form };
        self.push_arcs(form, &arcs)
    }

    /// Appends a value that `-OX` prints without quotes: an identifier, an address, or a string in
    /// the format of its DISPLAY-HINT.
    fn push_value(&mut self, names: &Names, text: &str) -> Option<()> {
        let form = self.index_form()?;
        let object = self.index_object()?;
        let text = text.strip_prefix("STRING: ").unwrap_or(text);
        let arcs = match names.parse_value_unchecked(Some(object), '=', text).ok()? {
            OwnedValue::ObjectId(oid) => oid.arcs().to_vec(),
            OwnedValue::OctetString(octets) => octets.into_iter().map(u32::from).collect(),
            OwnedValue::IpAddress(octets) => octets.map(u32::from).to_vec(),
            _ => return None,
        };
        self.push_arcs(form, &arcs)
    }

    fn index_form(&self) -> Option<IndexForm> {
        IndexForm::of(self.index.filter(|_| self.outstanding == 0)?, self.position)
    }

    /// Appends a value of the index, preceded by its length if `form` requires it.
    fn push_arcs(&mut self, form: IndexForm, arcs: &[u32]) -> Option<()> {
        match form {
            IndexForm::Number => return None,
            IndexForm::Fixed(length) if length != arcs.len() => return None,
            IndexForm::Counted => self.oid.push(u32::try_from(arcs.len()).ok()?).ok()?,
            IndexForm::Fixed(_) | IndexForm::Implied => {}
        }
        self.position += 1;
        self.node = None;
        self.address_type = None;
        arcs.iter().try_for_each(|arc| self.oid.push(*arc)).ok()
    }

    /// Parses text at a position where an address is expected. Text that is not an address of the
    /// preceding type is encoded as it is.
    fn inet_address(&self, text: &str) -> Option<InetAddress> {
        self.index_object().filter(|object| InetAddress::is_type_of(object))?;
        InetAddress::parse(self.address_type?, text)
    }
}

/// A name, split at its dots and brackets.
struct Components<'a> {
    rest: &'a str,
}

enum Component<'a> {
    Plain(&'a str),
    /// A value in brackets without quotes, as `-OX` prints it.
    Bracketed(&'a str),
    Quoted {
        text: Cow<'a, str>,
        counted: bool,
    },
}

impl<'a> Iterator for Components<'a> {
    type Item = Result<Component<'a>, ()>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        Some(self.cut().ok_or(()))
    }
}

impl<'a> Components<'a> {
    fn cut(&mut self) -> Option<Component<'a>> {
        let (inner, bracketed) = match self.rest.strip_prefix('[') {
            Some(inner) => (inner, true),
            None => (self.rest, false),
        };
        let (component, rest) = if let Some(inner) = inner.strip_prefix('"') {
            let (text, rest) = quoted(inner, '"')?;
            (Component::Quoted { text, counted: true }, rest)
        } else if let Some(inner) = inner.strip_prefix('\'') {
            let (text, rest) = quoted(inner, '\'')?;
            (Component::Quoted { text, counted: false }, rest)
        } else if bracketed {
            let (value, rest) = inner.split_at(inner.find(']')?);
            (Component::Bracketed(value), rest)
        } else {
            let (word, rest) = inner.split_at(inner.find(['.', '[', ']']).unwrap_or(inner.len()));
            (Component::Plain(word), rest)
        };
        let rest = if bracketed { rest.strip_prefix(']')? } else { rest };
        self.rest = match rest.strip_prefix('.') {
            Some("") => return None,
            Some(rest) => rest,
            None if rest.is_empty() || rest.starts_with('[') => rest,
            None => return None,
        };
        Some(component)
    }
}

/// Splits text at its closing quote. A backslash escapes the next character.
fn quoted(inner: &str, quote: char) -> Option<(Cow<'_, str>, &str)> {
    let mut text = String::new();
    let mut characters = inner.char_indices();
    while let Some((position, c)) = characters.next() {
        match c {
            '\\' => text.push(characters.next()?.1),
            _ if c == quote => return Some((text.into(), inner.get(position + 1..)?)),
            _ => text.push(c),
        }
    }
    None
}
