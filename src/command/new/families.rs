//! What there is to say of a family: its parameters, with their meaning, range and default.

use croupier_games::{Family, FamilyError, Parameter, ParameterKind};

use crate::output::failure::Failure;

/// The family with its parameters, for a list.
pub(super) fn described(family: &Family) -> String {
    let mut text = format!("{}\n  {}\n", family.name, family.summary);
    let width = family.parameters.iter().map(|parameter| written(parameter).len()).max().unwrap_or(0);
    for parameter in family.parameters {
        let usage = written(parameter);
        let (meaning, values, standard) = (parameter.meaning, values(parameter), standard(parameter));
        text.push_str(&format!("  {usage:width$}  {meaning}: {values} [default: {standard}]\n"));
    }
    text
}

/// The help of `croupier new --from FAMILY`.
pub(super) fn help(family: &Family) -> String {
    let name = family.name;
    let example: Vec<String> = family
        .parameters
        .iter()
        .take(2)
        .map(|parameter| format!("--{} {}", parameter.name, standard(parameter)))
        .collect();
    let terms = if family.terms.is_empty() { String::new() } else { format!("\n{}", family.terms) };
    format!(
        "{}{terms}\nUsage: croupier new [FOLDER] --from {name} [--PARAMETER VALUE]...\n\nExamples:\n  croupier new my-game --from {name}\n  \
         croupier new my-game --from {name} {}\n  croupier new -o rules.gdl --from {name}\n",
        described(family),
        example.join(" ")
    )
}

/// How a parameter is given.
fn written(parameter: &Parameter) -> String {
    let value = match parameter.kind {
        ParameterKind::Word(_) => "WORD",
        ParameterKind::Number { each_of: Some(_), .. } => "N[,N...]",
        ParameterKind::Number { .. } => "N",
    };
    format!("--{} {value}", parameter.name)
}

/// What it can be.
fn values(parameter: &Parameter) -> String {
    match parameter.kind {
        ParameterKind::Word(choices) => choices.join(" or "),
        ParameterKind::Number { range: (least, greatest), .. } => format!("{least} to {greatest}"),
    }
}

/// What it is if it is not given.
fn standard(parameter: &Parameter) -> String {
    match parameter.kind {
        ParameterKind::Word(choices) => choices[0].to_owned(),
        ParameterKind::Number { standard, .. } => {
            standard.map_or_else(|| "none".to_owned(), |number| number.to_string())
        }
    }
}

/// Why a family has no such game.
pub(super) fn refused(family: &Family, error: &FamilyError) -> Failure {
    let parameters = family.parameters.iter().map(|parameter| match parameter.kind {
        ParameterKind::Word(_) => format!("{} {}", written(parameter), values(parameter)),
        ParameterKind::Number { range: (least, greatest), .. } => {
            format!("{} from {least} to {greatest}", written(parameter))
        }
    });
    let usage = format!("{} has {}", family.name, parameters.collect::<Vec<_>>().join(" and "));
    Failure::refuse("bad-parameter", error.to_string()).help(usage)
}
