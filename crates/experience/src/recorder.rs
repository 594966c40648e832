//! Records a demonstration while it is played: a sample at every interval, each a line of a log.

use crate::{DemonstrationLog, LogError, LogErrorKind, LogHeader, LoggedSample};

/// Records a demonstration while it is played. Whoever calls it writes the lines it returns, each
/// at once and whole, so that a crash of the game loses at most one sample. If the machine itself may
/// fail, the file must be synced now and then: what was not, may be lost.
///
/// ```
/// use apprentice_experience::{DemonstrationLog, LogHeader, LoggedSample, Place, Recorder};
///
/// let (mut recorder, mut log) = Recorder::new(LogHeader::default())?;
/// recorder.start(100.0);
/// for frame in 0..=120 {
///     let now = 100.0 + f64::from(frame) / 60.0;
///     let player = || LoggedSample { place: Place::flat(now, 5.0), ..LoggedSample::default() };
///     if let Some(line) = recorder.see(now, player).expect("clocks go forward") {
///         log += &line; // in a game: write it to a file, and flush
///     }
/// }
/// let read = DemonstrationLog::read(&log)?.log;
/// let times: Vec<f64> = read.samples.iter().map(|sample| sample.time).collect();
/// assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0]);
/// # Ok::<(), apprentice_experience::LogError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recorder {
    interval: f64,
    /// The time of the last line, as the log counts it.
    last: Option<f64>,
    /// Set between start and stop.
    running: Option<Running>,
    /// What has happened since the last line.
    events: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    /// When it was started, by the game's clock.
    started: f64,
    /// What the log's clock showed then.
    offset: f64,
    /// How many intervals after the start the next sample is due.
    next: f64,
}

/// Clocks made of many small steps are late by this part of an interval at most, and not asked to
/// wait for one more frame.
const ALMOST: f64 = 1e-6;

impl Recorder {
    /// Seconds between two samples where a header gives none.
    pub const INTERVAL: f64 = 0.5;

    /// A recorder for a new log, and the header line to begin it with.
    pub fn new(mut header: LogHeader) -> Result<(Recorder, String), LogError> {
        let interval = *header.interval.get_or_insert(Recorder::INTERVAL);
        let line = header.line()?;
        Ok((Recorder::at(interval, None), line))
    }

    /// A recorder that goes on where a log ends. The file must be cut to
    /// [`intact`](crate::ReadLog::intact) bytes before, and end with a line end.
    pub fn resume(log: &DemonstrationLog) -> Recorder {
        let interval = log.header.interval.unwrap_or(Recorder::INTERVAL);
        Recorder::at(interval, log.samples.last().map(|sample| sample.time))
    }

    fn at(interval: f64, last: Option<f64>) -> Recorder {
        Recorder {
            interval,
            last,
            running: None,
            events: Vec::new(),
        }
    }

    /// Starts recording at this time of the game's clock. The first sample is due at once. In a log
    /// that already has some, it comes one interval after the last.
    pub fn start(&mut self, now: f64) {
        self.running = Some(Running {
            started: now,
            offset: self.last.map_or(0.0, |last| last + self.interval),
            next: 0.0,
        });
    }

    /// Whether it has been started and not stopped.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Something happened; the next sample says so. Forgotten unless it is running.
    pub fn happened(&mut self, event: impl Into<String>) {
        if self.is_running() {
            self.events.push(event.into());
        }
    }

    /// Seconds until the next sample is due; `None` unless it is running.
    pub fn due_in(&self, now: f64) -> Option<f64> {
        let running = self.running?;
        Some((running.started + running.next * self.interval - now).max(0.0))
    }

    /// To be called every frame. If a sample is due, asks for it and returns its line. The time of
    /// the sample is set here.
    pub fn see(
        &mut self,
        now: f64,
        sample: impl FnOnce() -> LoggedSample,
    ) -> Result<Option<String>, LogErrorKind> {
        let Some(mut running) = self.running else {
            return Ok(None);
        };
        let intervals = (now - running.started) / self.interval;
        if intervals < running.next - ALMOST {
            return Ok(None);
        }
        let line = self.line(running, now, sample())?;
        running.next = (intervals + ALMOST).floor() + 1.0;
        self.running = Some(running);
        Ok(Some(line))
    }

    /// Stops. Returns a last line if something happened, or time passed, since the one before it.
    pub fn stop(
        &mut self,
        now: f64,
        sample: impl FnOnce() -> LoggedSample,
    ) -> Result<Option<String>, LogErrorKind> {
        let Some(running) = self.running.take() else {
            return Ok(None);
        };
        let time = running.offset + (now - running.started);
        let is_new = self
            .last
            .is_none_or(|last| time > last + ALMOST * self.interval);
        if !is_new && self.events.is_empty() {
            return Ok(None);
        }
        self.line(running, now, sample()).map(Some)
    }

