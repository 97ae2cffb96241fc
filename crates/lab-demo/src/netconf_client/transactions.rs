//! The number of transactions in a session.

use crate::error::Result;

/// The requests of a session and the replies to them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Transactions {
    pub(crate) requests: u64,
    pub(crate) replies: u64,
}

impl Transactions {
    /// Returns the number of transactions since an earlier state of the same session.
    ///
    /// # Errors
    /// If the number of replies is not that of requests.
    pub fn since(self, before: Self) -> Result<u64> {
        let (requests, replies) = (self.requests - before.requests, self.replies - before.replies);
        if requests != replies {
            return Err(format!("the server has sent {replies} replies to {requests} requests").into());
        }
        Ok(requests)
    }
}

#[cfg(test)]
mod tests {
    use super::Transactions;

    #[test]
    fn transactions_are_requests_with_replies_since_an_earlier_state() {
        let at = |requests, replies| Transactions { requests, replies };
        assert_eq!(at(3, 3).since(at(1, 1)).ok(), Some(2));
        assert_eq!(at(1, 1).since(at(1, 1)).ok(), Some(0));
        assert!(at(3, 2).since(at(1, 1)).is_err());
    }
}
