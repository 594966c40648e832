//! How long it takes to learn from a thousand plays, and to hear of an event.
//!
//! Seconds inform; ratios say whether something grows faster than it should.

use std::time::Instant;

use apprentice_playstyle::{Activity, Dice, Playstyles, Recogniser};

/// Plays of four styles, each with twenty events of its own among forty, in which a fifth is noise.
fn plays(count: usize) -> Vec<Activity> {
    let mut dice = Dice::new(1);
    let plays = (0..count).map(|number| {
        let style = number % 4;
        let mut play = Activity::new(format!("play {number}")).labelled(format!("style {style}"));
        let mut time = 0.0;
        for event in 0..50 {
            time += dice.unit() * 10.0;
            let name = if dice.unit() < 0.2 {
                dice.below(40)
            } else {
                style * 7 + event % 20
            };
            play.push(time, format!("event {name}"));
        }
        play
    });
    plays.collect()
}

fn main() {
    let mut before: Option<f64> = None;
    for count in [250, 500, 1_000] {
        let plays = plays(count);
        let begun = Instant::now();
        let styles = Playstyles::learn(&plays).expect("plays");
        let found = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let watching = Recogniser::new(Playstyles::learn_labelled(&plays).expect("labels")).watch();
        let grown = begun.elapsed().as_secs_f64();
        let mut followed = watching.anew();
        let begun = Instant::now();
        for event in &plays[0].events {
            followed.observe(event.time, &event.name);
        }
        let update = begun.elapsed().as_secs_f64() / plays[0].events.len() as f64;
        let ratio = before.map_or_else(String::new, |before| {
            format!(", {:.1} times", found / before)
        });
        before = Some(found);
        println!(
            "{count} plays: {} styles found in {found:.3} s{ratio}; labelled and grown in {grown:.3} s; an \
             update {:.1} µs",
            styles.classes().len(),
            update * 1e6
        );
    }
}
