//! Short texts beside each other, as `ls` has them.

use textwrap::core::display_width;

/// Between two columns.
const GAP: usize = 2;

/// As many columns as the width has room for, all of the same width, filled from top to bottom; the lines that they make.
pub(crate) fn columns(items: &[String], width: usize) -> Vec<String> {
    let widest = items.iter().map(|item| display_width(item)).max().unwrap_or(0);
    let count = ((width + GAP) / (widest + GAP)).max(1);
    let rows = items.len().div_ceil(count);
    let line = |row: usize| {
        let mut line = String::new();
        for (column, item) in items.iter().skip(row).step_by(rows).enumerate() {
            let missing = (column * (widest + GAP)).saturating_sub(display_width(&line));
            line.push_str(&" ".repeat(missing));
            line.push_str(item);
        }
        line
    };
    (0..rows).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn columns_are_filled_from_top_to_bottom() {
        let items = ["one", "two", "three", "four", "five"].map(str::to_owned);
        assert_eq!(columns(&items, 12), ["one    four", "two    five", "three"]);
        assert_eq!(columns(&items, 11), items);
        assert_eq!(columns(&items, 3), items);
        assert_eq!(columns(&items, 100), ["one    two    three  four   five"]);
        assert!(columns(&[], 10).is_empty());
    }
}
