//! A mean and its interval as text.

use croupier_results::Mean;

/// A mean and its interval, for a row of a table.
pub(crate) fn cells(mean: Mean, digits: usize) -> [String; 2] {
    let interval = mean
        .interval()
        .map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.digits$} .. {high:.digits$}"));
    [format!("{:.digits$}", mean.mean), interval]
}
