// Speaks to the program as a page does, without a browser: texts through a socket (RFC 6455).

import http from 'node:http';
import { randomBytes } from 'node:crypto';

const TEXT = 0x81;

export class SocketClient {
  #bytes = Buffer.alloc(0);
  #heard = [];
  #waiting = [];

  static async open(address) {
    const client = new SocketClient();
    const { origin, host, searchParams } = new URL(address);
    const asked = http.get(`${origin}/socket?token=${searchParams.get('token')}`, {
      headers: {
        Host: host, Origin: origin, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      },
    });
    client.socket = await new Promise((resolve, reject) => {
      asked.on('upgrade', (answer, socket, first) => {
        resolve(socket);
        socket.on('data', (bytes) => client.#take(bytes));
        client.#take(first);
      });
      asked.on('response', ({ statusCode }) => reject(new Error(`the program answers ${statusCode}`)));
      asked.on('error', reject);
    });
    return client;
  }

  send(text) {
    const bytes = Buffer.from(text);
    const head = Buffer.alloc(14);
    head[0] = TEXT;
    // Clients mask what they send; a mask of nothing is one, too.
    head[1] = 0x80 | 127;
    head.writeBigUInt64BE(BigInt(bytes.length), 2);
    this.socket.write(Buffer.concat([head, bytes]));
  }

  /** The next text. */
  next() {
    if (this.#heard.length > 0) return Promise.resolve(this.#heard.shift());
    return new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  /** The program sends whole messages, and masks nothing. */
  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const all = this.#bytes;
      const short = all.length > 1 ? all[1] : 0;
      const [start, known] = { 126: [4, 4], 127: [10, 10] }[short] ?? [2, 2];
      if (all.length < known) return;
      const length = { 126: () => all.readUInt16BE(2), 127: () => Number(all.readBigUInt64BE(2)) }[short]?.() ?? short;
      if (all.length < start + length) return;
      const text = all.subarray(start, start + length).toString();
      this.#bytes = all.subarray(start + length);
      const waits = this.#waiting.shift();
      if (waits) waits(text);
      else this.#heard.push(text);
    }
  }

  close() {
    this.socket.destroy();
  }
}
