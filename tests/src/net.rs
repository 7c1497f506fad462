//! Nets that tests make: an ONNX file written byte by byte, and what it computes in numbers of 64 bits.
//!
//! Nothing here shares code with what reads such files. A protocol buffer is a list of fields, each with a key (its number and whether a
//! number or some bytes follow) and its content; `onnx.proto` says which number is which field.

use croupier_engine::{Game, draw::draw_index};
use croupier_training::{Features, Space};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::{Value, json};

/// A network of layers with rectifiers in between, and what stands beside it in its file.
#[derive(Clone, Debug)]
pub struct NetFile {
    /// What the key `croupier` of the metadata says; `None` for a file without that key.
    pub names: Option<Value>,
    /// From the input to the output, at least one.
    pub layers: Vec<Layer>,
    /// The version of the operator set.
    pub operator_set: u64,
    /// The operator between two layers.
    pub between: String,
    /// What the input and the output are called.
    pub ends: [String; 2],
}

/// A matrix and what is added.
#[derive(Clone, Debug)]
pub struct Layer {
    /// By input and output.
    pub weights: Vec<Vec<f32>>,
    /// By output.
    pub biases: Vec<f32>,
}

/// Fields of a protocol buffer.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn varint(&mut self, mut number: u64) {
        while number >= 128 {
            self.0.push((number & 127) as u8 | 128);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn number(mut self, field: u64, number: u64) -> Self {
        self.varint(field << 3);
        self.varint(number);
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }
}

/// float32 in `TensorProto.DataType`, and float, int in `AttributeProto.AttributeType`.
const FLOAT: u64 = 1;
const INT: u64 = 2;

impl NetFile {
    /// A net for a game with a hidden layer of so many numbers, with weights that follow from `seed`.
    ///
    /// # Panics
    /// If the game is no network.
    #[must_use]
    pub fn new(game: &Game, last: usize, hidden: usize, seed: u8) -> Self {
        let space = Space::new(game, Features::Percepts { last }).expect("a game that is a network");
        let players = space.players.iter().map(|player| {
            json!({
                "role": game.roles().name(player.role),
                "features": player.feature_names,
                "moves": player.move_names,
            })
        });
        let names = json!({
            "version": 1,
            "game": "the game of a test",
            "rules": game.rules().program().to_string(),
            "rules_sha256": "ab".repeat(32),
            "observation": "percepts",
            "last": last,
            "players": players.collect::<Vec<Value>>(),
        });
        let mut rng = ChaCha8Rng::from_seed([seed; 32]);
        let inputs = space.players.len() + space.features_count();
        let layers = vec![
            Layer::drawn(inputs, hidden, &mut rng),
            Layer::drawn(hidden, hidden, &mut rng),
            Layer::drawn(hidden, space.moves_count(), &mut rng),
        ];
        let ends = ["observation", "logits"].map(str::to_owned);
        Self { names: Some(names), layers, operator_set: 17, between: "Relu".to_owned(), ends }
    }

    /// The same, but it says how likely each fluent is, and chooses nothing: the logit of the n-th is the sine of n, whatever is known.
    ///
    /// # Panics
    /// If the game is no network.
    #[must_use]
    pub fn believing(game: &Game, last: usize) -> Self {
        let file = Self::new(game, last, 1, 0);
        let fluents = game.network().expect("a game that is a network").fluents();
        let texts: Vec<String> = fluents.iter().map(|&fluent| game.fluent_text(fluent).to_string()).collect();
        let inputs = file.layers[0].weights.len();
        let biases = (0..texts.len()).map(|place| (place as f32).sin()).collect();
        let mut names = file.names;
        if let Some(names) = &mut names {
            names["fluents"] = json!(texts);
        }
        let weights = vec![vec![0.0; texts.len()]; inputs];
        Self { names, layers: vec![Layer { weights, biases }], ..file }
    }

