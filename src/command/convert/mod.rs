//! `croupier convert`: the same rules in the other syntax, or as those of a real-time game.

mod real_time;
mod reading;

use std::{io::Write, path::PathBuf};

use clap::{Args, ValueEnum};
use croupier_engine::{
    Limits, has_errors,
    stages::syntax::{self, Syntax},
};

use crate::{
    arguments::{existing::Force, source::Source},
    output::{answer::Answer, failure::Failure, render},
};
use real_time::RealTime;

/// Convert rules to another syntax, or to a real-time game
///
/// Clauses are laid out anew, a condition a line. A comment inside a clause comes before it; others stay
/// where they are. Converting back from kif or infix gives the same rules.
///
/// What other systems may read differently is told; `--strict` says the same in the GDL that all of them read alike: no
/// formula but an atom under `not`, every variable bound before it is needed, one number of arguments for a name.
///
/// `--to rtgdl` gives a real-time game in the syntax of FILE. A clock ticks, and at each tick the first moves that players
/// have sent are the joint move; a player with one legal move need not send it. With `--clock` there is no tick, and each
/// player has a clock that runs while it has a choice.
#[derive(Args)]
#[command(after_help = "\
kif is prefix syntax: (<= (p ?x) (q ?x)), with comments in ;
infix is that of the Stanford chapter and of Prolog: p(X) :- q(X), with comments in %
rtgdl is not a syntax: it has lifetimes (Kowalski and Kisielewicz, 2016), and is written as FILE is

Examples:
  croupier convert my-game.gdl --to infix
  croupier convert tictactoe.hrf --to kif -o tictactoe.kif
  croupier convert my-game.kif --to kif            the same syntax, laid out anew
  croupier convert my-game.kif --to kif --strict   as every other system reads it
  croupier convert tic-tac-toe --to rtgdl --play-clock 2.5    a move every 2.5 seconds
  croupier convert chess --to rtgdl --clock 180,delay=2       three minutes each, two seconds of delay")]
pub(crate) struct Arguments {
    /// The path of a rule file, or a name from `croupier games`
    #[arg(value_name = "FILE")]
    game: String,
    /// What to write
    #[arg(long, value_enum, value_name = "SYNTAX")]
    to: To,
    /// The syntax that FILE is in
    #[arg(long, value_enum, value_name = "SYNTAX", default_value_t = From::Auto)]
    from: From,
    /// Write strict GDL: the same games for every system that reads it
    #[arg(long)]
    strict: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    real_time: RealTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// S-expressions
    Kif,
    /// As in Prolog
    Infix,
    /// The syntax that FILE is in, with lifetimes: a real-time game
    Rtgdl,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum From {
    /// Whichever the text looks like
    Auto,
    /// S-expressions
    Kif,
    /// As in Prolog
    Infix,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    if let Some(option) = arguments.real_time.first_given().filter(|_| arguments.to != To::Rtgdl) {
        let message = format!("{option} is for `--to rtgdl`: turn-based rules have no clocks");
        return Err(Failure::refuse("option-without-real-time", message));
    }
    let source = Source::find(&arguments.game)?;
    let from = match arguments.from {
        From::Auto => Syntax::Auto,
        From::Kif => Syntax::Prefix,
        From::Infix => Syntax::Infix,
    };
    let reading = syntax::read(&source.rules, from, &Limits::STANDARD);
    let diagnostics = source.with_encoding(reading.diagnostics);
    let found = render::diagnostics(&diagnostics.iter().collect::<Vec<_>>(), &source.rules, &source.origin);
    if has_errors(&diagnostics) {
        let message = format!("the rules cannot be read: {}", render::count(diagnostics.iter()));
        return Err(Failure::refuse("rules-refused", message).at(&source.origin).after(found));
    }
    write!(anstream::stderr().lock(), "{found}")?;
    let description = match (arguments.strict, arguments.to) {
        (true, To::Rtgdl) => {
            let message = "`--strict` is for turn-based rules: the specification has no lifetimes";
            return Err(Failure::refuse("strict-without-lifetimes", message).at(&source.origin));
        }
        (true, To::Kif | To::Infix) => reading::in_strict_form(reading.description, &source)?,
        (false, To::Kif | To::Infix) => {
            reading::tell_differences(&source)?;
            reading.description
        }
        (false, To::Rtgdl) => reading.description,
    };
    let text = match arguments.to {
        To::Kif => syntax::print_commented(&description),
        To::Infix => syntax::print_infix_commented(&description),
        To::Rtgdl => {
            let converted = arguments.real_time.convert(&description, &source)?;
            match reading.syntax {
                Syntax::Infix => syntax::print_infix_commented(&converted),
                Syntax::Prefix | Syntax::Auto => syntax::print_commented(&converted),
            }
        }
    };
    match &arguments.output {
        Some(path) => arguments.force.existing().write(path, text.as_bytes())?,
        None => write!(out, "{text}")?,
    }
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(game: &str, to: To) -> String {
        let real_time = RealTime { play_clock: None, silence: None, clock: None };
        let arguments = Arguments {
            game: game.to_owned(),
            to,
            from: From::Auto,
            strict: false,
            output: None,
            force: Force::default(),
            real_time,
        };
        let mut out = Vec::new();
        run(&arguments, &mut out).expect("a game that can be read");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn every_game_of_the_catalogue_is_the_same_in_the_other_syntax() {
        for entry in croupier_games::catalogue() {
            let kif = converted(entry.name, To::Kif);
            let infix = syntax::read(&converted(entry.name, To::Infix), Syntax::Auto, &Limits::STANDARD);
            assert_eq!(infix.syntax, Syntax::Infix, "{}", entry.name);
            assert_eq!(infix.diagnostics, [], "{}", entry.name);
            assert_eq!(syntax::print_commented(&infix.description), kif, "{}", entry.name);
        }
    }
}
