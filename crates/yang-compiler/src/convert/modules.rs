//! Modules and identities.

use portreeve_yang::{Identity, Import, Module, ModuleId, Submodule};

use super::{Converter, nodes::status};
use crate::{
    libyang::{Module as CompiledModule, Node},
    locate::Locator,
};

impl<'c> Converter<'c, '_> {
    /// Adds the implemented modules, and all modules that they import, directly or indirectly.
    pub(super) fn add_modules(&mut self) {
        for module in self.wanted_modules() {
            let converted = self.module(module);
            let id = self.builder.add_module(converted);
            self.modules.insert(module.address(), id);
        }
        self.locator = Locator::new(self.files.files());
    }

    fn wanted_modules(&self) -> Vec<CompiledModule<'c>> {
        let mut wanted: Vec<CompiledModule<'c>> = Vec::new();
        let mut next: Vec<_> = self.context.modules().filter(|module| self.is_implemented(*module)).collect();
        while let Some(module) = next.pop() {
            if !wanted.contains(&module) {
                wanted.push(module);
                next.extend(module.imports().into_iter().map(|import| import.module));
            }
        }
        self.context.modules().filter(|module| wanted.contains(module)).collect()
    }

    /// Returns true if the nodes of a module are part of the schema. libyang implements some of its
    /// built-in modules without need.
    pub(super) fn is_implemented(&self, module: CompiledModule<'c>) -> bool {
        let name = module.name();
        let is_wanted = |wanted: &String| wanted == name;
        module.is_implemented()
            && (!self.built_in.iter().any(is_wanted) || self.requested.iter().any(is_wanted))
    }

    pub(super) fn module_of(&self, node: Node<'c>) -> Option<ModuleId> {
        self.modules.get(&node.module()?.address()).copied()
    }

    fn module(&self, module: CompiledModule<'c>) -> Module {
        let revision = module.revision().unwrap_or_default();
        // libyang has an equivalent text of a built-in module without a file.
        let file = self.files.find(module.name(), revision, None).unwrap_or_else(|| {
            self.files.add_text(module.name(), revision, module.print().unwrap_or_default())
        });
        let submodules = module.submodules().map(|submodule| {
            let revision = submodule.revision.unwrap_or_default();
            let file = self.files.find(submodule.name, revision, Some(module.name()));
            let text = file.map(|file| file.text.clone()).unwrap_or_default();
            Submodule { name: submodule.name.into(), revision: revision.into(), text: text.into() }
        });
        let mut imports: Vec<Import> = Vec::new();
        for import in module.imports() {
            let import = Import {
                prefix: import.prefix.into(),
                module: import.module.name().into(),
                revision: import.module.revision().unwrap_or_default().into(),
            };
            // Submodules import for themselves.
            if !imports.contains(&import) {
                imports.push(import);
            }
        }
        let features = module.features().into_iter().filter(|feature| feature.is_enabled);
        Module {
            name: module.name().into(),
            namespace: module.namespace().into(),
            prefix: module.prefix().into(),
            revision: revision.into(),
            features: features.map(|feature| feature.name.into()).collect(),
            deviations: module.deviated_by().map(|deviating| deviating.name().into()).collect(),
            is_implemented: self.is_implemented(module),
            text: file.text.as_str().into(),
            submodules: submodules.collect(),
            imports,
        }
    }

    /// Adds the identities of all modules.
    pub(super) fn add_identities(&mut self) {
        let mut derivations = Vec::new();
        for module in self.context.modules() {
            let Some(id) = self.modules.get(&module.address()).copied() else { continue };
            for identity in module.identities() {
                let converted = Identity {
                    name: identity.name().into(),
                    module: id,
                    bases: Vec::new(),
                    status: status(identity.is_deprecated(), identity.is_obsolete()),
                };
                let id = self.builder.add_identity(converted);
                self.identities.insert(identity.address(), id);
                derivations.push((id, identity));
            }
        }
        for (base, identity) in derivations {
            for derived in identity.derived() {
                let Some(derived) = self.identities.get(&derived.address()).copied() else { continue };
                if let Some(derived) = self.builder.identity_mut(derived) {
                    derived.bases.push(base);
                }
            }
        }
    }
}
