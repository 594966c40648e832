//! Whatever is wrong with a file of matches or results is said, with its line and what to try.

use apprentice_ratings::{
    CsvWrong, MatchWrong, Matches, Played, Selection, Side, read_matches, read_trials,
};
use proptest::prelude::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let errors = read_matches(text).expect_err("something is wrong");
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(said, expected);
}

#[test]
fn headers() {
    check(
        "",
        &["line 1: there is nothing in it; the first line names the columns"],
    );
    check(
        "anna,ben\nben,anna\n",
        &[
            "line 1: there is no column `winners`; the first line names the columns: \
             winners,losers[,score][,weights][,draw][,group]",
            "line 1: there is no column `losers`; the first line names the columns: \
             winners,losers[,score][,weights][,draw][,group]",
        ],
    );
    check(
        "winners,losers,date\na,b,today\n",
        &[
            "line 1: nobody knows what the column `date` means; leave it out, or call it winners, \
           losers, score, weights, draw, group",
        ],
    );
    check(
        "winners,losers,winners\na,b,c\n",
        &["line 1: the column `winners` is there twice; leave one out"],
    );
}

#[test]
fn every_wrong_line_is_named() {
    check(
        "winners,losers,score,weights\n\
         a,b,NaN,\n\
         a,b,-1,\n\
         a,b,much,\n\
         \n\
         a,,,\n\
         a+,b,,\n\
         a,a,,\n\
         a,b,,1\n\
         a,b,,1+-0.5\n\
         a,b,,1+NaN\n\
         a,b,,1+2\n\
         a,b,,0+1\n\
         a,b+c,,1+0+0\n\
         a,b,1\n\
         a,b,,\n",
        &[
            "line 15: the number of fields is 3, of columns 4; a field that holds a comma stands in quotes",
        ],
    );
    check(
        "# made by hand\n\
         winners,losers,score,weights\n\
         a,b,NaN,\n\
         a,b,-1,\n\
         a,b,much,\n\
         \n\
         a,,,\n\
         a+,b,,\n\
         a,a,,\n\
         a,b,,1\n\
         a,b,,1+-0.5\n\
         a,b,,1+NaN\n\
         a,b,,1+2\n\
         a,b,,0+1\n\
         a,b+c,,1+0+0\n\
         a,b,,\n",
        &[
            "line 3: the score is NaN; it is by how much the winners won, 0 or more",
            "line 4: the score is -1; it is by how much the winners won, 0 or more",
            "line 5: `much` in the column `score` is no number",
            "line 7: nobody is named among the losers; name at least one, several joined by `+`",
            "line 8: a name among the winners is empty; write names joined by one `+`, as in `anna+ben`",
            "line 9: `a` plays twice in this match; each player is on one side, once",
            "line 10: the number of weights is 1, of players 2; give one for each, the winners first, \
             joined by `+`, or none",
            "line 11: the weight of `b` is -0.5; it is the part of the match they played, from 0 to 1",
            "line 12: the weight of `b` is NaN; it is the part of the match they played, from 0 to 1",
            "line 13: the weight of `b` is 2; it is the part of the match they played, from 0 to 1",
            "line 14: the winners did not play: all their weights are 0; leave the match out, or \
             correct the weights",
            "line 15: the losers did not play: all their weights are 0; leave the match out, or \
             correct the weights",
        ],
    );
}

#[test]
fn draws() {
    check(
        "winners,losers,draw,score\na,b,perhaps,\na,b,yes,3\n",
        &[
            "line 2: `perhaps` in the column `draw` should be `yes`, `no` or nothing",
            "line 3: it is a draw, and yet won by 3; leave out one of the two",
        ],
    );
}

#[test]
fn a_quote_that_is_never_closed_loses_nothing_in_silence() {
    let errors = read_matches("winners,losers\n\"a,b\nc,d\n").unwrap_err();
    assert!(
        errors
            .iter()
            .any(|error| error.wrong == CsvWrong::OpenQuote && error.line == 2)
    );
}

#[test]
fn what_programs_write_is_read() {
    let text =
        "\u{feff}# by hand\r\nlosers,winners,group\r\n\"Smith, J\", anna + ben ,g\r\n#1,x,\r\n";
    let matches = read_matches(text).expect("two matches");
    let names: Vec<&str> = matches.names().collect();
    assert_eq!(names, ["anna", "ben", "Smith, J", "x", "#1"]);
    assert_eq!(read_matches("winners,losers\n").expect("none").len(), 0);
}

#[test]
fn a_wrong_match_changes_nothing() {
    let mut matches = Matches::new();
    matches.add(&Played::won(&["a"], &["b"])).unwrap();
    let before = matches.clone();
    let wrong = matches.add(&Played {
        weights: &[0.0, 1.0],
        ..Played::won(&["c"], &["d"])
    });
    assert_eq!(wrong, Err(MatchWrong::DidNotPlay(Side::Winners)));
    assert_eq!(matches, before);
}

#[test]
fn results() {
    let check = |text: &str, selection: &Selection, expected: &str| {
        let errors = read_trials(text, selection).expect_err("something is wrong");
        assert_eq!(errors[0].to_string(), expected);
    };
    let plain = Selection::default();
    check(
        "planner,scenario,cost\nauto,cave,3\n",
        &plain,
        "line 1: there is no column `work`; the first line names the columns: planner, scenario, and \
         one of work, units, time_ms; this one has planner, scenario, cost",
    );
    check(
        "planner,scenario,work\nauto,cave,lots\n",
        &plain,
        "line 2: `lots` in the column `work` is no number",
    );
    check(
        "planner,scenario,work\nauto,cave,-3\n",
        &plain,
        "line 2: -3 is no limit and no measurement; it must be a number, more than 0 for a limit",
    );
    let only = Selection {
        only: vec![("bound".to_owned(), vec!["10".to_owned()])],
        ..plain
    };
    let text = "planner,scenario,bound,work\nauto,cave,1,3\nauto,cave,10,5\n";
    let trials = read_trials(text, &only).expect("one trial");
    assert_eq!(trials.trials.len(), 1);
    assert_eq!(trials.trials[0].circumstances, "bound 10");
    let same = "planner,scenario,work\ncave,cave,3\n";
    let trials = read_trials(same, &Selection::default()).expect("a trial");
    assert!(
        trials
            .matches(&[1.0])
            .unwrap_err()
            .to_string()
            .starts_with("`cave` is a planner, and")
    );
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "(winners|losers|score|weights|[ab+,\"#\n 0-9.-]){0,60}") {
        let _ = read_matches(&text);
        let _ = read_trials(&text, &Selection::default());
    }

    #[test]
    fn nothing_is_lost(names in prop::collection::vec(("[a-c]", "[d-f]"), 0..30)) {
        let rows: String = names.iter().map(|(one, other)| format!("{one},{other}\n")).collect();
        let matches = read_matches(&format!("winners,losers\n{rows}")).expect("matches");
        prop_assert_eq!(matches.len(), names.len());
        for (game, (one, other)) in matches.iter().zip(&names) {
            prop_assert_eq!(matches.name(game.winners[0].player), one);
            prop_assert_eq!(matches.name(game.losers[0].player), other);
        }
    }
}
