//! Names that somebody may have meant.

/// How alike two names must be for one to be suggested for the other, from 0 to 1.
const ALIKE: f64 = 0.8;

/// The names that are like `sought`, the likest first.
#[must_use]
pub fn alike<'n>(sought: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let likeness = |name: &'n str| (strsim::jaro_winkler(sought, name), name);
    let mut ranked: Vec<(f64, &str)> = names.into_iter().map(likeness).collect();
    ranked.retain(|(likeness, _)| *likeness >= ALIKE);
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranked.into_iter().map(|(_, name)| name).collect()
}
