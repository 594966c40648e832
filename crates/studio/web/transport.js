// The way to the studio: a socket to the program that serves this page. In a page that has its planner inside,
// in_page/transport.js takes the place of this file.

const STORE = 'apprentice-studio-token';

/** The token in the address the studio prints, or none. */
function takeToken() {
  const address = new URL(location);
  const token = address.searchParams.get('token');
  if (!token) return null;
  // Nobody should have to look at it, or pass it on in a screenshot.
  address.searchParams.delete('token');
  history.replaceState(null, '', address);
  return token;
}

/** Longer waits between attempts would look like nothing is being tried. */
const LONGEST_WAIT = 3000;

export class Transport {
  #tell;
  #socket = null;
  #wait = 250;
  /**
   * The token of this page's address, until the studio has answered to it. Any page can open the studio with
   * one of its own making, so only one that is good goes where other tabs find it.
   */
  #offered = takeToken();
  /** The files of a studio that is a program are on a disk. */
  files = null;

  /** Tells when it is `opened`, what is `heard`, and when it is `lost`: the answers to come as well; and why it is `closed`. */
  constructor(tell) {
    this.#tell = tell;
    this.#connect();
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(question) {
    this.#socket.send(JSON.stringify(question));
  }

  #connect() {
    // A studio that was started anew has another token, and whichever tab it opened has left it here.
    const token = this.#offered ?? localStorage.getItem(STORE) ?? '';
    const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#wait = 250;
      if (this.#offered) localStorage.setItem(STORE, this.#offered);
      this.#offered = null;
      this.#tell.opened();
    });
    socket.addEventListener('message', (message) => this.#tell.heard(JSON.parse(message.data)));
    socket.addEventListener('close', () => {
      this.#tellWhy(token);
      this.#tell.lost();
      setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    });
  }

  /** Says whether the studio is gone, or does not know this page. */
  async #tellWhy(token) {
    const answer = await fetch(`admits?token=${encodeURIComponent(token)}`).catch(() => null);
    const isStrange = answer?.status === 403;
    if (isStrange && token === this.#offered) {
      // The next attempt is made with the one that was good before, if there is one.
      this.#offered = null;
      if (localStorage.getItem(STORE)) return;
    }
    if (!this.isOpen) this.#tell.closed(isStrange ? 'strange' : 'gone');
  }
}
