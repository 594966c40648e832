//! Two styles with noise are found without labels, and told apart.

use apprentice_playstyle::{Activity, Dice, Method, Playstyles, Recogniser, cross_validate};

use crate::made_up_players::{STYLES, play, plays};

/// How many of some plays are told right by all others.
fn leave_one_out(plays: &[Activity], tell: impl Fn(&[Activity], &Activity) -> String) -> usize {
    let right = (0..plays.len()).filter(|left_out| {
        let mut others = plays.to_vec();
        let asked = others.remove(*left_out);
        Some(tell(&others, &asked)) == asked.label
    });
    right.count()
}

/// The label that most plays of a class have.
fn label_of(styles: &Playstyles, class: usize) -> String {
    let members = &styles.classes()[class].members;
    let fighting = members.iter().filter(|play| {
        let label = styles.plays()[**play].label.as_deref();
        label == Some(STYLES[0].0)
    });
    let fighting = fighting.count() * 2 > members.len();
    STYLES[usize::from(!fighting)].0.to_owned()
}

#[test]
fn one_play_in_five_events_of_noise_is_told_by_the_others() {
    let plays = plays(40, 0.2, 7);
    let by_formula = leave_one_out(&plays, |others, asked| {
        let styles = Playstyles::learn(others).expect("plays");
        label_of(&styles, styles.classify(asked).class)
    });
    assert!(by_formula >= 36, "{by_formula} of 40");
    let by_labels = leave_one_out(&plays, |others, asked| {
        let recogniser = Recogniser::new(Playstyles::learn_labelled(others).expect("plays"));
        let verdict = recogniser.as_of(f64::INFINITY).classify(asked);
        recogniser.styles().classes()[verdict.class].name.clone()
    });
    assert!(by_labels >= 36, "{by_labels} of 40");
}

/// The largest two classes have one style each.
#[test]
fn classes_without_labels_are_the_styles() {
    let plays = plays(60, 0.2, 3);
    let styles = Playstyles::learn(&plays).expect("plays");
    let mut largest: Vec<&apprentice_playstyle::Class> = styles.classes().iter().collect();
    largest.sort_by_key(|class| std::cmp::Reverse(class.members.len()));
    for class in largest.iter().take(2) {
        let fighting = class.members.iter().filter(|play| **play % 2 == 0).count();
        let pure = fighting.max(class.members.len() - fighting) as f64 / class.members.len() as f64;
        assert!(pure >= 0.9, "{pure} of {:?}", class.members);
    }
}

/// Events that only one style has tell it.
#[test]
fn the_most_telling_events_are_those_of_the_style() {
    let styles = Playstyles::learn_labelled(&plays(40, 0.2, 5)).expect("plays");
    let telling = styles.telling(0, 5);
    assert!(
        telling
            .iter()
            .any(|it| it.events.contains(&"kill".to_owned())),
        "{telling:?}"
    );
    assert!(telling.iter().all(|it| it.here > it.elsewhere));
}

#[test]
fn what_nobody_ever_did_is_unknown() {
    let styles = Playstyles::learn_labelled(&plays(40, 0.2, 5)).expect("plays");
    let mut dancing = Activity::new("dances");
    for second in 0..20 {
        dancing.push(
            f64::from(second),
            ["spin", "bow", "jump"][second as usize % 3],
        );
    }
    let verdict = styles.classify(&dancing);
    assert!(!verdict.known);
    assert_eq!(verdict.distribution.of(0), 0.5);
    let recogniser = Recogniser::new(styles);
    assert!(!recogniser.as_of(20.0).classify(&dancing).known);
    let fighting = play(0, 20, 0.1, &mut Dice::new(99));
    assert!(recogniser.styles().classify(&fighting).known);
    assert!(recogniser.as_of(1e4).classify(&fighting).known);
}

/// A tell at the beginning, then a long time of what everybody does: the formula forgets, we do not.
#[test]
fn long_histories_do_not_dilute_what_is_telling() {
    let mut dice = Dice::new(11);
    let mut told = Vec::new();
    for number in 0..60 {
        let style = number % 2;
        let mut play = Activity::new(format!("play {number}")).labelled(STYLES[style].0);
        for (event, name) in ["torch", "bow"].iter().enumerate() {
            // One style lights a torch before it takes the bow, the other the other way round.
            let late = (event + style) % 2;
            play.events.push(apprentice_playstyle::Event {
                time: 1.0 + late as f64 + dice.unit() * 0.5,
                name: (*name).to_owned(),
            });
        }
        play.events.sort_by(|a, b| a.time.total_cmp(&b.time));
        let mut time = 5.0;
        for _ in 0..150 {
            time += 1.0 + dice.unit();
            play.push(
                time,
                ["step", "turn", "look", "wait", "jump"][dice.below(5)],
            );
        }
        told.push(play);
    }
    let recogniser = Method::Recogniser(apprentice_playstyle::Growing::default());
    let early = cross_validate(&told, recogniser, 4.0, 10, 1).expect("plays");
    let late = cross_validate(&told, recogniser, 400.0, 10, 1).expect("plays");
    let formula = cross_validate(&told, Method::Formula, 400.0, 10, 1).expect("plays");
    println!("{early:?} {late:?} {formula:?}");
    assert!(early.accuracy() >= 0.95, "{early:?}");
    assert!(late.accuracy() >= 0.9, "{late:?}");
    assert!(late.right > formula.right, "{late:?} {formula:?}");
}

#[test]
fn a_play_that_is_watched_is_told_as_one_that_is_over() {
    let plays = plays(80, 0.2, 21);
    let (learned, asked) = plays.split_at(60);
    let recogniser = Recogniser::new(Playstyles::learn_labelled(learned).expect("plays"));
    let watching = recogniser.watch();
    let mut right = 0;
    for play in asked {
        let mut watching = watching.anew();
        for event in &play.events {
            watching.observe(event.time, &event.name);
            let sum: f64 = watching.now().probabilities().iter().sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
        let name = &recogniser.styles().classes()[watching.now().most_likely()].name;
        right += usize::from(play.label.as_ref() == Some(name));
    }
    assert!(right >= 18, "{right} of 20");
}

/// Learning a thousand plays takes no more rounds than it should: by count, not by the clock.
#[test]
fn the_same_plays_teach_the_same() {
    let plays = plays(100, 0.3, 2);
    let one = Playstyles::learn(&plays).expect("plays");
    let other = Playstyles::learn(&plays).expect("plays");
    assert_eq!(one.classes(), other.classes());
    let asked = &plays[3];
    let tell = |styles| Recogniser::new(styles).as_of(60.0).classify(asked);
    assert_eq!(tell(one), tell(other));
}
