//! Splits a message into its parts without interpreting them. Nothing here recurses.

/// One part of a list: a symbol, or a list with its parentheses.
pub(crate) type Item<'t> = &'t str;

/// The parts of prefix text at its outermost level, comments left out.
///
/// A symbol directly before a parenthesis is a part of its own, unless `is_infix`: then `f(a, b)` is one.
/// `None` if parentheses do not match or there are more than `items_max` parts.
pub(crate) fn prefix_items(text: &str, is_infix: bool, items_max: usize) -> Option<Vec<Item<'_>>> {
    let mut items = Vec::new();
    let mut start: Option<usize> = None;
    let mut depth = 0_usize;
    let mut is_comment = false;
    let close = |items: &mut Vec<_>, start: &mut Option<usize>, end: usize| {
        items.extend(start.take().map(|start| &text[start..end]));
    };
    for (position, c) in text.char_indices() {
        match c {
            '\n' | '\r' if is_comment => is_comment = false,
            _ if is_comment => continue,
            ';' => {
                is_comment = true;
                if depth == 0 {
                    close(&mut items, &mut start, position);
                }
            }
            '(' => {
                if depth == 0 && !is_infix {
                    close(&mut items, &mut start, position);
                }
                start.get_or_insert(position);
                depth += 1;
            }
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    close(&mut items, &mut start, position + 1);
                }
            }
            _ if depth > 0 => {}
            _ if is_blank(c) => close(&mut items, &mut start, position),
            _ => {
                start.get_or_insert(position);
            }
        }
        if items.len() > items_max {
            return None;
        }
    }
    close(&mut items, &mut start, text.len());
    (depth == 0 && items.len() <= items_max).then_some(items)
}

/// The parts of infix text between commas at its outermost level, trimmed.
///
/// `None` if brackets do not match or there are more than `items_max` parts. Empty text has no parts.
pub(super) fn infix_items(text: &str, items_max: usize) -> Option<Vec<Item<'_>>> {
    let mut items = Vec::new();
    let mut start = 0;
    let mut depth = 0_usize;
    let mut quote = None;
    for (position, c) in text.char_indices() {
        match c {
            _ if quote == Some(c) => quote = None,
            _ if quote.is_some() => {}
            '\'' | '"' => quote = Some(c),
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => {
                items.push(text[start..position].trim());
                start = position + 1;
            }
            _ => {}
        }
        if items.len() > items_max {
            return None;
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || !items.is_empty() {
        items.push(last);
    }
    (depth == 0 && quote.is_none() && items.len() <= items_max).then_some(items)
}

/// The first term of a reply in infix: a name, and the parentheses that follow it directly.
pub(super) fn first_infix_item(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(is_blank);
    let name_end =
        text.find(|c: char| is_blank(c) || matches!(c, '(' | ')' | ',' | ';' | '.')).unwrap_or(text.len());
    if name_end == 0 {
        return None;
    }
    if !text[name_end..].starts_with('(') {
        return Some(&text[..name_end]);
    }
    let mut depth = 0_usize;
    for (position, c) in text.char_indices().skip_while(|&(position, _)| position < name_end) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[..=position]),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Prefix text without comments, with single spaces, and none inside the ends of lists.
pub(super) fn squeeze(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or_default());
    let mut squeezed = String::with_capacity(text.len());
    for word in lines.flat_map(|line| line.split(is_blank)).filter(|word| !word.is_empty()) {
        if !squeezed.is_empty() && !squeezed.ends_with('(') && !word.starts_with(')') {
            squeezed.push(' ');
        }
        squeezed.push_str(word);
    }
    squeezed
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}
