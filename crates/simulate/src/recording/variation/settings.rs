//! `key=value,key=value`, as a variation module takes them.

/// Settings nobody has asked for yet.
#[derive(Debug)]
pub(super) struct Settings<'t>(Vec<(&'t str, &'t str)>);

impl<'t> Settings<'t> {
    /// `None` where a part has no equals sign, or a key comes twice.
    pub(super) fn read(text: &'t str) -> Option<Self> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let mut settings = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=')?;
            if settings.iter().any(|(known, _)| *known == key) {
                return None;
            }
            settings.push((key, value));
        }
        Some(Self(settings))
    }

    /// The value of `key`, told once.
    pub(super) fn take(&mut self, key: &str) -> Option<&'t str> {
        let position = self.0.iter().position(|(known, _)| *known == key)?;
        Some(self.0.swap_remove(position).1)
    }

    /// The number that `key` has, or `default`; `None` where it has something else.
    pub(super) fn number(&mut self, key: &str, default: f64) -> Option<f64> {
        let Some(text) = self.take(key) else { return Some(default) };
        text.parse().ok().filter(|number: &f64| number.abs() <= MAX_MAGNITUDE)
    }

    /// As [`Self::number`], to the last digit.
    pub(super) fn integer(&mut self, key: &str, default: i128) -> Option<i128> {
        let Some(text) = self.take(key) else { return Some(default) };
        let rounded = || text.parse().ok().filter(|number: &f64| number.abs() <= MAX_MAGNITUDE);
        // No truncation: the bound is far within the type.
        text.parse::<i64>()
            .map(i128::from)
            .ok()
            .or_else(|| text.parse::<u64>().map(i128::from).ok())
            .or_else(|| rounded().map(|number| number as i128))
    }

    /// Whether `key` is other than zero, or `default`.
    pub(super) fn flag(&mut self, key: &str, default: bool) -> Option<bool> {
        Some(self.number(key, f64::from(u8::from(default)))? != 0.0)
    }

    /// Whether every setting has been asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Beyond what any of SNMP's numbers holds.
const MAX_MAGNITUDE: f64 = 1e24;
