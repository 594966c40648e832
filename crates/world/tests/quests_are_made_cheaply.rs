//! Making a quest takes next to no memory, however large the level is: what is worked out about a
//! level is worked out once.

use std::fmt::Write;

use apprentice_world::{
    Abilities, AgentId, AnyQuest, DoorId, Goal, ItemId, Margins, Observation, Point, QuestProblem,
    Scenario, World,
};

/// The bytes asked for meanwhile.
fn bytes<T>(what: impl FnOnce() -> T) -> u64 {
    allocation_counter::measure(|| drop(what())).bytes_total
}

/// Rooms of ten by ten cells, with two doors in the first wall.
fn level(side: usize, more: &str) -> Scenario {
    let mut text = format!(
        "format = 1\nstart = [1, 1]\ngoal = {{ holds = 'red' }}\n{more}\n
         key = [{{ id = 'red', at = [3, 1], opens = ['gate'] }}]
         door = [{{ id = 'gate', at = [[9, 4]] }}, {{ id = 'hatch', at = [[4, 9]] }}]
         [map]\nrows = [\n"
    );
    for y in 0..side {
        let row = (0..side).map(|x| match (x % 10, y % 10) {
            (9, 4) | (4, 9) => '.',
            (9, _) | (_, 9) => '#',
            _ => '.',
        });
        writeln!(text, "'{}',", row.collect::<String>()).unwrap();
    }
    Scenario::parse(&(text + "]")).unwrap_or_else(|error| panic!("{error}"))
}

const BEASTS: &str = "enemy = [{ id = 'grey', kind = 'wolf', at = [15, 15] }]";

/// The bytes for quests one after the other: the first, and others that begin otherwise.
fn quests(scenario: &Scenario) -> [u64; 6] {
    let goals = [
        scenario.goal().clone(),
        Goal::Within {
            at: Point::new(1.0, 2.0),
            height: None,
            radius: 1.0,
        },
    ];
    let begin = World::new(scenario);
    let after = |disturbance| {
        let mut world = begin.clone();
        world.observe(scenario, disturbance);
        world
    };
    let elsewhere = after(Observation::Move(AgentId::NPC, Point::new(12.0, 2.0), None));
    let opened = after(Observation::Open(DoorId::new(1)));
    let given = after(Observation::Give(AgentId::NPC, ItemId::new(0)));
    let quest = |world, goal| bytes(|| AnyQuest::new(scenario, world, goal, Abilities::default()));
    [
        quest(&begin, &goals[0]),
        quest(&begin, &goals[1]),
        quest(&elsewhere, &goals[0]),
        quest(&opened, &goals[1]),
        quest(&given, &goals[0]),
        quest(&begin, &goals[0]),
    ]
}

// One test, because tests in one program share the allocator.
#[test]
fn the_size_of_the_level_makes_no_difference() {
    for more in ["", BEASTS] {
        let [small, large] = [level(20, more), level(500, more)];
        // Whatever is worked out once is worked out by the first.
        let [small, large] = [&small, &large].map(|scenario| quests(scenario)[1..].to_vec());
        assert_eq!(small, large, "{more}");
        assert!(large.iter().all(|bytes| *bytes < 4096), "{large:?}");
    }
    let scenario = level(500, BEASTS);
    let world = World::new(&scenario);
    let careful = || {
        let margins = Margins {
            damage: 3.0,
            radius: 2.0,
        };
        let careful = scenario.clone().with_margins(margins);
        QuestProblem::new(&careful, &world, careful.goal(), Abilities::default())
    };
    drop(careful());
    let asked = bytes(careful);
    assert!(asked < 4096, "{asked} bytes for more careful plans");
    assert_eq!(bytes(|| scenario.clone()), 0);
    // Nothing is told again.
    assert_eq!(bytes(|| (scenario.digest(), scenario.layout_digest())), 0);
}
