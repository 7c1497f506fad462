//! Tables in Markdown.

/// A table whose first column is text and whose others are figures; the names of the columns stand between commas.
pub(crate) fn table(head: &str, rows: impl Iterator<Item = Vec<String>>) -> String {
    let head: Vec<String> = head.split(", ").map(str::to_owned).collect();
    let rule = (0..head.len()).map(|column| if column == 0 { "---" } else { "---:" }.to_owned()).collect();
    [head, rule].into_iter().chain(rows).map(|row| format!("| {} |\n", row.join(" | "))).collect()
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn figures_end_where_their_columns_do() {
        let rows = [vec!["kuhn".to_owned(), "52".to_owned()]];
        assert_eq!(table("game, ops", rows.into_iter()), "| game | ops |\n| --- | ---: |\n| kuhn | 52 |\n");
    }
}
