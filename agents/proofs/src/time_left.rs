//! What is left of the time for an examination, in shares.

/// How finely it is found out how much has passed: to one part in 2 to the power of this.
const PRECISION: u32 = 8;

/// The time from a moment on.
#[derive(Clone, Copy)]
pub(crate) struct TimeLeft<'t> {
    has_passed: &'t (dyn Fn(f64) -> bool + Sync),
    begin: f64,
}

impl<'t> TimeLeft<'t> {
    /// What is left now of the time of which `has_passed` says whether a share has passed.
    pub(crate) fn now(has_passed: &'t (dyn Fn(f64) -> bool + Sync)) -> Self {
        let (mut begin, mut after) = (0.0, 1.0);
        for _ in 0..PRECISION {
            let middle = f64::midpoint(begin, after);
            *(if has_passed(middle) { &mut begin } else { &mut after }) = middle;
        }
        Self { has_passed, begin }
    }

    /// Whether a share of what was left has passed.
    pub(crate) fn has_passed(&self, share: f64) -> bool {
        (self.has_passed)(self.begin + (1.0 - self.begin) * share)
    }
}
