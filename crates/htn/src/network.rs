//! Tasks, and which come first.

/// Tasks to do: one after the other, in any order, or both, nested.
///
/// ```
/// use apprentice_htn::Network;
///
/// let morning = Network::unordered(["wash", "dress"]);
/// let day: Network<&str> = Network::ordered([morning, "work".into(), "sleep".into()]);
/// assert_eq!(day.to_string(), "ordered(unordered(wash, dress), work, sleep)");
/// assert_eq!(day.tasks().count(), 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Network<T> {
    pub(crate) pieces: Vec<Piece<T>>,
}

/// A network, written down from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Piece<T> {
    Task(T),
    Open(Order),
    Close(Order),
}

/// Whether tasks wait for those before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Order {
    Ordered,
    Unordered,
}

impl<T> Network<T> {
    /// Nothing to do.
    ///
    /// ```
    /// # use apprentice_htn::Network;
    /// assert!(Network::<u8>::empty().is_empty());
    /// ```
    pub const fn empty() -> Network<T> {
        Network { pieces: Vec::new() }
    }

    /// One after the other.
    ///
    /// ```
    /// # use apprentice_htn::Network;
    /// let network = Network::ordered(["wash", "dress"]);
    /// assert_eq!(network.to_string(), "ordered(wash, dress)");
    /// ```
    pub fn ordered<I>(items: I) -> Network<T>
    where
        I: IntoIterator,
        I::Item: Into<Network<T>>,
    {
        Network::nest(Order::Ordered, items)
    }

    /// In any order, also interleaved.
    ///
    /// ```
    /// # use apprentice_htn::Network;
    /// let network = Network::unordered(["wash", "dress"]);
    /// assert_eq!(network.to_string(), "unordered(wash, dress)");
    /// ```
    pub fn unordered<I>(items: I) -> Network<T>
    where
        I: IntoIterator,
        I::Item: Into<Network<T>>,
    {
        Network::nest(Order::Unordered, items)
    }

    fn nest<I>(order: Order, items: I) -> Network<T>
    where
        I: IntoIterator,
        I::Item: Into<Network<T>>,
    {
        let mut pieces = vec![Piece::Open(order)];
        for item in items {
            pieces.append(&mut item.into().pieces);
        }
        pieces.push(Piece::Close(order));
        Network { pieces }
    }

    /// Whether there is no task in it.
    pub fn is_empty(&self) -> bool {
        self.tasks().next().is_none()
    }

    /// The tasks in it, from left to right.
    pub fn tasks(&self) -> impl Iterator<Item = &T> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Task(task) => Some(task),
            _ => None,
        })
    }

    /// The same network of other tasks.
    ///
    /// ```
    /// # use apprentice_htn::Network;
    /// let network = Network::ordered([1, 2]).map(|number| number * 10);
    /// assert_eq!(network.to_string(), "ordered(10, 20)");
    /// ```
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> Network<U> {
        let pieces = self.pieces.into_iter().map(|piece| match piece {
            Piece::Task(task) => Piece::Task(change(task)),
            Piece::Open(order) => Piece::Open(order),
            Piece::Close(order) => Piece::Close(order),
        });
        Network {
            pieces: pieces.collect(),
        }
    }
}

impl<T> From<T> for Network<T> {
    fn from(task: T) -> Network<T> {
        Network {
            pieces: vec![Piece::Task(task)],
        }
    }
}

impl<T: std::fmt::Display> std::fmt::Display for Network<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut is_first = true;
        for piece in &self.pieces {
            if !is_first && !matches!(piece, Piece::Close(_)) {
                f.write_str(", ")?;
            }
            match piece {
                Piece::Task(task) => write!(f, "{task}")?,
                Piece::Open(Order::Ordered) => f.write_str("ordered(")?,
                Piece::Open(Order::Unordered) => f.write_str("unordered(")?,
                Piece::Close(_) => f.write_str(")")?,
            }
            is_first = matches!(piece, Piece::Open(_));
        }
        Ok(())
    }
}
