//! Logs that are wrong are refused with the line and a remedy; logs that are right lose nothing.

use std::fmt::Write;

use apprentice_playstyle::{
    Activity, Playstyles, Recogniser, TooFewPlays, read_first_times, read_model, read_plays,
};

fn refused(text: &str) -> String {
    read_plays(text, "log").expect_err(text).to_string()
}

#[test]
fn every_mistake_has_its_line_and_a_remedy() {
    for (text, told) in [
        ("", "there is no event in it; a log has lines such as"),
        ("\n \n", "there is no event in it"),
        ("{\"t\": 1}\n", "line 1: an event has no name"),
        (
            "{\"t\": 1, \"e\": \"a\"}\n{\"t\": \"soon\", \"e\": \"b\"}\n",
            "line 2: `\"soon\"` is no time",
        ),
        ("{\"e\": \"a\"}", "line 1: `nothing` is no time"),
        ("{\"t\": 1, \"e\": \"a\"", "line 1: EOF"),
        ("{\"x\": 1}", "line 1: it is neither a play nor an event"),
        (
            "{\"t\": 2, \"e\": \"a\"}\n{\"t\": 1, \"e\": \"b\"}",
            "line 2: times run backwards in the play `log`, from 2 s to 1 s; sort",
        ),
        (
            "{\"id\": \"x\", \"events\": []}\n{\"id\": \"x\", \"events\": []}",
            "line 2: there are two plays `x`",
        ),
        (
            "when,what\n1,a\n",
            "line 1: there is no column `time` among `when`, `what`",
        ),
        (
            "time,event\n1,a\n2\n",
            "line 3: there are 1 fields, and the header has 2",
        ),
        ("time,event\nsoon,a\n", "line 2: `soon` is no time"),
        ("time,event\n1,\n", "line 2: an event has no name"),
        ("time,event\n2,a\n1,b\n", "line 3: times run backwards"),
        ("time,event\ninf,a\n", "line 2: `inf` is no time"),
    ] {
        let error = refused(text);
        assert!(error.contains(told), "{text:?}: {error}");
        assert!(error.contains("; "), "there is a remedy in {error}");
    }
}

#[test]
fn every_shape_of_log_is_read_alike() {
    let csv = "play,time,event,label\nx,1,\"a, b\",s\nx,2.5,c,s\ny,0,c,t\n";
    let lines = "{\"play\":\"x\",\"time\":1,\"event\":\"a, b\",\"label\":\"s\"}\n\
                 {\"play\":\"x\",\"t\":2.5,\"e\":\"c\",\"label\":\"s\"}\n\
                 {\"play\":\"y\",\"t\":0,\"e\":\"c\",\"label\":\"t\"}\n";
    let plays = "{\"id\":\"x\",\"label\":\"s\",\"events\":[{\"t\":1,\"e\":\"a, b\"},{\"t\":2.5,\"e\":\"c\"}]}\n\
                 {\"id\":\"y\",\"label\":\"t\",\"events\":[{\"t\":0,\"e\":\"c\"}]}\n";
    let read = |text: &str| read_plays(text, "log").expect("plays");
    assert_eq!(read(csv), read(plays));
    assert_eq!(read(lines), read(plays));
    assert_eq!(read(plays)[0].events[1].time, 2.5);
    assert_eq!(read("\u{feff}time,event\r\n1,a\r\n")[0].events[0].name, "a");
}

#[test]
fn one_event_is_a_play_but_too_little_to_learn_from() {
    let one = read_plays("time,event\n1,a\n", "log").expect("a play");
    assert_eq!(one[0].events.len(), 1);
    let error = Playstyles::learn(&one).expect_err("one play");
    assert_eq!(error, TooFewPlays::Fewer { plays: 1 });
    assert!(error.to_string().contains("give at least two plays"));
    let nothing = [Activity::new("a"), Activity::new("b")];
    assert!(Playstyles::learn(&nothing).is_err());
    let unlabelled = ["ab", "ba"].map(Activity::of_letters);
    let error = Playstyles::learn_labelled(&unlabelled).expect_err("no labels");
    assert!(error.to_string().contains("the play `ab` has no label"));
}

/// Names nobody knows, a million of them: nothing is lost, and beliefs go on.
#[test]
fn a_million_lines_are_read_and_watched() {
    let mut text = String::from("time,event\n");
    for line in 0..1_000_000 {
        let _ = writeln!(text, "{line},name{}", line % 100_000);
    }
    let plays = read_plays(&text, "long").expect("a play");
    assert_eq!(plays[0].events.len(), 1_000_000);
    let short = ["SSSG", "SSG", "CCG", "CG"].map(Activity::of_letters);
    let styles = Playstyles::learn(&short).expect("plays");
    assert!(!styles.classify(&plays[0]).known);
    let mut watching = Recogniser::new(styles.clone()).watch();
    let mut belief = apprentice_playstyle::StyleBelief::new(styles);
    for event in &plays[0].events[..20_000] {
        watching.observe(event.time, &event.name);
        belief.observe(&event.name);
    }
    assert!(!watching.is_known());
    assert_eq!(belief.now().probabilities(), [0.5, 0.5]);
}

#[test]
fn broken_models_say_how_to_make_one() {
    let styles = Playstyles::learn(&["SSG", "CG"].map(Activity::of_letters)).expect("plays");
    let model = apprentice_playstyle::write_model(&styles);
    for (text, told) in [
        (String::new(), "it is no model"),
        ("{}".to_owned(), "it is no model: missing field `format`"),
        (
            model.replace("apprentice-playstyles", "recipes"),
            "it is `recipes` version 1",
        ),
        (model.replace("\"class\":0", "\"class\":9"), "is of class 9"),
        (
            model.replace("[0.0,0]", "[0.0,99]"),
            "has an event that cannot be",
        ),
    ] {
        let error = read_model(&text).expect_err(&text).to_string();
        assert!(error.contains(told), "{error}");
        assert!(error.contains("`apprentice playstyle learn"), "{error}");
    }
}

#[test]
fn broken_tables_say_where() {
    for (text, told) in [
        ("", "there are no plays in it"),
        ("hello", "line 1: `hello` is not expected here"),
        (
            "@attribute a numeric\n@attribute c {x}\n@data\n1,2,x",
            "line 4: there are 3 fields, and 2 attributes",
        ),
        (
            "@attribute a numeric\n@attribute c {x}\n@data\nsoon,x",
            "line 4: `soon` is no number",
        ),
    ] {
        let error = read_first_times(text, 24.0).expect_err(text).to_string();
        assert!(error.contains(told), "{error}");
    }
}
