//! What there is to say about a `game.toml`: whether it can be read, and whether what it speaks of is in the rules.

pub(crate) mod codes;
mod pattern;
mod vocabulary;

use croupier_engine::{
    Diagnostic, Severity, Span, has_errors,
    stages::{
        check::{Checked, Misfit, Shape, TermKind},
        syntax::Term,
    },
};
use croupier_games::{About, FactsError, GameFacts, Mention, Outline, alike};

use self::{
    pattern::{Pattern, covers, with_name},
    vocabulary::Vocabulary,
};

/// A `game.toml`: its path and its text.
#[derive(Clone, Debug)]
pub(crate) struct FactsFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl FactsFile {
    /// Everything there is to say about the file, beside these rules. Rules with errors are fixed first: of them it is not
    /// known what they have.
    pub(crate) fn findings(&self, checked: &Checked) -> Vec<Diagnostic> {
        let (rules, found) = checked;
        if let Err(error) = GameFacts::parse(&self.text) {
            return vec![refusal(&error, &self.text)];
        }
        let Some(rules) = rules.as_ref().filter(|_| !has_errors(found)) else { return Vec::new() };
        let outline = Outline::of(&self.text);
        let mut vocabulary = Vocabulary::new(&rules.written().description, rules.program(), &outline);
        let mut found = Vec::new();
        for mention in &outline.mentions {
            match mention.about {
                About::Symbol => found.extend(unknown_symbol(mention, &vocabulary)),
                About::Role => found.extend(unknown_role(mention, &vocabulary)),
                About::Name => found.extend(unknown_name(mention, &vocabulary)),
                About::Move | About::Percept | About::Fact => {
                    found.extend(unmatched(mention, &mut vocabulary));
                }
            }
        }
        found.extend(hidden(&outline));
        found.sort();
        found
    }
}

/// Why a `game.toml` is refused, with its place.
pub(crate) fn refusal(error: &FactsError, text: &str) -> Diagnostic {
    let place = error.place(text);
    let (message, help) = match error {
        FactsError::Toml(error) => toml_error(error.message()),
        other => (other.to_string(), None),
    };
    let found = Diagnostic::new("bad-facts", Severity::Error, Span::new(place.start, place.end), message);
    found.with_help(
        help.unwrap_or_else(|| "the page about game.toml has all keys: docs/game-toml.md".to_owned()),
    )
}

/// What the TOML reader says, and what to do about it.
fn toml_error(message: &str) -> (String, Option<String>) {
    let message = message.lines().collect::<Vec<_>>().join(": ");
    let mut quoted = message.split('`').skip(1).step_by(2);
    let help = match quoted.next().filter(|_| message.starts_with("unknown field")) {
        Some(unknown) => alike(unknown, quoted).first().map(|near| format!("did you mean `{near}`?")),
        // A pattern without quotes is a key with blanks in it.
        None if ["quote", "string", "key with no value"].iter().any(|part| message.contains(part)) => {
            Some("put patterns and words in quotes: \"(deal ?card)\" = \"deal {card}\"".to_owned())
        }
        None => None,
    };
    (message, help)
}

/// What a mention is about, for messages.
fn what(about: About) -> &'static str {
    match about {
        About::Move => "move",
        About::Percept => "percept",
        About::Fact => "fluent",
        About::Symbol | About::Role | About::Name => "name",
    }
}

fn finding(code: &'static str, span: Span, message: String) -> Diagnostic {
    Diagnostic::new(code, codes::severity(code), span, message)
}

/// Where a part of a mention stands in the file, if the mention is written there letter by letter.
fn place(mention: &Mention, part: Span) -> Span {
    let length = mention.span.len();
    let quote = match length.checked_sub(mention.text.len()) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return Span::new(mention.span.start, mention.span.end),
    };
    let start = mention.span.start + quote;
    Span::new(start + part.start as usize, start + part.end as usize)
}

fn whole(mention: &Mention) -> Span {
    place(mention, Span::new(0, mention.text.len()))
}

