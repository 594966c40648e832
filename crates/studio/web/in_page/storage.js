// The files of the studio in the browser's own storage: they are there after a reload, and in every tab.

const NAME = 'apprentice-studio';
const FILES = 'files';

const done = (request) => new Promise((resolve, reject) => {
  request.addEventListener('success', () => resolve(request.result));
  request.addEventListener('error', () => reject(request.error));
});

export class Storage {
  #database = null;
  #channel = new BroadcastChannel(NAME);

  /** Opens it, where the browser has any. `changed` hears what other tabs write (a path and a text) or remove (a path and null). */
  static async open(changed) {
    const storage = new Storage();
    storage.#channel.addEventListener('message', ({ data }) => changed(...data));
    try {
      const opening = indexedDB.open(NAME, 1);
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(FILES));
      storage.#database = await done(opening);
    } catch {
      // Some browsers have none for pages that are looked at in private. What is written there is refused.
    }
    return storage;
  }

  /** Paths and texts. */
  async all() {
    if (!this.#database) return [];
    const files = this.#database.transaction(FILES).objectStore(FILES);
    const [paths, texts] = await Promise.all([done(files.getAllKeys()), done(files.getAll())]);
    return paths.map((path, index) => [path, texts[index]]);
  }

  put(path, text) {
    return this.#change((files) => files.put(text, path), [path, text]);
  }

  remove(path) {
    return this.#change((files) => files.delete(path), [path, null]);
  }

  /** Whole or not at all: it is done once the browser has it on its disk. */
  async #change(act, told) {
    if (!this.#database) throw new Error('the browser keeps no files for this page');
    const transaction = this.#database.transaction(FILES, 'readwrite');
    act(transaction.objectStore(FILES));
    await new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve);
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
    this.#channel.postMessage(told);
  }
}