    /// The file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let set = Fields::default().text(1, "").number(2, self.operator_set);
        let file =
            Fields::default().number(1, 8).text(2, "a test").message(7, &self.graph()).message(8, &set);
        let file = match &self.names {
            Some(names) => {
                let entry = Fields::default().text(1, "croupier").text(2, &names.to_string());
                file.message(14, &Fields::default().text(1, "note").text(2, "for a test")).message(14, &entry)
            }
            None => file,
        };
        file.0
    }

    /// The first layer is a product and a sum, the others are one operator each, with transposed weights.
    fn graph(&self) -> Fields {
        let mut graph = Fields::default().text(2, "net");
        let mut from = self.ends[0].clone();
        for (number, layer) in self.layers.iter().enumerate() {
            let is_last = number + 1 == self.layers.len();
            let sum = if is_last { self.ends[1].clone() } else { format!("sum{number}") };
            let (weights, biases) = (format!("weights{number}"), format!("biases{number}"));
            if number == 0 {
                let product = format!("product{number}");
                graph = graph.message(1, &node("MatMul", &[&from, &weights], &product));
                graph = graph.message(1, &node("Add", &[&product, &biases], &sum));
                graph = graph.message(5, &tensor(&weights, &layer.weights));
            } else {
                let transposed = Fields::default().text(1, "transB").number(3, 1).number(20, INT);
                let operator = node("Gemm", &[&from, &weights, &biases], &sum).message(5, &transposed);
                graph = graph.message(1, &operator).message(5, &tensor(&weights, &layer.transposed()));
            }
            graph = graph.message(5, &vector(&biases, &layer.biases));
            from = format!("rectified{number}");
            if !is_last {
                graph = graph.message(1, &node(&self.between, &[&sum], &from));
            }
        }
        let [inputs, outputs] =
            [self.layers[0].weights.len(), self.layers[self.layers.len() - 1].biases.len()];
        graph.message(11, &rows(&self.ends[0], inputs)).message(12, &rows(&self.ends[1], outputs))
    }

    /// What the network makes of a row.
    #[must_use]
    pub fn logits(&self, row: &[f64]) -> Vec<f64> {
        let mut values = row.to_vec();
        for (number, layer) in self.layers.iter().enumerate() {
            if number > 0 {
                values.iter_mut().for_each(|value| *value = value.max(0.0));
            }
            let sum = |output: usize| {
                let products =
                    values.iter().zip(&layer.weights).map(|(value, row)| value * f64::from(row[output]));
                products.sum::<f64>() + f64::from(layer.biases[output])
            };
            values = (0..layer.biases.len()).map(sum).collect();
        }
        values
    }
}

impl Layer {
    /// Weights from -1 to 1.
    fn drawn(inputs: usize, outputs: usize, rng: &mut ChaCha8Rng) -> Self {
        let mut weight = || draw_index(4001, rng) as f32 / 2000.0 - 1.0;
        let mut weights = |count: usize| (0..count).map(|_| weight()).collect::<Vec<f32>>();
        Self { weights: (0..inputs).map(|_| weights(outputs)).collect(), biases: weights(outputs) }
    }

    fn transposed(&self) -> Vec<Vec<f32>> {
        let column = |output: usize| self.weights.iter().map(|row| row[output]).collect();
        (0..self.biases.len()).map(column).collect()
    }
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Fields {
    let node = inputs.iter().fold(Fields::default(), |node, input| node.text(1, input));
    node.text(2, output).text(4, operator)
}

fn tensor(name: &str, rows: &[Vec<f32>]) -> Fields {
    let numbers: Vec<f32> = rows.concat();
    let sizes = Fields::default().number(1, rows.len() as u64).number(1, rows[0].len() as u64);
    numbers_of(sizes, name, &numbers)
}

fn vector(name: &str, numbers: &[f32]) -> Fields {
    numbers_of(Fields::default().number(1, numbers.len() as u64), name, numbers)
}

fn numbers_of(sizes: Fields, name: &str, numbers: &[f32]) -> Fields {
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    sizes.number(2, FLOAT).text(8, name).bytes(9, &raw)
}

/// An input or output of any number of rows of this width.
fn rows(name: &str, width: usize) -> Fields {
    let any = Fields::default().text(2, "N");
    let width = Fields::default().number(1, width as u64);
    let shape = Fields::default().message(1, &any).message(1, &width);
    let tensor = Fields::default().number(1, FLOAT).message(2, &shape);
    Fields::default().text(1, name).message(2, &Fields::default().message(1, &tensor))
}
