//! The options of a player as text: `iterations=5,model=(belief:particles=7,iterations=3)`.

/// Splits a text at commas outside parentheses.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut pieces) = (0_usize, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Names and values of the options in a text; parentheses around a value are removed.
pub(crate) fn options(text: &str) -> Vec<(&str, &str)> {
    pieces(text).into_iter().filter(|piece| !piece.is_empty()).map(option).collect()
}

fn option(piece: &str) -> (&str, &str) {
    let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
    let inner = value.strip_prefix('(').and_then(|value| value.strip_suffix(')'));
    (name, inner.unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use super::{options, pieces};

    #[test]
    fn parentheses_keep_an_agent_with_its_options_together() {
        let text = "a=1,model=(belief:x=2,y=3),model.bob=policy:f.json";
        let expected = [("a", "1"), ("model", "belief:x=2,y=3"), ("model.bob", "policy:f.json")];
        assert_eq!(options(text), expected);
        assert_eq!(pieces("a,(b,(c,d),e),f"), ["a", "(b,(c,d),e)", "f"]);
        assert!(options("").is_empty());
    }
}
