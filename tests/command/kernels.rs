//! What the program is made of: each kernel of the engine once for each width.

use std::{collections::BTreeSet, fs};

use croupier_tests::corpus::workspace;

/// The symbols of a program that name something below the kernels of the engine, without what the linker appends.
fn symbols_of_kernels(program: &[u8]) -> BTreeSet<String> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
    let words = program.split(|byte| !is_part(byte)).filter_map(|word| std::str::from_utf8(word).ok());
    let symbols = words.filter(|word| word.starts_with("_ZN") || word.starts_with("_R"));
    let symbols = symbols.filter(|symbol| symbol.contains("15croupier_engine5batch6kernel"));
    symbols.map(|symbol| symbol.split(".llvm.").next().unwrap_or(symbol).to_owned()).collect()
}

/// The functions in a table of kernels, as `module::function`, and the number of widths.
fn kernels(table: &str) -> (Vec<(&str, &str)>, usize) {
    let lines = table.lines().map(str::trim);
    let functions = lines.clone().filter_map(|line| {
        let (module, function) = line.split_once("= ")?.1.strip_suffix(';')?.split_once("::")?;
        line.ends_with(';').then_some((module, function))
    });
    (functions.collect(), lines.filter(|line| line.starts_with("width!(")).count())
}

/// The name of a copy says, in a way that only the compiler knows, which package compiled it: copies by several packages
/// have names of their own.
#[cfg(target_os = "linux")]
#[test]
fn no_package_but_the_engine_compiles_a_kernel() {
    let program = fs::read(env!("CARGO_BIN_EXE_croupier")).expect("the program that is tested");
    let symbols = symbols_of_kernels(&program);
    let table = fs::read_to_string(workspace().join("engine/src/batch/kernel/table.rs"));
    let table = table.expect("the table of kernels");
    let (kernels, widths) = kernels(&table);
    assert!(kernels.len() >= 9 && widths == 2, "the table is read as it is written: {kernels:?}, {widths}");
    for (module, function) in kernels {
        let path = format!("6kernel{}{module}{}{function}", module.len(), function.len());
        let copies = symbols.iter().filter(|symbol| symbol.split(&path).nth(1).is_some_and(is_end));
        let copies: Vec<_> = copies.collect();
        assert!((1..=widths).contains(&copies.len()), "{module}::{function}: {copies:?}");
    }
}

/// Whether nothing follows the path of a function but its parameters or the number of its copy.
#[cfg(target_os = "linux")]
fn is_end(rest: &str) -> bool {
    rest.starts_with("17h") || rest.starts_with('K')
}

#[test]
fn copies_of_a_kernel_are_told_apart() {
    let program = b"\0_ZN15croupier_engine5batch6kernel4rows4load17h0011223344556677E.llvm.1\0\
        _ZN15croupier_engine5batch6kernel4rows4load17h0011223344556677E\0\
        _ZN15croupier_engine5batch6kernel4rows4load17h8899aabbccddeeffE\0_ZN4core3fmt5write17h0E\0";
    assert_eq!(symbols_of_kernels(program).len(), 2);
    let table = "            load_rows(tape: &Tape) -> () = rows::load;\nwidth!(1);\n\nwidth!(8);\n";
    assert_eq!(kernels(table), (vec![("rows", "load")], 2));
}