/// A pattern or name in capitals: what it is compared with is in lower case.
fn capitals(mention: &Mention) -> Option<Diagnostic> {
    let lower: Vec<String> = mention
        .text
        .split_inclusive([' ', '(', ')'])
        .map(|word| if word.starts_with('?') { word.to_owned() } else { word.to_ascii_lowercase() })
        .collect();
    let lower = lower.concat();
    (lower != mention.text).then(|| {
        let message = format!("`{}` has capitals, and terms are printed in lower case", mention.text);
        finding("unmatched-pattern", whole(mention), message).with_help(format!("write `{lower}`"))
    })
}

fn unmatched(mention: &Mention, vocabulary: &mut Vocabulary<'_>) -> Option<Diagnostic> {
    if let Some(found) = capitals(mention) {
        return Some(found);
    }
    let pattern = Pattern::read(&mention.text)?;
    let kind = match mention.about {
        About::Move => TermKind::Move,
        About::Percept => TermKind::Percept,
        _ => TermKind::Fluent,
    };
    let conditions = pattern.conditions.iter().map(|condition| (TermKind::Fluent, condition));
    for (kind, term) in [(kind, &pattern.term)].into_iter().chain(conditions) {
        let is_main = std::ptr::eq(term, &pattern.term);
        let about = if is_main { mention.about } else { About::Fact };
        if about == About::Fact && vocabulary.is_added(term) {
            continue;
        }
        let Some(misfit) = vocabulary.shapes.misfit(kind, term) else { continue };
        let shown = &mention.text[term.span.range()];
        let part = &mention.text[misfit.part.span.range()];
        let message = match part == shown {
            true => format!("no {} of the rules is like `{shown}`", what(about)),
            false => {
                format!("no {} of the rules is like `{shown}`: `{part}` cannot stand there", what(about))
            }
        };
        let mut possible = misfit.possible.clone();
        if about == About::Fact && misfit.part.span == term.span {
            possible.extend(vocabulary.added.iter().cloned());
        }
        let misfit = Misfit { possible, ..misfit };
        let help = elsewhere(mention, term, kind, vocabulary).filter(|_| is_main);
        let help = help.or_else(|| suggestion(&mention.text, &misfit));
        // Where anything can stand, any name of the rules may have been meant.
        let part = &misfit.part;
        let known = || alike(part.name()?, vocabulary.names(part.arguments().len())).first().copied();
        let help =
            help.or_else(|| Some(format!("did you mean `{}`?", with_name(&mention.text, part, known()?))));
        let found = finding("unmatched-pattern", place(mention, misfit.part.span), message);
        return Some(match help {
            Some(help) => found.with_help(help),
            None => found,
        });
    }
    None
}

/// The section that a pattern belongs into, if it is in the wrong one.
fn elsewhere(
    mention: &Mention,
    term: &Term,
    kind: TermKind,
    vocabulary: &mut Vocabulary<'_>,
) -> Option<String> {
    let others = [
        (TermKind::Move, "a move", "[moves]"),
        (TermKind::Percept, "a percept", "[percepts]"),
        (TermKind::Fluent, "a fluent", "[table]"),
    ];
    let is_of = |(other, ..): &(TermKind, &str, &str)| {
        *other != kind && vocabulary.shapes.misfit(*other, term).is_none()
    };
    let found = others.into_iter().find(is_of);
    let is_section = ["moves", "percepts", "table"].contains(&mention.section.as_str());
    found.filter(|_| is_section).map(|(_, what, section)| format!("it is {what}: move the line to {section}"))
}

