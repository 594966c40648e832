//! States of a branch, each kept as long as a decision needs it.

/// States that decisions of the current branch still need.
#[derive(Clone, Debug)]
pub(crate) struct States<S> {
    slots: Vec<Option<S>>,
    users: Vec<u32>,
    free: Vec<u32>,
}

impl<S> States<S> {
    pub(crate) fn new() -> States<S> {
        States {
            slots: Vec::new(),
            users: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, state: S) -> u32 {
        if let Some(slot) = self.free.pop() {
            self.slots[slot as usize] = Some(state);
            self.users[slot as usize] = 1;
            return slot;
        }
        self.slots.push(Some(state));
        self.users.push(1);
        (self.slots.len() - 1) as u32
    }

    pub(crate) fn get(&self, slot: u32) -> &S {
        self.slots[slot as usize].as_ref().expect("it is in use")
    }

    pub(crate) fn share(&mut self, slot: u32) {
        self.users[slot as usize] += 1;
    }

    pub(crate) fn release(&mut self, slot: u32, spare: &mut Vec<S>) {
        let users = &mut self.users[slot as usize];
        *users -= 1;
        if *users == 0 {
            spare.extend(self.slots[slot as usize].take());
            self.free.push(slot);
        }
    }
}
