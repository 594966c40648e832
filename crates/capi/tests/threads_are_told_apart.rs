//! Several threads at once: whoever uses a handle that another is using is told, errors are told to the
//! thread that made them, and nobody crashes.

use std::sync::atomic::{AtomicU64, Ordering};

use apprentice_c::*;

const HALL: &str = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\nmap = { rows = ['.....'] }";

fn hall() -> ApprenticeHandle {
    let mut level = 0;
    // SAFETY: texts have their lengths, and there is room for a handle.
    let status = unsafe {
        apprentice_level_read(
            "hall".as_ptr().cast(),
            4,
            HALL.as_ptr().cast(),
            HALL.len(),
            None,
            std::ptr::null_mut(),
            &raw mut level,
        )
    };
    assert_eq!(status, ApprenticeStatus::Ok);
    level
}

fn last_error() -> String {
    let mut buffer = vec![0u8; 1000];
    // SAFETY: there is room for as many bytes.
    let length = unsafe { apprentice_last_error(buffer.as_mut_ptr().cast(), buffer.len()) };
    buffer.truncate(length.min(999));
    String::from_utf8(buffer).expect("text")
}

#[test]
fn one_handle_on_many_threads() {
    let level = hall();
    let mut cast = 0;
    // SAFETY: there is room for a handle.
    let status = unsafe { apprentice_cast_new(level, &raw mut cast) };
    assert_eq!(status, ApprenticeStatus::Ok);
    let mut number = 0;
    // SAFETY: the text has its length, null has none, and there is room for a number.
    let status = unsafe {
        apprentice_cast_add(
            cast,
            "anna".as_ptr().cast(),
            4,
            std::ptr::null(),
            0,
            &raw mut number,
        )
    };
    assert_eq!(status, ApprenticeStatus::Ok);
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let done = &done;
            scope.spawn(move || {
                for _ in 0..2_000 {
                    // SAFETY: null is allowed here.
                    let status = unsafe { apprentice_cast_think(cast, 10, std::ptr::null_mut()) };
                    match status {
                        ApprenticeStatus::Ok => done.fetch_add(1, Ordering::Relaxed),
                        other => {
                            assert_eq!(other, ApprenticeStatus::Busy, "{}", last_error());
                            assert!(last_error().contains("using this handle"));
                            0
                        }
                    };
                    // Everybody hears of its own mistakes only.
                    let wrong = u64::MAX - thread;
                    assert_eq!(apprentice_free(wrong), ApprenticeStatus::BadHandle);
                    assert!(last_error().contains(&wrong.to_string()));
                }
            });
        }
    });
    assert!(done.load(Ordering::Relaxed) > 0);
    // Freed by one while others use it: each call is done, or told.
    std::thread::scope(|scope| {
        for thread in 0..4 {
            scope.spawn(move || {
                for call in 0..500 {
                    if thread == 0 && call == 100 {
                        assert_eq!(apprentice_free(cast), ApprenticeStatus::Ok);
                    }
                    let status = apprentice_cast_pass(cast, 0.01);
                    let allowed = [
                        ApprenticeStatus::Ok,
                        ApprenticeStatus::Busy,
                        ApprenticeStatus::BadHandle,
                    ];
                    assert!(allowed.contains(&status), "{status:?} {}", last_error());
                }
            });
        }
    });
    assert_eq!(
        apprentice_cast_pass(cast, 0.01),
        ApprenticeStatus::BadHandle
    );
    assert_eq!(apprentice_free(level), ApprenticeStatus::Ok);
}