    fn line(
        &mut self,
        running: Running,
        now: f64,
        mut sample: LoggedSample,
    ) -> Result<String, LogErrorKind> {
        sample.time = running.offset + (now - running.started);
        sample.events.extend(self.events.iter().cloned());
        let line = sample.line_after(self.last)?;
        self.events.clear();
        self.last = Some(sample.time);
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Place;

    fn at(x: f64) -> LoggedSample {
        LoggedSample {
            place: Place::flat(x, 0.0),
            ..LoggedSample::default()
        }
    }

    fn times(log: &str) -> Vec<f64> {
        let read = DemonstrationLog::read(log).expect("a log").log;
        read.samples.iter().map(|sample| sample.time).collect()
    }

    #[test]
    fn frames_of_any_length_give_samples_at_the_interval() {
        for frames in [1, 7, 60, 1000] {
            let (mut recorder, mut log) = Recorder::new(LogHeader::default()).expect("a header");
            recorder.start(0.0);
            let mut now = 0.0;
            for _ in 0..frames * 20 {
                log.extend(recorder.see(now, || at(now)).expect("forward"));
                now += 1.0 / f64::from(frames);
            }
            let times = times(&log);
            // Frames that are longer than the interval give a sample each.
            assert_eq!(times.len(), if frames == 1 { 20 } else { 40 });
            for pair in times.windows(2) {
                let late = 1.0 / f64::from(frames);
                assert!(pair[1] - pair[0] <= 0.5 + late + 1e-9, "{pair:?}");
            }
        }
    }

    #[test]
    fn nothing_is_recorded_unless_it_is_started() {
        let (mut recorder, log) = Recorder::new(LogHeader::default()).expect("a header");
        recorder.happened("nobody looks");
        assert_eq!(recorder.see(0.0, || at(0.0)), Ok(None));
        assert_eq!(recorder.stop(0.0, || at(0.0)), Ok(None));
        assert_eq!(recorder.due_in(0.0), None);
        assert_eq!(times(&log), [0.0; 0]);
    }

    #[test]
    fn what_happens_between_two_samples_is_in_the_second() {
        let (mut recorder, mut log) = Recorder::new(LogHeader::default()).expect("a header");
        recorder.start(3.0);
        log.extend(recorder.see(3.0, || at(0.0)).expect("forward"));
        recorder.happened("picked_up:red");
        log.extend(recorder.see(3.1, || at(0.1)).expect("forward"));
        log.extend(recorder.see(3.5, || at(0.5)).expect("forward"));
        recorder.happened("died");
        log.extend(recorder.stop(3.5, || at(0.5)).expect("forward"));
        let samples = DemonstrationLog::read(&log).expect("a log").log.samples;
        let events: Vec<&[String]> = samples.iter().map(|it| &it.events[..]).collect();
        assert_eq!(
            events,
            [&[][..], &["picked_up:red".to_owned()], &["died".to_owned()]]
        );
    }

    #[test]
    fn a_log_goes_on_where_it_ended() {
        let (mut recorder, mut log) = Recorder::new(LogHeader::default()).expect("a header");
        recorder.start(0.0);
        log.extend(recorder.see(0.0, || at(0.0)).expect("forward"));
        log.extend(recorder.stop(0.3, || at(0.3)).expect("forward"));
        // Once more with the same recorder, and once with another, much later.
        recorder.start(50.0);
        log.extend(recorder.see(50.0, || at(0.0)).expect("forward"));
        let read = DemonstrationLog::read(&log).expect("a log");
        let mut other = Recorder::resume(&read.log);
        other.start(-7.0);
        log.extend(other.see(-7.0, || at(0.0)).expect("forward"));
        log.extend(other.see(-6.5, || at(0.0)).expect("forward"));
        assert_eq!(times(&log), [0.0, 0.3, 0.8, 1.3, 1.8]);
    }

    #[test]
    fn a_recording_that_dies_at_any_byte_goes_on_and_has_lost_one_sample_at_most() {
        let record = |recorder: &mut Recorder, from: f64| {
            let mut lines = String::new();
            recorder.start(from);
            for step in 0..6 {
                let now = from + f64::from(step) * 0.5;
                recorder.happened("tür:auf");
                lines.extend(recorder.see(now, || at(now)).expect("forward"));
            }
            lines
        };
        let (mut recorder, mut log) = Recorder::new(LogHeader::default()).expect("a header");
        let header = log.len();
        log += &record(&mut recorder, 0.0);
        for cut in header..=log.len() {
            let left = &log.as_bytes()[..cut];
            let complete = left.iter().filter(|byte| **byte == b'\n').count() - 1;
            let read = DemonstrationLog::read(left).expect("a log");
            assert!(read.log.samples.len() >= complete);
            // Going on as the documentation of `resume` says.
            let mut mended = String::from_utf8(left[..read.intact].to_vec()).expect("text");
            if !mended.ends_with('\n') {
                mended.push('\n');
            }
            mended += &record(&mut Recorder::resume(&read.log), 100.0);
            let times = times(&mended);
            let expected: Vec<f64> = (0..times.len()).map(|it| it as f64 * 0.5).collect();
            assert_eq!(times, expected, "cut at {cut}");
            assert_eq!(times.len(), read.log.samples.len() + 6);
        }
    }

    #[test]
    fn clocks_that_go_backwards_or_nowhere_are_refused() {
        let (mut recorder, _) = Recorder::new(LogHeader::default()).expect("a header");
        recorder.start(0.0);
        assert!(recorder.see(5.0, || at(0.0)).is_ok());
        assert!(recorder.see(f64::NAN, || at(0.0)).is_err());
        assert!(recorder.see(f64::INFINITY, || at(0.0)).is_err());
        assert!(recorder.see(9.0, || at(f64::NAN)).is_err());
        assert!(
            recorder
                .see(4.0, || at(0.0))
                .is_ok_and(|line| line.is_none())
        );
        // It goes on as if nothing had been asked.
        assert!(
            recorder
                .see(9.0, || at(1.0))
                .is_ok_and(|line| line.is_some())
        );
    }

    #[test]
    fn an_interval_that_makes_no_sense_is_refused() {
        for interval in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let header = LogHeader {
                interval: Some(interval),
                ..LogHeader::default()
            };
            assert!(Recorder::new(header).is_err());
        }
    }
}
