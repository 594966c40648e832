//! Looks whether the files of the level and of its tasks have changed.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::Duration;

use bevy_app::{App, Plugin, PreUpdate};
use bevy_ecs::prelude::*;
use bevy_time::{Real, Time};

use crate::{Apprentices, Reload};

/// Reads the level and the domain of tasks anew when their files change, while the game runs. Only what
/// was [loaded](Apprentices::load) from files is watched, with the files it names.
///
/// Files are compared by what is in them, once in a while; nothing else of the machine is asked, so it
/// works wherever there are files. Games whose levels are assets go without it and write [`Reload`]
/// when an asset has changed.
pub struct ApprenticeWatchPlugin {
    /// How long it waits before it looks again, by the real time.
    pub every: Duration,
}

impl Default for ApprenticeWatchPlugin {
    /// Twice a second.
    fn default() -> ApprenticeWatchPlugin {
        ApprenticeWatchPlugin {
            every: Duration::from_millis(500),
        }
    }
}

impl Plugin for ApprenticeWatchPlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Reload>();
        app.insert_resource(Watched {
            every: self.every,
            passed: Duration::ZERO,
            known: Vec::new(),
        });
        let is_ready = resource_exists::<Apprentices>.and_then(resource_exists::<Time<Real>>);
        app.add_systems(PreUpdate, watch.run_if(is_ready));
    }
}

#[derive(Resource)]
struct Watched {
    every: Duration,
    passed: Duration,
    /// The files, and what was in them when they were looked at last.
    known: Vec<(Vec<PathBuf>, u64)>,
}

fn watch(
    time: Res<Time<Real>>,
    apprentices: Res<Apprentices>,
    mut watched: ResMut<Watched>,
    mut reloads: MessageWriter<Reload>,
) {
    watched.passed += time.delta();
    if !watched.known.is_empty() && watched.passed < watched.every {
        return;
    }
    watched.passed = Duration::ZERO;
    let before = std::mem::take(&mut watched.known);
    for (number, (reload, files)) in apprentices.files().into_iter().enumerate() {
        let now = digest(&files);
        // Another list of files was read just now, by whoever made it.
        if let Some((same, then)) = before.get(number)
            && *same == files
            && *then != now
        {
            reloads.write(reload);
        }
        watched.known.push((files, now));
    }
}

/// What is in files, in a number. A file that is not there, or not just now, is told from an empty one.
fn digest(files: &[PathBuf]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        std::fs::read(file).ok().hash(&mut hasher);
    }
    hasher.finish()
}
