//! Tables for notebooks.

/// Rows that a table shows; of more it says how many there are.
const ROWS_MAX: usize = 20;

/// A table with a caption above it; every text is escaped.
pub(crate) fn table(caption: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |tag: &str, texts: &mut dyn Iterator<Item = &str>| -> String {
        let cells: String = texts.map(|text| format!("<{tag}>{}</{tag}>", escaped(text))).collect();
        format!("<tr>{cells}</tr>")
    };
    let mut html = format!("<table><caption>{}</caption>", escaped(caption));
    html.push_str(&cells("th", &mut head.iter().copied()));
    for row in rows.iter().take(ROWS_MAX) {
        html.push_str(&cells("td", &mut row.iter().map(String::as_str)));
    }
    if let Some(hidden) = rows.len().checked_sub(ROWS_MAX).filter(|&hidden| hidden > 0) {
        html.push_str(&cells("td", &mut [&*format!("and {hidden} more")].into_iter()));
    }
    html.push_str("</table>");
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
