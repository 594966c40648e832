//! People at the keyboard go along walls: who holds two arrows and cannot go between them goes where
//! one of them leads.

use apprentice::world::{AgentId, Direction, Order, Scenario, World};

/// The order as it is meant in this place.
pub(crate) fn slid(scenario: &Scenario, world: &World, agent: AgentId, order: Order) -> Order {
    let Order::Step(direction, stance) = order else {
        return order;
    };
    if !direction.is_diagonal() {
        return order;
    }
    let map = scenario.map();
    let place = world.place(agent, scenario);
    let from = map.point_of(place);
    let leads = |direction: Direction| {
        let (x, y) = direction.offset();
        map.steps_from(place).any(|step| {
            let to = map.point_of(step.place);
            let same = |moved: f64, wanted: i16| match wanted {
                0 => moved.abs() < 1e-9,
                wanted => moved * f64::from(wanted) > 1e-9,
            };
            same(to.x - from.x, x) && same(to.y - from.y, y)
        })
    };
    if leads(direction) {
        return order;
    }
    let along = match direction {
        Direction::NorthEast => [Direction::East, Direction::North],
        Direction::NorthWest => [Direction::West, Direction::North],
        Direction::SouthWest => [Direction::West, Direction::South],
        _ => [Direction::East, Direction::South],
    };
    let along = along.into_iter().find(|direction| leads(*direction));
    along.map_or(order, |direction| Order::Step(direction, stance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_holds_two_arrows_goes_along_the_wall() {
        let text = "format = 1\nstart = [1, 1]\ngoal = { all = [] }\nmap = { rows = ['###', '#..', '#.#'] }";
        let scenario = Scenario::parse(text).expect("it is a level");
        let world = World::new(&scenario);
        for (asked, done) in [
            ("walk north-east", "walk east"),
            ("sneak south-west", "sneak south"),
            ("walk north-west", "walk north-west"),
            ("walk south-east", "walk east"),
            ("walk north", "walk north"),
            ("wait", "wait"),
        ] {
            let order = asked.parse().expect("it is an order");
            let slid = slid(&scenario, &world, AgentId::NPC, order);
            assert_eq!(slid.to_string(), done, "{asked}");
        }
    }
}
