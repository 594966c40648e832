// The studio in WebAssembly: texts in, texts out. What it can be called by is in crates/page.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Planner {
  #wasm;
  #said = [];
  #wrote = [];
  #complaints = [];

  /** `module`: the compiled program. */
  constructor(module) {
    const text = (at, length) => decoder.decode(new Uint8Array(this.#wasm.memory.buffer, at, length));
    const page = {
      now: () => performance.now(),
      say: (at, length) => this.#said.push(text(at, length)),
      wrote: (path, pathLength, at, length) => this.#wrote.push([text(path, pathLength), text(at, length)]),
      complain: (at, length) => this.#complaints.push(text(at, length)),
    };
    this.#wasm = new WebAssembly.Instance(module, { page }).exports;
  }

  /** What it holds, in bytes: nothing is ever given back to the browser. */
  get bytes() {
    return this.#wasm.memory.buffer.byteLength;
  }

  /** Hears a question, as text. Returns what is `said`, as texts, and the files that it `wrote`. */
  hear(question) {
    this.#call(() => this.#wasm.hear(this.#fill(question)));
    return { said: this.#said.splice(0), wrote: this.#wrote.splice(0) };
  }

  /** Plans for a few milliseconds. Returns what is `said`, and whether there is `more` to be done. */
  goOn() {
    const more = this.#call(() => this.#wasm.go_on()) === 1;
    return { said: this.#said.splice(0), more };
  }

  /** Puts a file in; says why if that cannot be, and otherwise null. */
  put(path, content) {
    const pathLength = encoder.encode(path).length;
    const all = this.#fill(path + content);
    const isDone = this.#call(() => this.#wasm.put(pathLength, all - pathLength)) === 1;
    return isDone ? null : this.#complaints.splice(0).join('\n');
  }

  remove(path) {
    this.#call(() => this.#wasm.remove(this.#fill(path)));
  }

  /** Puts a text where the program finds it; returns how many bytes it has. */
  #fill(text) {
    const bytes = encoder.encode(text);
    const at = this.#wasm.room(bytes.length);
    new Uint8Array(this.#wasm.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  /** Whatever fails here has said why before it ended. */
  #call(act) {
    try {
      return act();
    } catch (error) {
      throw new Error(this.#complaints.splice(0).join('\n') || String(error), { cause: error });
    }
  }
}
