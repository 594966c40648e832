// Looks whether the files that are open were changed by somebody else: another program, or another tab.

import { toast } from './elements.js';

/** Milliseconds between two looks. */
const EVERY = 1500;

export class FileWatch {
  #connection;
  #watched;
  #timer = 0;
  /** What was known of each file when it was last looked at. */
  #stamps = new Map();
  #asking = false;

  /** `watched` says which files there are, each with what to do when it is another: path, act. */
  constructor(connection, watched) {
    this.#connection = connection;
    this.#watched = watched;
    document.addEventListener('visibilitychange', () => this.look());
    this.#timer = setInterval(() => this.look(), EVERY);
  }

  /** What is there now is known: somebody here has written or read it. */
  forget(path) {
    this.#stamps.delete(path);
  }

  async look() {
    if (this.#asking || document.hidden || !this.#connection.isOpen) return;
    const watched = this.#watched().filter(([path]) => path && !path.startsWith('built-in:'));
    if (watched.length === 0) return;
    this.#asking = true;
    try {
      const before = new Map(this.#stamps);
      const { stamps } = await this.#connection.ask({ ask: 'stamps', paths: watched.map(([path]) => path) });
      watched.forEach(([path, act], number) => {
        const known = this.#stamps.get(path);
        this.#stamps.set(path, stamps[number]);
        // What was forgotten meanwhile was written from here.
        if (known !== undefined && known === before.get(path) && stamps[number] !== null && known !== stamps[number]) this.#act(act);
      });
    } catch {
      // The page says that the studio is gone.
    } finally {
      this.#asking = false;
    }
  }

  /** What goes wrong with one file keeps nobody from looking at the others. */
  async #act(act) {
    try {
      await act();
    } catch (error) {
      // If the studio is gone, the page says so.
      if (this.#connection.isOpen) toast(error.message, 'wrong');
    }
  }
}
