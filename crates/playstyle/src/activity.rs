//! What somebody did in one play: events in the order in which they happened.

/// Something that was done, or happened, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Seconds since the play began.
    pub time: f64,
    /// What it was. Events of the same name are the same to everybody here.
    pub name: String,
}

/// The events of one play, or of one that goes on.
///
/// ```
/// use apprentice_playstyle::Activity;
///
/// let mut play = Activity::new("anna-3");
/// play.push(1.5, "sneak_past");
/// play.push(9.0, "pick_up");
/// assert_eq!(play.until(5.0).events.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Activity {
    /// Which play it is.
    pub id: String,
    /// How somebody calls the way it was played, if anybody said so.
    pub label: Option<String>,
    /// What was done, in order; times never run backwards.
    pub events: Vec<Event>,
}

impl Activity {
    /// A play in which nothing has happened yet.
    pub fn new(id: impl Into<String>) -> Activity {
        Activity {
            id: id.into(),
            label: None,
            events: Vec::new(),
        }
    }

    /// A play in which each letter is an event, one a second: for examples and tests.
    ///
    /// ```
    /// # use apprentice_playstyle::Activity;
    /// assert_eq!(Activity::of_letters("SSG").events[2].name, "G");
    /// ```
    pub fn of_letters(letters: &str) -> Activity {
        let mut activity = Activity::new(letters);
        for (second, letter) in letters.chars().enumerate() {
            activity.push(second as f64, letter.to_string());
        }
        activity
    }

    /// The same play, with the name of its style.
    #[must_use]
    pub fn labelled(mut self, label: impl Into<String>) -> Activity {
        self.label = Some(label.into());
        self
    }

    /// Adds what happened next.
    pub fn push(&mut self, time: f64, name: impl Into<String>) {
        let name = name.into();
        self.events.push(Event { time, name });
    }

    /// What had been done by that time.
    #[must_use]
    pub fn until(&self, time: f64) -> Activity {
        let events = self.events.iter().take_while(|event| event.time <= time);
        Activity {
            id: self.id.clone(),
            label: self.label.clone(),
            events: events.cloned().collect(),
        }
    }
}
