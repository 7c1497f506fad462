//! The codes of findings about a `game.toml`, and what there is to explain of each.

use croupier_engine::Severity;

/// A kind of finding about a `game.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FactsCode {
    /// The stable word.
    pub(crate) name: &'static str,
    pub(crate) severity: Severity,
    /// What it means.
    pub(crate) meaning: &'static str,
    /// The smallest `game.toml` that shows it beside [`RULES`].
    pub(crate) rejected: &'static str,
    /// One that differs as little as possible and does not.
    pub(crate) accepted: &'static str,
    pub(crate) cure: &'static str,
    pub(crate) source: &'static str,
}

/// The rules that the examples stand beside.
pub(crate) const RULES: &str = "\
(role alice)
(card king)
(card queen)
(init (stake 1))
(<= (legal alice (show ?card)) (card ?card) (true (stake 1)))
(<= (next (shown ?card)) (does alice (show ?card)))
(<= terminal (true (shown ?card)))
(goal alice 100)";

pub(crate) const CODES: &[FactsCode] = &[
    FactsCode {
        name: "bad-facts",
        severity: Severity::Error,
        meaning: "a `game.toml` that is not TOML, has a key that does not exist, or words that do not fit their pattern",
        rejected: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(show ?card)\" = \"show the {crad}\"",
        accepted: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(show ?card)\" = \"show the {card}\"",
        cure: "Correct the line that is shown; without a game.toml the game is played in the terms of its rules.",
        source: "docs/game-toml.md lists the keys; TOML is described at toml.io",
    },
    FactsCode {
        name: "unmatched-pattern",
        severity: Severity::Warning,
        meaning: "a pattern of a `game.toml` that no move, percept or fluent of the rules can fit, so that its words are never said",
        rejected: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(shwo ?card)\" = \"show the {card}\"",
        accepted: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(show ?card)\" = \"show the {card}\"",
        cure: "Write the pattern as the rules write the term: the same name, the same number of arguments, in lower case.",
        source: "docs/game-toml.md; what can stand where is worked out from the rules, without playing",
    },
    FactsCode {
        name: "hidden-pattern",
        severity: Severity::Warning,
        meaning: "a pattern of a `game.toml` behind another one of its section that fits everything that it fits",
        rejected: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(show ?card)\" = \"show the {card}\"
\"(show king)\" = \"show your king\"",
        accepted: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[moves]
\"(show king)\" = \"show your king\"
\"(show ?card)\" = \"show the {card}\"",
        cure: "Put the special pattern before the general one: the first that fits is used.",
        source: "docs/game-toml.md",
    },
    FactsCode {
        name: "unknown-name",
        severity: Severity::Warning,
        meaning: "a name in a `game.toml` that the rules do not have: a symbol, a role, a column or a row",
        rejected: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[symbols]
quene = \"queen of hearts\"",
        accepted: "\
title = \"One card\"
summary = \"Alice shows a card.\"

[symbols]
queen = \"queen of hearts\"",
        cure: "Correct the name, or delete the line.",
        source: "docs/game-toml.md",
    },
];

/// The code with this name.
pub(crate) fn find(name: &str) -> Option<&'static FactsCode> {
    CODES.iter().find(|code| code.name == name)
}

/// The weight of a code.
pub(super) fn severity(name: &str) -> Severity {
    find(name).expect("every code is in the table").severity
}
