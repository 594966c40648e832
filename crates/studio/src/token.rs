//! What lets a page in: a secret that is in the address the studio prints.
//!
//! Whoever is logged in to the same machine can reach the port. The address is theirs to see only if
//! they see the terminal; the one a browser is started with can be seen in the list of processes, so
//! it holds a ticket that is good for one visit.

use std::io;
use std::sync::{Mutex, PoisonError};

/// The secrets of a studio that runs.
pub(crate) struct Token {
    token: String,
    /// Good for one visit.
    ticket: Mutex<Option<String>>,
}

impl Token {
    /// New ones.
    pub(crate) fn new() -> io::Result<Token> {
        Ok(Token {
            token: secret()?,
            ticket: Mutex::new(None),
        })
    }

    pub(crate) fn text(&self) -> &str {
        &self.token
    }

    /// A ticket for one visit; the one before is good no longer.
    pub(crate) fn issue_ticket(&self) -> io::Result<String> {
        let ticket = secret()?;
        let mut issued = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        *issued = Some(ticket.clone());
        Ok(ticket)
    }

    /// Whether somebody who says this is let in.
    pub(crate) fn admits(&self, said: Option<&str>) -> bool {
        said.is_some_and(|said| is_same(said, &self.token))
    }

    /// Whether this is the ticket; it is used up then.
    pub(crate) fn takes_ticket(&self, said: &str) -> bool {
        let mut issued = self.ticket.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = issued.as_ref().is_some_and(|ticket| is_same(said, ticket));
        if is_it {
            *issued = None;
        }
        is_it
    }
}

/// Compares all of it whatever differs, so that the time it takes tells nothing.
fn is_same(said: &str, secret: &str) -> bool {
    let differences = said.bytes().zip(secret.bytes()).map(|(a, b)| a ^ b);
    said.len() == secret.len() && differences.fold(0, |all, one| all | one) == 0
}

/// 128 bits nobody can guess.
fn secret() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_token_itself_is_let_in() {
        let token = Token::new().unwrap();
        assert!(token.admits(Some(token.text())));
        let longer = format!("{}0", token.text());
        let shorter = &token.text()[1..];
        for said in [None, Some(""), Some("0"), Some(&longer), Some(shorter)] {
            assert!(!token.admits(said), "{said:?}");
        }
        assert!(!token.admits(Some(Token::new().unwrap().text())));
    }

    #[test]
    fn a_ticket_is_good_for_one_visit() {
        let token = Token::new().unwrap();
        assert!(!token.takes_ticket(""));
        let first = token.issue_ticket().unwrap();
        let second = token.issue_ticket().unwrap();
        assert!(!token.takes_ticket(&first), "a newer one was issued");
        assert!(token.takes_ticket(&second));
        assert!(!token.takes_ticket(&second));
        assert!(!token.admits(Some(&second)));
    }
}
