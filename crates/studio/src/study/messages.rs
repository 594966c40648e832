//! What the page of the study and the program say to each other: JSON, each question with a number.

use apprentice::world::Direction;
use serde::{Deserialize, Serialize};

use super::design::Seventh;
use super::participant::Step;
use super::room::ShownRoom;
use super::trial::Moment;

/// A question of a page.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) ask: Ask,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
pub(crate) enum Ask {
    /// Who has taken part so far.
    Who,
    /// Somebody new takes part.
    Begin {
        times_shown: bool,
        seventh: Seventh,
        /// How many times faster than people play: for rehearsals by programs.
        #[serde(default)]
        hurried: Option<f64>,
    },
    /// Somebody goes on who was interrupted.
    Resume {
        participant: String,
    },
    /// Agrees to what is recorded.
    Consent,
    /// Begins the game that comes next, or begins it anew.
    Start,
    /// A tenth of a second passes.
    Tick {
        wish: Option<Wish>,
    },
    /// Goes on although the game is not over.
    GiveUp,
    /// A line on the map.
    Draw {
        points: Vec<[f64; 2]>,
    },
    DrawingDone,
    Answer {
        trial: usize,
        statement: usize,
        answer: i8,
    },
    Comment {
        trial: usize,
        text: String,
    },
    QuestionsDone {
        trial: usize,
    },
    End {
        comment: String,
    },
    Withdraw,
    /// What the participant is at, for the notes of the experimenter.
    Watch,
    /// A note, on this moment.
    Remark {
        text: String,
    },
}

/// Where the arrow keys point.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Wish {
    East,
    NorthEast,
    North,
    NorthWest,
    West,
    SouthWest,
    South,
    SouthEast,
}

impl Wish {
    pub(crate) const fn direction(self) -> Direction {
        match self {
            Wish::East => Direction::East,
            Wish::NorthEast => Direction::NorthEast,
            Wish::North => Direction::North,
            Wish::NorthWest => Direction::NorthWest,
            Wish::West => Direction::West,
            Wish::SouthWest => Direction::SouthWest,
            Wish::South => Direction::South,
            Wish::SouthEast => Direction::SouthEast,
        }
    }
}

/// An answer, with the number of its question.
#[derive(Debug, Serialize)]
pub(crate) struct Reply {
    pub(crate) id: u64,
    #[serde(flatten)]
    pub(crate) answer: Answer,
}

#[derive(Debug, Serialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(crate) enum Answer {
    Who(Known),
    State(Box<State>),
    Game(Box<Game>),
    Moment(Box<Moment>),
    /// It is on the disk.
    Noted,
    Watched(Box<Watched>),
    /// Another page has the word now.
    Elsewhere,
    Refused {
        message: String,
    },
}

/// Who has taken part so far.
#[derive(Debug, Serialize)]
pub(crate) struct Known {
    pub(crate) folder: String,
    pub(crate) participants: Vec<KnownParticipant>,
    /// Files that cannot be read, and why.
    pub(crate) wrong: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct KnownParticipant {
    pub(crate) id: String,
    #[serde(flatten)]
    pub(crate) step: Step,
    /// Milliseconds since 1970.
    pub(crate) begun_at: u64,
}

/// Where a participant is.
#[derive(Debug, Serialize)]
pub(crate) struct State {
    pub(crate) participant: String,
    #[serde(flatten)]
    pub(crate) step: Step,
    pub(crate) trials: usize,
    pub(crate) times_shown: bool,
    pub(crate) hurried: f64,
    /// What the character of this trial is called.
    pub(crate) label: Option<String>,
    /// What those who take part agree to.
    pub(crate) consent: Option<String>,
    /// The map to draw on.
    pub(crate) room: Option<ShownRoom>,
    pub(crate) drawn: Vec<[f64; 2]>,
    pub(crate) statements: Vec<&'static str>,
    /// What was answered already, by statement.
    pub(crate) answers: Vec<Option<i8>>,
    pub(crate) comment: String,
    /// How long the trial took that is asked about.
    pub(crate) seconds: Option<f64>,
}

/// A game begins.
#[derive(Debug, Serialize)]
pub(crate) struct Game {
    pub(crate) trial: usize,
    pub(crate) attempt: usize,
    pub(crate) label: Option<String>,
    pub(crate) room: ShownRoom,
    pub(crate) drawn: Vec<[f64; 2]>,
    pub(crate) moment: Moment,
}

/// What the experimenter sees.
#[derive(Debug, Serialize)]
pub(crate) struct Watched {
    pub(crate) participant: Option<String>,
    pub(crate) step: Option<Step>,
    pub(crate) seconds: Option<f64>,
    pub(crate) doing: Option<&'static str>,
    pub(crate) remarks: Vec<WatchedRemark>,
}

#[derive(Debug, Serialize)]
pub(crate) struct WatchedRemark {
    pub(crate) trial: Option<usize>,
    pub(crate) seconds: Option<f64>,
    pub(crate) text: String,
}

/// Reads a question.
pub(crate) fn read(text: &str) -> Result<Question, (u64, String)> {
    #[derive(Deserialize)]
    struct Numbered {
        id: u64,
    }
    serde_json::from_str(text).map_err(|error| {
        let numbered = serde_json::from_str::<Numbered>(text);
        let id = numbered.map_or(0, |numbered| numbered.id);
        (id, format!("this question is not understood: {error}"))
    })
}

/// Writes an answer.
pub(crate) fn write(reply: &Reply) -> String {
    // Numbers and texts always become JSON.
    serde_json::to_string(reply).unwrap_or_default()
}
