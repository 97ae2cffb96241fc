//! Modules and their submodules.

/// A module of the schema.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The name.
    pub name: Box<str>,
    /// The XML namespace.
    pub namespace: Box<str>,
    /// The prefix that the module gives itself. Prefixes of two modules can be equal; see
    /// [`Schema::unique_prefix`](crate::Schema::unique_prefix).
    pub prefix: Box<str>,
    /// The latest revision, such as `2014-08-06`; empty if the module has none.
    pub revision: Box<str>,
    /// The version of YANG in which the module is written.
    pub yang_version: YangVersion,
    /// The names of the features that are enabled.
    pub features: Vec<Box<str>>,
    /// The names of the modules that contain deviations of this module.
    pub deviations: Vec<Box<str>>,
    /// The server implements the nodes of this module. Other modules only have typedefs, groupings
    /// and identities that implemented modules import.
    pub is_implemented: bool,
    /// The exact text of the module's file.
    pub text: Box<str>,
    /// The submodules that it includes.
    pub submodules: Vec<Submodule>,
    /// The modules that it imports.
    pub imports: Vec<Import>,
}

/// A version of YANG (RFC 7950 §7.1.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum YangVersion {
    /// Version 1 (RFC 6020). The `hello` message announces modules of this version only (RFC 7950
    /// §5.6.4).
    #[default]
    Version1,
    /// Version 1.1 (RFC 7950).
    Version1_1,
}

impl YangVersion {
    /// Returns the argument of the `yang-version` statement.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Version1 => "1",
            Self::Version1_1 => "1.1",
        }
    }
}

/// A submodule. Its version of YANG is that of the module (RFC 7950 §12).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Submodule {
    /// The name.
    pub name: Box<str>,
    /// The latest revision; empty if the submodule has none.
    pub revision: Box<str>,
    /// The exact text of the submodule's file.
    pub text: Box<str>,
}

/// An import statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Import {
    /// The prefix of the imported module in the module that imports it.
    pub prefix: Box<str>,
    /// The name of the imported module.
    pub module: Box<str>,
    /// The revision of the imported module; empty if the module has none.
    pub revision: Box<str>,
}

impl Module {
    /// Creates an implemented module of YANG 1 without revision, text, features and imports.
    pub fn new(name: &str, namespace: &str, prefix: &str) -> Self {
        Self {
            name: name.into(),
            namespace: namespace.into(),
            prefix: prefix.into(),
            is_implemented: true,
            ..Self::default()
        }
    }
}
