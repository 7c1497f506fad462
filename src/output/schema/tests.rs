//! Schemas from the types of what is printed, and words that they share.

use std::{env, fs, path::Path};

use schemars::{JsonSchema, Schema as Described, generate::SchemaSettings, transform::RecursiveTransform};
use serde_json::{Value, json};

use super::{Output, Schema};

/// The longest line of a schema.
const COLUMNS: usize = 120;

/// A seed, a key or a digest.
pub(crate) const HEX: &str = "^[0-9a-f]{64}$";

/// How matches with turns end.
pub(crate) const STATUSES: [&str; 6] =
    ["terminal", "turn_limit", "game_error", "aborted", "void", "withheld"];

/// Why players give no reply.
pub(crate) const FAILURES: [&str; 8] =
    ["timeout", "connect_error", "closed", "too_large", "malformed", "busy", "player_error", "interrupted"];

/// How much findings weigh.
pub(crate) const SEVERITIES: [&str; 3] = ["error", "warning", "note"];

/// In which ways players that have several decide.
pub(crate) const APPROACHES: [&str; 7] =
    ["equilibrium", "blueprint", "kept", "deals", "subgames", "pooled-ismcts", "uct"];

/// How goals become payoffs: (goal - offset) / scale, in units.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it describes croupier_games::Payoff")]
pub(crate) struct Payoff {
    unit: String,
    offset: f64,
    scale: f64,
}

/// A value that somebody else computed.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it describes croupier_games::Known")]
pub(crate) struct Known {
    what: String,
    value: String,
    source: String,
}

/// The size of the whole tree.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it describes croupier_games::Counts")]
pub(crate) struct Counts {
    /// Histories in which chance has a choice.
    #[schemars(skip_serializing_if = "Option::is_none")]
    chance: Option<u64>,
    /// Histories in which a player has a choice, once for each such player.
    #[schemars(skip_serializing_if = "Option::is_none")]
    decision: Option<u64>,
    /// Histories that end in a terminal state.
    #[schemars(skip_serializing_if = "Option::is_none")]
    terminal: Option<u64>,
    #[schemars(skip_serializing_if = "Option::is_none")]
    information_sets: Option<u64>,
}

/// Allows no fields but these, and no null where a field is left out instead.
fn close(schema: &mut Described) {
    let required = schema.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    properties
        .iter_mut()
        .filter(|(name, _)| !is_required(name))
        .for_each(|(_, property)| forbid_null(property));
    schema.insert("additionalProperties".to_owned(), false.into());
}

/// Takes null out of a schema that `Option` made.
fn forbid_null(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    for keyword in ["type", "anyOf"] {
        let Some([of, _null]) = fields.get(keyword).and_then(Value::as_array).map(Vec::as_slice) else {
            continue;
        };
        match of.clone() {
            Value::Object(of) => {
                fields.remove(keyword);
                fields.extend(of);
            }
            word => _ = fields.insert(keyword.to_owned(), word),
        }
    }
}

/// The schema of a type.
fn described<T: JsonSchema>(kind: Schema) -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(RecursiveTransform(close));
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    schema["$id"] = json!(format!("urn:croupier:schema:{}:{}", kind.name(), kind.version()));
    schema["title"] = json!(kind.of().replace('`', ""));
    schema
}

/// JSON with as much on a line as fits.
fn laid_out(value: &Value, depth: usize) -> String {
    let (open, parts, close): (_, Vec<String>, _) = match value {
        Value::Object(fields) => {
            let field = |(name, of)| format!("{}: {}", json!(name), laid_out(of, depth + 1));
            ("{", fields.iter().map(field).collect(), "}")
        }
        Value::Array(items) => ("[", items.iter().map(|item| laid_out(item, depth + 1)).collect(), "]"),
        scalar => return scalar.to_string(),
    };
    let line = format!("{open}{}{close}", parts.join(", "));
    if 2 * depth + line.len() <= COLUMNS && !line.contains('\n') {
        return line;
    }
    let [inner, outer] = [depth + 1, depth].map(|depth| format!("\n{}", "  ".repeat(depth)));
    format!("{open}{inner}{}{outer}{close}", parts.join(&format!(",{inner}")))
}

/// Compares the schema of an output, with the fields that all have, with the type that it describes, or writes it.
pub(crate) fn assert_describes<T: Output + JsonSchema>() {
    let mut schema = described::<T>(T::SCHEMA);
    schema["properties"]["schema"] = json!({ "const": format!("croupier/{}", T::SCHEMA.name()) });
    schema["properties"]["version"] = json!({ "const": T::SCHEMA.version() });
    let required = schema["required"].as_array_mut().expect("some field is always there");
    required.extend([json!("schema"), json!("version")]);
    compare(T::SCHEMA, &schema);
}

/// The same for the lines of a file.
pub(crate) fn assert_describes_lines<T: JsonSchema>(kind: Schema) {
    compare(kind, &described::<T>(kind));
}

fn compare(kind: Schema, schema: &Value) {
    let path = format!("docs/schemas/{}.json", kind.name());
    if env::var_os("CROUPIER_BLESS").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        fs::write(path, laid_out(schema, 0) + "\n").expect("the schema can be written");
        return;
    }
    let kept: Value = serde_json::from_str(kind.text()).expect("a schema is JSON");
    assert_eq!(*schema, kept, "CROUPIER_BLESS=1 writes {path}");
}
