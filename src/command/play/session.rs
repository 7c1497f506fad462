//! A session: matches one after another at one table.

use std::io::Write;

use croupier_games::{SessionRules, Until};
use croupier_referee::record::Turns;
use croupier_session::SessionTerms;
use indicatif::ProgressBar;

use super::{Arguments, session_report::SessionTally, settings};
use crate::{
    arguments::{
        entropy,
        seating::{SeatSpec, seating},
        source::Source,
        threads::progress,
    },
    output::{answer::Answer, failure::Failure},
    sessions::{
        interrupt::Interrupt,
        series::series_id,
        session::{LocalSession, terms},
        terminal::{Stream, Wrapping},
    },
};

/// Plays a session.
pub(super) fn run(
    source: &Source,
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    refuse_series_options(arguments)?;
    let rules = rules(source, arguments)?;
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let bound = format!("session {} {:?}", toml::to_string(&rules).unwrap_or_default(), arguments.seats);
    let id = series_id(source, &seed, &bound);
    let (terms, roles) = terms(source, rules, arguments.table.seats, id)?;
    let specs = seating(roles.roles(), &arguments.seats, &[], &arguments.full_sight)?;
    let specs: Vec<SeatSpec> = specs.iter().map(|(_, spec)| spec.clone()).collect();
    let settings = settings(arguments, seed.clone(), interrupt)?;
    let key = settings.seal_key.clone();
    let has_people = specs.iter().any(SeatSpec::is_human);
    refuse_endless(&terms, has_people, arguments)?;
    let mut session = LocalSession::new(source, terms, seed.clone(), specs, settings)?;
    let mut file = arguments.record_file::<Turns>()?;
    let bar = if has_people || arguments.json { ProgressBar::hidden() } else { progress(0, "matches") };
    let stream = if has_people && !arguments.json { Stream::Output } else { Stream::Nowhere };
    let mut out = Wrapping::new(out, stream);
    interrupt.hold();
    let mut tally = SessionTally::new(source, arguments, has_people, file.as_mut(), &mut out);
    session.play(&bar, &mut tally)?;
    bar.finish_and_clear();
    let closing = session.closing_lines(&seed, key.as_ref());
    tally.finish(&session.state, &seed, &closing, interrupt.is_raised())
}

/// How matches follow one another: as the game says, as options change it, and no longer than -n says.
fn rules(source: &Source, arguments: &Arguments) -> Result<SessionRules, Failure> {
    let mut rules = arguments.table.rules(&source.facts)?;
    if let Some(matches) = arguments.asked {
        rules.until.push(Until::Matches(matches));
    }
    Ok(rules)
}

/// Refuses options that only matches of one and the same seating have.
fn refuse_series_options(arguments: &Arguments) -> Result<(), Failure> {
    let refused = [("--model", arguments.models.first()), ("--dialect", arguments.dialects.first())];
    if let Some((option, value)) = refused.into_iter().find_map(|(option, value)| Some((option, value?))) {
        return Err(Failure::refuse(
            "bad-table",
            "in a session seats change their roles, and this option names one",
        )
        .at_argument(option, value)
        .help("an agent takes models too: --seat 1=belief:model=raise"));
    }
    if arguments.append {
        return Err(Failure::refuse("bad-table", "a session has a file of its own, which its record begins")
            .at_argument("--append", "")
            .help("name another file, or replace this one by --force"));
    }
    Ok(())
}

/// Refuses a session that nobody and nothing ends.
fn refuse_endless(terms: &SessionTerms, has_people: bool, arguments: &Arguments) -> Result<(), Failure> {
    if has_people || terms.session.until.iter().any(|until| *until != Until::Host) {
        return Ok(());
    }
    Err(Failure::refuse(
        "bad-table",
        "nothing ends this session: its host does, and nobody is at the terminal",
    )
    .at(&arguments.game)
    .help("say how long it goes on: -n 20, or --until \"one left\""))
}
