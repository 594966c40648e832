//! A character that waits has a reason, and goes on as soon as it has none.

use std::time::Duration;

use apprentice_behavior::{Character, Doing, Patience, Settings, WhyStuck};
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, DoorId, ItemId, LeverId, Observation, Orders, Point, Scenario, World,
};

const TICK: Duration = Duration::from_millis(100);
const NPC: AgentId = AgentId::NPC;
const ENEMY: AgentId = AgentId::Enemy(0);

/// A game with one character.
struct Game {
    scenario: Scenario,
    /// How bodies really move, if that is not what the scenario says.
    body: Option<Scenario>,
    world: World,
    character: Character<Scenario>,
    units: u64,
    taken: u64,
}

impl Game {
    fn new(text: &str, units: u64) -> Game {
        let scenario = parse(text);
        let checked = Settings::default().check(&scenario, []);
        let planner = checked.expect("the settings are sound").planner;
        Game {
            world: World::new(&scenario),
            character: Character::new(planner, Abilities::default()).with_tick(TICK),
            scenario,
            body: None,
            units,
            taken: 0,
        }
    }

    /// Plays for so many seconds, or until it does this.
    fn play_until(&mut self, seconds: u32, doing: Doing) -> Doing {
        for _ in 0..seconds * 10 {
            let mut budget = Budget::units(self.units);
            let order = self
                .character
                .decide(&self.scenario, &self.world, &mut budget);
            self.taken += budget.taken();
            if self.character.doing() == doing {
                return doing;
            }
            let rules = self.body.as_ref().unwrap_or(&self.scenario);
            self.world
                .advance(rules, &Orders::new(order), TICK, &mut ());
        }
        self.character.doing()
    }

    fn finish(&mut self) -> Doing {
        self.play_until(300, Doing::Done)
    }

    fn observe(&mut self, disturbance: Observation) {
        self.world.observe(&self.scenario, disturbance);
    }
}

