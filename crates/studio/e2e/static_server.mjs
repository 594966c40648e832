// A server of files as there are many: it knows nothing of the studio, sends no headers but the kind of a file, and has the
// folder somewhere below its root.

import http from 'node:http';
import path from 'node:path';
import { readFile } from 'node:fs/promises';

const BELOW = '/games/try it/';
const KINDS = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

export class StaticServer {
  static async start(folder) {
    const served = new StaticServer();
    served.server = http.createServer(async (request, response) => {
      const asked = decodeURI(new URL(request.url, 'http://localhost').pathname);
      const name = asked.startsWith(BELOW) ? asked.slice(BELOW.length) || 'index.html' : '';
      const file = path.join(folder, path.normalize(`/${name}`));
      try {
        const bytes = await readFile(file);
        response.writeHead(200, { 'Content-Type': KINDS[path.extname(file)] ?? 'application/octet-stream' });
        response.end(bytes);
      } catch {
        response.writeHead(404);
        response.end();
      }
    });
    await new Promise((resolve) => { served.server.listen(0, '127.0.0.1', resolve); });
    served.address = `http://127.0.0.1:${served.server.address().port}${encodeURI(BELOW)}`;
    return served;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }
}
