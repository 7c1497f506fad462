//! The positions of comments among the clauses: determined when a text is parsed, and preserved when it is printed.

use super::{
    ast::{Clause, Description},
    comment::Comment,
};

/// Determines which comments are on the line on which a clause ends.
///
/// Clauses and comments are in the order of the text.
///
/// # Complexity
/// Linear in the text: of the comments after a clause only the first can share its line.
pub(super) fn mark_trailing(text: &str, clauses: &[Clause], comments: &mut [Comment]) {
    let mut comments = comments.iter_mut().peekable();
    for (index, clause) in clauses.iter().enumerate() {
        let next_start = start_of(clauses.get(index + 1));
        while comments.next_if(|comment| comment.span.start < clause.span.end).is_some() {}
        if let Some(comment) = comments.next_if(|comment| comment.span.start < next_start) {
            let between = &text[clause.span.end as usize..comment.span.start as usize];
            comment.is_trailing = !between.contains(['\n', '\r']);
        }
    }
}

/// The clauses with their comments: those before and inside a clause come before it, those after it on the same line come after it.
///
/// A comment that starts a line after a clause has an empty line before it.
pub(super) fn write_commented(
    description: &Description,
    sign: char,
    write_clause: fn(&mut String, &Clause),
) -> String {
    let mut out = String::new();
    let mut comments = description.comments.iter().peekable();
    let mut follows_clause = false;
    for (index, clause) in description.clauses.iter().enumerate() {
        let next_start = start_of(description.clauses.get(index + 1));
        while let Some(comment) = comments.next_if(|comment| comment.span.start < clause.span.end) {
            write_own_line(&mut out, comment, sign, &mut follows_clause);
        }
        write_clause(&mut out, clause);
        match comments.next_if(|comment| comment.is_trailing && comment.span.start < next_start) {
            Some(comment) => {
                out.push(' ');
                comment.write(&mut out, sign);
            }
            None => out.push('\n'),
        }
        follows_clause = true;
    }
    for comment in comments {
        write_own_line(&mut out, comment, sign, &mut follows_clause);
    }
    out
}

fn write_own_line(out: &mut String, comment: &Comment, sign: char, follows_clause: &mut bool) {
    if std::mem::take(follows_clause) {
        out.push('\n');
    }
    comment.write(out, sign);
}

fn start_of(next: Option<&Clause>) -> u32 {
    next.map_or(u32::MAX, |next| next.span.start)
}