/// What may have been meant by the part of a pattern that does not fit.
fn suggestion(pattern: &str, misfit: &Misfit) -> Option<String> {
    let name = misfit.part.name().unwrap_or_default();
    let arity = misfit.part.arguments().len();
    let named = |shape: &&Shape| shape.name == name && shape.arity != arity;
    if let Some(shape) = misfit.possible.iter().find(named) {
        let shown = shown(shape);
        return Some(format!("`{name}` has another number of arguments: did you mean `{shown}`?"));
    }
    let of_arity = misfit.possible.iter().filter(|shape| shape.arity == arity);
    let near = alike(name, of_arity.map(|shape| shape.name.as_str()));
    let near = near.into_iter().find(|near| *near != name);
    if let Some(near) = near {
        return Some(format!("did you mean `{}`?", with_name(pattern, &misfit.part, near)));
    }
    let others = alike(name, misfit.possible.iter().map(|shape| shape.name.as_str()));
    if let Some(near) = others.first()
        && let Some(shape) = misfit.possible.iter().find(|shape| shape.name == *near)
    {
        return Some(format!("did you mean `{}`?", shown(shape)));
    }
    const LISTED_MAX: usize = 8;
    let listed: Vec<String> =
        misfit.possible.iter().take(LISTED_MAX).map(|shape| format!("`{}`", shown(shape))).collect();
    match misfit.possible.len() {
        0 => None,
        count if count > LISTED_MAX => {
            Some(format!("there are {} and {} more", listed.join(", "), count - LISTED_MAX))
        }
        1 => Some(format!("there is {}", listed.join(""))),
        _ => Some(format!("there are {}", listed.join(", "))),
    }
}

/// A shape as a pattern: `(deal ?1)`.
fn shown(shape: &Shape) -> String {
    match shape.arity {
        0 => shape.name.clone(),
        arity => {
            let variables: Vec<String> = (1..=arity).map(|number| format!("?{number}")).collect();
            format!("({} {})", shape.name, variables.join(" "))
        }
    }
}

fn unknown_symbol(mention: &Mention, vocabulary: &Vocabulary<'_>) -> Option<Diagnostic> {
    if let Some(found) = capitals(mention) {
        return Some(found);
    }
    let pattern = Pattern::read(&mention.text)?;
    let part = vocabulary.unknown_part(&pattern.term)?;
    let (name, arity) = (part.name()?, part.arguments().len());
    let message = format!("the rules have no name `{}`", &mention.text[part.span.range()]);
    let found = finding("unknown-name", place(mention, part.span), message);
    let near = alike(name, vocabulary.names(arity));
    Some(match near.first() {
        Some(near) => found.with_help(format!("did you mean `{}`?", with_name(&mention.text, part, near))),
        None => found.with_help("delete the line, or correct the name"),
    })
}

fn unknown_role(mention: &Mention, vocabulary: &Vocabulary<'_>) -> Option<Diagnostic> {
    if vocabulary.roles.contains(&mention.text) {
        return None;
    }
    let message = format!("the rules have no role `{}`", mention.text);
    let roles = vocabulary.roles.iter().map(String::as_str);
    let help = match alike(&mention.text, roles.clone()).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", roles.collect::<Vec<_>>().join(", ")),
    };
    Some(finding("unknown-name", whole(mention), message).with_help(help))
}

fn unknown_name(mention: &Mention, vocabulary: &Vocabulary<'_>) -> Option<Diagnostic> {
    if vocabulary.names(0).any(|name| name == mention.text) {
        return None;
    }
    let message = format!("the rules have no name `{}`", mention.text);
    let found = finding("unknown-name", whole(mention), message);
    let near = alike(&mention.text, vocabulary.names(0));
    Some(match near.first() {
        Some(near) => found.with_help(format!("did you mean `{near}`?")),
        None => found.with_help("name columns and rows as the fluents of the squares do"),
    })
}

/// Lines that are never used, because an earlier line of their section fits whatever they fit.
fn hidden(outline: &Outline) -> Vec<Diagnostic> {
    let patterns = outline.mentions.iter().filter(|mention| mention.gives_way());
    let read: Vec<(&Mention, Pattern)> =
        patterns.filter_map(|mention| Some((mention, Pattern::read(&mention.text)?))).collect();
    let mut found = Vec::new();
    for (index, (mention, pattern)) in read.iter().enumerate() {
        let earlier = read[..index].iter().filter(|(other, _)| other.section == mention.section);
        let mut earlier = earlier.filter(|(_, other)| other.conditions.is_empty());
        if let Some((first, _)) = earlier.find(|(_, other)| covers(&other.term, &pattern.term)) {
            let message =
                format!("`{}` is never used: the line for `{}` above fits first", mention.text, first.text);
            let found_here = finding("hidden-pattern", whole(mention), message);
            found.push(
                found_here
                    .with_note(whole(first), "the first pattern that fits is used")
                    .with_help(format!("move it above the line for `{}`", first.text)),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests;