fn parse(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A field of cells, as rows of a file.
fn field(width: usize, height: usize) -> String {
    vec![format!("\"{}\"", ".".repeat(width)); height].join(", ")
}

/// A key in the north-west, a gate in the middle of a wall, the goal behind it, and a wolf far away.
fn vault() -> String {
    let mut rows: Vec<String> = vec![".".repeat(24); 24];
    rows[12] = format!("{}.{}", "#".repeat(12), "#".repeat(11));
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    format!(
        r#"
        format = 1
        start = [12, 4]
        goal = {{ within = {{ at = [12, 20], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        door = [{{ id = "gate", at = [[12, 12]] }}]
        key = [{{ id = "red", at = [2, 2], opens = ["gate"] }}]
        enemy = [{{ id = "grey", kind = "wolf", at = [23, 23] }}]
        "#,
        rows.join(", ")
    )
}

#[test]
fn a_key_that_is_stolen_for_five_seconds_costs_five_seconds() {
    for stolen_after in [0, 3, 12] {
        let mut game = Game::new(&vault(), 200);
        game.play_until(stolen_after, Doing::Done);
        game.observe(Observation::Remove(ItemId::new(0)));
        game.play_until(5, Doing::Done);
        game.observe(Observation::Return(ItemId::new(0)));
        assert_eq!(game.finish(), Doing::Done, "stolen after {stolen_after} s");
        let seconds = game.world.time().as_secs();
        assert!(seconds < 90, "stolen after {stolen_after} s: {seconds} s");
    }
}

#[test]
fn without_a_key_it_is_known_at_once() {
    for more in ["", "player = { at = [14, 4] }"] {
        let mut game = Game::new(&format!("{}\n{more}", vault()), 200);
        game.observe(Observation::Remove(ItemId::new(0)));
        assert_eq!(game.play_until(60, Doing::Stuck), Doing::Stuck, "{more}");
        assert_eq!(
            game.character.why_stuck(),
            Some(&WhyStuck::NoPlan),
            "{more}"
        );
        // Getting ready sweeps the field a few times, and nothing is searched.
        assert!(game.taken < 24 * 24 * 8, "{more}: {}", game.taken);
    }
}

/// The only way leads past a bear who hurts too much, or hears too well.
fn past_a_bear(health: u32) -> String {
    format!(
        r#"
        format = 1
        start = [0, 1]
        health = {health}
        goal = {{ within = {{ at = [29, 1], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        enemy = [{{ id = "bear", kind = "bear", at = [15, 1] }}]
        "#,
        field(30, 3)
    )
}

#[test]
fn whoever_is_stuck_notices_that_things_are_better() {
    let cases = [
        ("healed", Observation::Health(NPC, 100.0)),
        ("the enemy is weakened", Observation::Health(ENEMY, 10.0)),
        ("the enemy is dead", Observation::Health(ENEMY, 0.0)),
    ];
    for (name, better) in cases {
        let mut game = Game::new(&past_a_bear(20), 2_000);
        assert_eq!(game.play_until(60, Doing::Stuck), Doing::Stuck, "{name}");
        game.observe(better);
        assert_eq!(game.finish(), Doing::Done, "{name}");
    }
}

#[test]
fn what_moves_a_little_or_goes_by_the_clock_is_looked_at_again() {
    // Something is in the way when it thinks, and elsewhere two seconds later; plans do not wait.
    let cart = r##"
        format = 1
        start = [0, 0]
        goal = { within = { at = [4, 0], radius = 0.0 } }
        map = { rows = [".....", "#.###"] }
        obstacle = [{ id = "cart", path = [[1, 0], [1, 1]], seconds = 3.0 }]
        "##;
    let gate = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [4, 0], radius = 0.0 } }
        map = { rows = ["....."] }
        door = [{ id = "gate", at = [[1, 0]], cycle = { open = 2.0, closed = 7.0, offset = 3.0 } }]
        "#;
    for text in [cart, gate] {
        let mut game = Game::new(text, 500);
        assert_eq!(game.finish(), Doing::Done, "{text}");
    }
}

/// A wolf is so near that the margin of its radius leaves no way, and there is one.
#[test]
fn margins_do_not_make_a_safe_way_impossible() {
    let text = r#"
        format = 1
        start = [0, 0]
        health = 12
        goal = { within = { at = [4, 0], radius = 0.0 } }
        map = { rows = [".........."] }
        enemy = [{ id = "grey", kind = "wolf", at = [9, 0] }]
        "#;
    let mut game = Game::new(text, 2_000);
    assert_eq!(game.finish(), Doing::Done);
    assert!(!game.world.is_dead(NPC, &game.scenario));
}

#[test]
fn what_does_not_matter_to_the_plan_causes_no_other() {
    let text = format!(
        r#"
        format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [29, 0], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        door = [{{ id = "shed", at = [[3, 28]], open = true }}]
        lever = [{{ id = "winch", at = [5, 28], opens = ["shed"] }}]
        key = [{{ id = "red", at = [2, 28], opens = ["shed"] }}]
        enemy = [{{ id = "grey", kind = "wolf", at = [5, 29] }}]
        "#,
        field(30, 30)
    );
    let mut game = Game::new(&text, 200);
    let far = Observation::Move(ENEMY, Point::new(20.0, 29.0), None);
    for irrelevant in [
        Observation::Shut(DoorId::new(0)),
        Observation::Remove(ItemId::new(0)),
        Observation::Pulled(LeverId::new(0), true),
        far,
        Observation::Health(ENEMY, 0.0),
    ] {
        game.play_until(3, Doing::Done);
        game.observe(irrelevant);
    }
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(
        game.character.plans(),
        1,
        "{:?}",
        game.character.deviation()
    );
    assert_eq!(game.character.deviation(), None);
}

#[test]
fn a_body_that_walks_a_little_slower_needs_no_other_plan() {
    let mut game = Game::new(&vault(), 200);
    let slower = format!("{}\n[rules]\nwalk = 0.8\nsneak = 0.4", vault());
    game.body = Some(parse(&slower));
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(
        game.character.plans(),
        1,
        "{:?}",
        game.character.deviation()
    );
}

/// Nobody kills a superwolf alone. That takes long to prove, and nobody waits for it.
#[test]
fn there_is_an_end_to_patience() {
    let text = format!(
        r#"
        format = 1
        start = [0, 0]
        goal = {{ dead = "white" }}
        map = {{ rows = [{}] }}
        enemy = [{{ id = "white", kind = "superwolf", at = [29, 29] }}]
        "#,
        field(30, 30)
    );
    let mut game = Game::new(&text, 500);
    game.character = Character::new(
        Settings::default()
            .check(&game.scenario, [])
            .expect("the settings are sound")
            .planner,
        Abilities::default(),
    )
    .with_patience(Patience {
        expansions: 1_000,
        bytes: 8 << 20,
    });
    assert_eq!(game.play_until(60, Doing::Stuck), Doing::Stuck);
    let why = game.character.why_stuck();
    assert!(
        matches!(why, Some(WhyStuck::GaveUp { expanded: 1_000.. })),
        "{why:?}"
    );
}
