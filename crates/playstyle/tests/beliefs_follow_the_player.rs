//! A belief is there from the beginning, moves while the player only walks, and notices a change.

use apprentice_playstyle::{Dice, Listening, Playstyles, PotentialEvent, StyleBelief};
use proptest::prelude::*;

use crate::made_up_players::{play, plays};

fn belief() -> StyleBelief {
    StyleBelief::new(Playstyles::learn_labelled(&plays(40, 0.2, 7)).expect("plays"))
}

/// Which class is called that.
fn class(belief: &StyleBelief, name: &str) -> usize {
    let mut classes = belief.styles().classes().iter();
    classes
        .position(|class| class.name == name)
        .expect("a class")
}

fn toward(name: &str, distance: f64, distance_before: f64) -> PotentialEvent {
    PotentialEvent {
        name: name.to_owned(),
        distance,
        distance_before,
    }
}

#[test]
fn before_anything_happens_every_style_is_as_likely() {
    let belief = belief();
    assert_eq!(belief.now().probabilities(), [0.5, 0.5]);
    assert_eq!(belief.trust_in_deeds(), 0.0);
}

#[test]
fn who_sneaks_towards_wolves_is_likely_a_sneak_before_doing_anything() {
    let mut belief = belief();
    belief.moved(&[
        toward("sneak_past", 10.0, 12.5),
        toward("initiate_combat", 20.0, 18.0),
    ]);
    let (sneaks, fights) = (class(&belief, "sneaks"), class(&belief, "fights"));
    assert!(belief.now().of(sneaks) > belief.now().of(fights));
}

#[test]
fn belief_moves_while_the_player_only_walks() {
    let mut belief = belief();
    belief.observe("pick_up");
    let mut believed = Vec::new();
    for step in 0..5 {
        let near = 12.0 - f64::from(step);
        belief.moved(&[
            toward("sneak_past", near, near + 1.0),
            toward("kill", 20.0, 19.5),
        ]);
        believed.push(belief.now().of(class(&belief, "sneaks")));
    }
    assert!(
        believed.windows(2).all(|pair| pair[0] != pair[1]),
        "{believed:?}"
    );
}

#[test]
fn deeds_count_more_the_more_there_are() {
    let mut belief = belief();
    let mut before = belief.trust_in_deeds();
    for _ in 0..12 {
        belief.observe("kill");
        assert!(belief.trust_in_deeds() > before);
        before = belief.trust_in_deeds();
    }
}

/// Whoever changes from one style to the other is noticed within the window.
#[test]
fn a_change_of_style_is_noticed_within_the_window() {
    let window = Listening::default().window;
    let mut noticed_late = 0;
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        let mut belief = belief();
        for event in play(0, 30, 0.0, &mut dice).events {
            belief.observe(&event.name);
        }
        let (sneaks, fights) = (class(&belief, "sneaks"), class(&belief, "fights"));
        assert!(belief.now().of(fights) > belief.now().of(sneaks));
        for event in play(1, window, 0.0, &mut dice).events {
            belief.observe(&event.name);
        }
        noticed_late += usize::from(belief.now().of(sneaks) <= belief.now().of(fights));
    }
    assert_eq!(noticed_late, 0);
}

proptest! {
    #[test]
    fn whatever_happens_beliefs_add_up(
        deeds in prop::collection::vec("[a-z]{1,3}|kill|hide|pick_up", 0..30),
        places in prop::collection::vec((-1.0_f64..1e6, prop::num::f64::ANY), 0..5),
        smoothing in 0.0_f64..1.0,
    ) {
        let listening = Listening { smoothing, ..Listening::default() };
        let mut belief = StyleBelief::listening(belief().styles().clone(), listening);
        for deed in &deeds {
            belief.observe(deed);
            let events: Vec<PotentialEvent> =
                places.iter().map(|(now, before)| toward("hide", *now, *before)).collect();
            belief.moved(&events);
            let sum: f64 = belief.now().probabilities().iter().sum();
            prop_assert!((sum - 1.0).abs() < 1e-9);
        }
    }
}
