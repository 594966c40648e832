//! Values that were worked out by hand, or published.

use apprentice_playstyle::{
    Activity, Peeling, Playstyles, Similarities, dominant_sets, exactly, similarity,
};

#[test]
fn likeness_has_the_values_worked_out_by_hand() {
    for (a, b, alike) in [
        ("aab", "ab", 2.0 / 3.0),
        ("abc", "acb", 0.5),
        ("ab", "ba", 2.0 / 3.0),
        ("SSSG", "SSG", 134.0 / 165.0),
        ("SSSG", "CCG", 2.0 / 11.0),
        ("", "", 1.0),
        ("", "ab", 0.0),
    ] {
        let found = similarity(&Activity::of_letters(a), &Activity::of_letters(b));
        assert!((found - alike).abs() < 1e-12, "{a} {b}: {found}");
    }
}

#[test]
fn three_that_are_alike_are_a_set_and_the_fourth_is_alone() {
    let alike = Similarities::of(4, |a, b| if a.max(b) < 3 { 0.9 } else { 0.1 });
    let clusters = dominant_sets(&alike, &Peeling::default());
    assert_eq!(clusters.sets.len(), 2);
    assert_eq!(clusters.sets[0].members, [0, 1, 2]);
    for share in &clusters.sets[0].participation {
        assert!((share - 1.0 / 3.0).abs() < 1e-9);
    }
    assert!((clusters.sets[0].cohesion - 0.6).abs() < 1e-9);
    assert_eq!(clusters.sets[1].members, [3]);
}

#[test]
fn sneaks_and_fighters_are_two_classes() {
    let plays = ["SSSG", "SSG", "SSSSG", "CCG", "CCCG", "CG"].map(Activity::of_letters);
    let styles = Playstyles::learn(&plays).expect("six plays");
    let [sneaks, fighters] = styles.classes() else {
        panic!("two classes");
    };
    assert_eq!(sneaks.members, [0, 1, 2]);
    for (found, published) in sneaks.participation.iter().zip([0.358, 0.304, 0.339]) {
        assert!((found - published).abs() < 1e-3, "{found}");
    }
    assert!((sneaks.cohesion - 0.547).abs() < 1e-3);
    assert_eq!(fighters.members, [3, 4, 5]);
}

#[test]
fn all_equally_alike_are_one_class() {
    let alike = Similarities::of(5, |_, _| 0.4);
    let clusters = dominant_sets(&alike, &Peeling::default());
    assert_eq!(clusters.sets.len(), 1);
    assert_eq!(clusters.sets[0].members, [0, 1, 2, 3, 4]);
}

#[test]
fn those_who_hold_together_too_little_are_in_no_class() {
    let alike = Similarities::of(3, |_, _| 0.12);
    let clusters = dominant_sets(&alike, &Peeling::default());
    assert!(clusters.sets.is_empty());
    assert_eq!(clusters.unclassified, [0, 1, 2]);
}

#[test]
fn own_functions_are_those_of_the_platform_to_the_last_digits() {
    for step in -700..700 {
        let x = f64::from(step) * 1.007;
        if x < 709.0 && x > -708.0 {
            let (own, platform) = (exactly::exp(x), x.exp());
            assert!(
                (own - platform).abs() <= platform * 1e-12,
                "exp {x}: {own} {platform}"
            );
            let (own, platform) = (exactly::ln(platform), platform.ln());
            assert!(
                (own - platform).abs() <= platform.abs() * 1e-13 + 1e-15,
                "{x}: {own} {platform}"
            );
        }
    }
}
