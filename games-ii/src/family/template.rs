//! The language that families are written in: Jinja, with a few filters.

use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value, syntax::SyntaxConfig};

use super::parameter::{Parameter, ParameterSettings};

macro_rules! parts {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../families/", $name, ".jinja")))),+]
    };
}

/// What templates include.
const PARTS: &[(&str, &str)] = parts![
    "holdem/betting.gdl",
    "holdem/big-blinds.gdl",
    "holdem/binary.gdl",
    "holdem/chips.gdl",
    "holdem/chips.toml",
    "holdem/course.gdl",
    "holdem/deal.gdl",
    "holdem/deck.gdl",
    "holdem/pots.gdl",
    "holdem/seats.gdl",
    "holdem/showdown.gdl",
    "liars-dice/several.gdl",
    "liars-dice/several.toml",
    "liars-dice/two.gdl",
    "unseen-marks/turns.gdl",
];

/// The text of a template with these parameters. Those that may be left out and are, are none.
pub(super) fn rendered(
    template: &str,
    parameters: &[Parameter],
    settings: &ParameterSettings,
) -> Result<String, Error> {
    let context = parameters.iter().map(|parameter| {
        let name = parameter.name;
        let value = match settings.word(name) {
            Some(word) => Value::from(word),
            None if parameter.has_several() => Value::from(settings.numbers(name).map(<[u32]>::to_vec)),
            None => Value::from(settings.number(name)),
        };
        (name.replace('-', "_"), value)
    });
    environment()?.render_str(template, Value::from_pairs(context))
}

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).keep_trailing_newline(true).build()?);
    environment.add_filter("word", |number: u32| {
        let words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
        let word = usize::try_from(number).ok().and_then(|number| words.get(number));
        word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
    });
    environment.add_filter("times", |numbers: Vec<u32>, factor: u32| -> Result<Vec<u32>, Error> {
        let product = |number: &u32| number.checked_mul(factor);
        let products = numbers.iter().map(product).collect::<Option<_>>();
        products.ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "the product is too large"))
    });
    for (name, text) in PARTS {
        environment.add_template(name, text)?;
    }
    Ok(environment)
}
