//! What the study is made of: the characters, the maps, the order of the trials, and what is asked.

use apprentice::behavior::{PlannerName, Settings};
use apprentice::search::Weight;
use serde::{Deserialize, Serialize};

use super::latin_square;

/// One of the four kinds of characters that are played beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Npc {
    /// Weighted A*.
    Wastar,
    /// Weighted A* that is drawn along a demonstration.
    Tgraph,
    /// Multi-heuristic A* with quest events.
    Mha,
    /// Wanders about near the player.
    RuleBased,
}

impl Npc {
    /// All four, in the order of the published table.
    pub const ALL: [Npc; 4] = [Npc::Wastar, Npc::Tgraph, Npc::Mha, Npc::RuleBased];

    /// What the published table calls it.
    pub const fn title(self) -> &'static str {
        match self {
            Npc::Wastar => "wA*",
            Npc::Tgraph => "T-Graph",
            Npc::Mha => "MHA*",
            Npc::RuleBased => "rule-based",
        }
    }

    /// How it plans; nothing if it does not. Each may exceed the best plan a thousand times, and the
    /// numbers are those of the published study: they follow from the bound.
    pub(crate) fn settings(self) -> Option<Settings> {
        let planner = match self {
            Npc::Wastar => PlannerName::Wastar,
            Npc::Tgraph => PlannerName::Tgraph,
            Npc::Mha => PlannerName::Mha,
            Npc::RuleBased => return None,
        };
        Some(Settings {
            planner,
            bound: Weight::new(1000.0).ok(),
            ..Settings::default()
        })
    }
}

/// A level of the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Map {
    /// An empty room to practise in.
    Practice,
    /// Five rooms in a row, each with the key of its door.
    FiveDoors,
    /// The lever behind the bear.
    BearLever,
}

/// Each of the four is met once on each of the two maps.
pub(crate) const TRIALS: usize = 8;
/// The first trial on the second map; a line is drawn before it.
pub(crate) const FIRST_AFTER_DRAWING: usize = 5;

/// One of the eight trials, by number from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Planned {
    /// From 1 to 8.
    pub(crate) trial: usize,
    /// Where.
    pub(crate) map: Map,
    /// Beside whom. The participant is not told.
    pub(crate) npc: Npc,
    /// What the participant is told it is called.
    pub(crate) label: String,
}

/// Names that say nothing. Each is used once, so that nobody takes one character for another met before.
const LABELS: [&str; TRIALS] = [
    "Ash", "Birch", "Cedar", "Elm", "Hazel", "Linden", "Maple", "Rowan",
];

/// The trials of a participant, who is the so manieth, from 1.
pub(crate) fn trials(number: usize) -> Vec<Planned> {
    let row = number.saturating_sub(1);
    // On the second map one of the three other rows, so that nobody can guess.
    let other = row + 1 + row / latin_square::SIZE % (latin_square::SIZE - 1);
    let orders = [latin_square::row(row), latin_square::row(other)];
    let maps = [Map::FiveDoors, Map::BearLever];
    let trials = maps.into_iter().zip(orders).flat_map(|(map, order)| {
        let npcs = order.map(|npc| Npc::ALL[npc]);
        npcs.map(|npc| (map, npc))
    });
    let numbered = (1..).zip(trials);
    let planned = numbered.map(|(trial, (map, npc))| Planned {
        trial,
        map,
        npc,
        label: LABELS[trial - 1].to_owned(),
    });
    planned.collect()
}

/// How the seventh statement is worded. People found the first wording hard to understand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Seventh {
    /// It should have kept less closely to the line.
    LessClosely,
    /// It copied the line too exactly.
    #[default]
    TooExactly,
}

/// How many statements there are in all.
pub(crate) const STATEMENTS: usize = 7;

/// What people are asked to agree or disagree with, after a trial on a map.
pub(crate) fn statements(map: Map, seventh: Seventh) -> Vec<&'static str> {
    let mut statements = vec![
        "It moved as another person would.",
        "It took too long, with the times it stood still.",
        "Behaviour like this would be fine in a video game.",
        "It got things done efficiently.",
    ];
    if map == Map::BearLever {
        statements.extend([
            "It followed the line I had drawn.",
            "It should have kept closer to my line.",
            match seventh {
                Seventh::LessClosely => "It should have kept less closely to my line.",
                Seventh::TooExactly => "It copied my line too exactly.",
            },
        ]);
    }
    statements
}

/// What those who take part agree to, unless the folder of the results has a text of its own.
pub(crate) const CONSENT: &str = "\
You will play a small game with the arrow keys, eight rounds and a little practice, and say after each \
round what you think of the character that played beside you. It takes about twenty minutes.

Your answers and comments, how long each round takes, and where you and the character are in the game \
are recorded, and notes may be taken of what you say aloud. Your name is not recorded: the results carry \
a made-up number and letters.

Taking part is voluntary. You can stop at any time, without a reason, with the button \"Stop taking part\"; \
your results are then left out.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_each_of_the_four_once_on_each_map_in_balanced_order() {
        let mut pairs = std::collections::BTreeSet::new();
        for number in 1..=16 {
            let trials = trials(number);
            assert_eq!(trials.len(), TRIALS);
            for map in [Map::FiveDoors, Map::BearLever] {
                let on_map = trials.iter().filter(|trial| trial.map == map);
                let mut npcs: Vec<Npc> = on_map.map(|trial| trial.npc).collect();
                npcs.sort();
                assert_eq!(npcs, Npc::ALL);
            }
            let orders = trials.chunks(4);
            let orders: Vec<Vec<Npc>> = orders
                .map(|four| four.iter().map(|trial| trial.npc).collect())
                .collect();
            assert_ne!(orders[0], orders[1], "{number}");
            pairs.insert(orders);
        }
        assert_eq!(pairs.len(), 12, "every order with every other one");
    }

    #[test]
    fn three_statements_are_about_the_line_and_only_asked_where_there_is_one() {
        let seventh = Seventh::default();
        assert_eq!(statements(Map::FiveDoors, seventh).len(), 4);
        assert_eq!(statements(Map::BearLever, seventh).len(), STATEMENTS);
        let other = statements(Map::BearLever, Seventh::LessClosely);
        assert_ne!(other[6], statements(Map::BearLever, seventh)[6]);
    }
}
