//! What there is to say of a family: its parameters, with their meaning, range and default.

use croupier_games::{Family, FamilyError, Parameter};

use crate::output::failure::Failure;

/// The family with its parameters, for a list.
pub(super) fn described(family: &Family) -> String {
    let mut text = format!("{}\n  {}\n", family.name, family.summary);
    let width = family.parameters.iter().map(|parameter| written(parameter).len()).max().unwrap_or(0);
    for parameter in family.parameters {
        let Parameter { meaning, range: (least, greatest), standard, .. } = parameter;
        let usage = written(parameter);
        text.push_str(&format!("  {usage:width$}  {meaning}: {least} to {greatest} [default: {standard}]\n"));
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
        .map(|parameter| format!("--{} {}", parameter.name, parameter.standard))
        .collect();
    format!(
        "{}\nUsage: croupier new [FOLDER] --from {name} [--PARAMETER N]...\n\nExamples:\n  croupier new my-game --from {name}\n  \
         croupier new my-game --from {name} {}\n  croupier new -o rules.gdl --from {name}\n",
        described(family),
        example.join(" ")
    )
}

/// How a parameter is given.
fn written(parameter: &Parameter) -> String {
    let several = if parameter.each_of.is_some() { "[,N...]" } else { "" };
    format!("--{} N{several}", parameter.name)
}

/// Why a family has no such game.
pub(super) fn refused(family: &Family, error: &FamilyError) -> Failure {
    let parameters = family.parameters.iter().map(|parameter| {
        let (least, greatest) = parameter.range;
        format!("{} from {least} to {greatest}", written(parameter))
    });
    let usage = format!("{} has {}", family.name, parameters.collect::<Vec<_>>().join(" and "));
    Failure::refuse("bad-parameter", error.to_string()).help(usage)
}
