//! The relations of the language in their places (Def. 20), with their arities.

use std::collections::BTreeSet;

use super::{
    finding,
    subject::{ReservedWord, Subject, Use, UseKind},
};
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::Keyword,
    syntax::{Term, print_term},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut told = BTreeSet::new();
    for used in subject.atoms() {
        match subject.word(used.symbol) {
            Some(ReservedWord::Keyword(keyword)) if subject.ordinary.contains(&keyword) => {
                if told.insert(keyword) {
                    diagnostics.push(ordinary(used, keyword));
                }
            }
            Some(ReservedWord::Keyword(keyword)) => check_keyword(subject, used, keyword, diagnostics),
            Some(ReservedWord::Operator) if used.kind == UseKind::Head => {
                let message = format!("`{}` is a keyword and cannot be defined by a rule", used.name());
                let help = match used.name() {
                    "<=" => "put a parenthesis before it: (<= HEAD CONDITION ...)",
                    _ => "conditions stand inside a rule: (<= HEAD CONDITION ...)",
                };
                diagnostics.push(finding("keyword-in-head", used.term.span, message).with_help(help));
            }
            None if is_knows(subject, used) => diagnostics.push(knows(subject, used)),
            Some(ReservedWord::Operator) | None => {}
        }
    }
    check_presence(subject, diagnostics);
}

/// Whether a condition is the `knows` of GDL-III, and no relation of the text's own.
pub(super) fn is_knows(subject: &Subject<'_>, used: &Use<'_>) -> bool {
    let is_its_shape = used.name() == "knows" && matches!(used.term.arguments().len(), 1 | 2);
    let is_own = |predicate| subject.program.rules.iter().any(|rule| rule.head.predicate == predicate);
    used.kind == UseKind::Body && is_its_shape && !subject.predicate(used).is_some_and(is_own)
}

fn knows(subject: &Subject<'_>, used: &Use<'_>) -> Diagnostic {
    let message = "`knows` belongs to GDL-III and is not supported: this condition would never hold";
    let help = "keep what a role was told in fluents, and ask for those with `true`";
    finding("knows-in-body", subject.name_span(used.term), message).with_help(help)
}

fn ordinary(used: &Use<'_>, keyword: Keyword) -> Diagnostic {
    let (name, arity) = (keyword.name(), keyword.arity());
    let message = format!(
        "`{name}` is a relation of this text's own: the `{name}` of GDL-II takes {arity}, and nothing here is GDL-II"
    );
    finding("keyword-as-relation", used.term.span, message).with_help("rename the relation")
}

fn check_keyword(subject: &Subject<'_>, used: &Use<'_>, keyword: Keyword, diagnostics: &mut Vec<Diagnostic>) {
    let (name, arity, span) = (keyword.name(), used.term.arguments().len(), used.term.span);
    if arity != keyword.arity() {
        let has_lifetime = subject.is_real_time && has_lifetime(keyword);
        let wanted = match keyword.arity() + usize::from(has_lifetime) {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            more => format!("{more} arguments"),
        };
        let message = format!("`{name}` takes {wanted}, not {arity}");
        let help = rule_without_arrow(used, keyword).unwrap_or_else(|| shape(keyword, has_lifetime));
        diagnostics.push(finding("keyword-arity", span, message).with_help(help));
        return;
    }
    match used.kind {
        UseKind::Head => check_head(keyword, used, diagnostics),
        UseKind::Body => check_body(keyword, span, diagnostics),
        UseKind::Function | UseKind::Constant => {}
    }
}

fn check_head(keyword: Keyword, used: &Use<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let (message, help) = match keyword {
        Keyword::True => (
            "`true` describes the current state; rules can only define `next` or `init`",
            "write `init` or `next`",
        ),
        Keyword::Does => {
            ("`does` describes the moves that were played; rules can only define `legal`", "write `legal`")
        }

        _ => return,
    };
    // A condition outside every rule: its rule was closed too early, or has no arrow.
    let is_lost = used.clause.body.is_empty();
    let lost = if is_lost {
        "; if it is a condition, it belongs inside a rule: (<= HEAD CONDITION ...)"
    } else {
        ""
    };
    diagnostics.push(finding("keyword-in-head", used.term.span, message).with_help(format!("{help}{lost}")));
}

/// How a clause such as `(legal alice bet (true (to_act alice)))` is written as the rule that it was meant to be.
pub(super) fn rule_without_arrow(used: &Use<'_>, keyword: Keyword) -> Option<String> {
    let (said, conditions) = used.term.arguments().split_at_checked(keyword.arity())?;
    let is_condition = |term: &Term| matches!(term.name(), Some("true" | "does" | "not" | "or" | "distinct"));
    let is_rule =
        used.kind == UseKind::Head && used.clause.body.is_empty() && conditions.iter().any(is_condition);
    is_rule.then(|| {
        let said: Vec<String> = said.iter().map(print_term).collect();
        let head = match said.as_slice() {
            [] => keyword.name().to_owned(),
            said => format!("({} {})", keyword.name(), said.join(" ")),
        };
        let conditions: Vec<String> = conditions.iter().map(print_term).collect();
        format!("a rule begins with `<=`: write (<= {head} {})", conditions.join(" "))
    })
}

fn check_body(keyword: Keyword, span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let help = "define a relation for the condition and use it in both places";
    match keyword {
        Keyword::Sees => {
            let message = "`sees` defines what a role is told; no rule can use it as a condition";
            diagnostics.push(finding("sees-in-body", span, message).with_help(help));
        }
        Keyword::Next | Keyword::Init => {
            let message = format!("`{}` may only occur in heads", keyword.name());
            let cure = "use `true`, or define a relation for the condition and use it in both places";
            diagnostics.push(finding("keyword-in-body", span, message).with_help(cure));
        }
        Keyword::Base | Keyword::Input | Keyword::Percept => {
            let message = format!("`{}` is a declaration and may only occur in heads", keyword.name());
            diagnostics.push(finding("keyword-in-body", span, message).with_help(help));
        }
        _ => {}
    }
}

/// How a keyword is written.
fn shape(keyword: Keyword, has_lifetime: bool) -> String {
    let arguments = match keyword {
        Keyword::Terminal => return "write terminal".to_owned(),
        Keyword::Role => "ROLE",
        Keyword::Init | Keyword::True | Keyword::Next | Keyword::Base => "FLUENT",
        Keyword::Legal | Keyword::Does | Keyword::Input => "ROLE MOVE",
        Keyword::Goal => "ROLE VALUE",
        Keyword::Sees | Keyword::Percept => "ROLE PERCEPT",
    };
    let lifetime = if has_lifetime { "LIFETIME " } else { "" };
    format!("write ({} {lifetime}{arguments})", keyword.name())
}

/// Whether a word takes a lifetime before its fluent in real-time rules.
fn has_lifetime(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Init | Keyword::True | Keyword::Next)
}

fn check_presence(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for keyword in [Keyword::Legal, Keyword::Goal, Keyword::Terminal] {
        if !subject.atoms_of(keyword).any(|used| used.kind == UseKind::Head) {
            let message = format!("no rule defines `{}`", keyword.name());
            let help = match keyword {
                Keyword::Legal => "say who may do what when, such as (<= (legal ROLE MOVE) (true FLUENT))",
                Keyword::Goal => "say what the match was worth, such as (<= (goal ROLE 100) (true FLUENT))",
                _ => "say when the match is over, such as (<= terminal (true FLUENT))",
            };
            diagnostics.push(finding("missing-keyword", Span::new(0, 0), message).with_help(help));
        }
    }
}
