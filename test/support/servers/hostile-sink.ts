import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface HostileSink extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** The received bodies as text, by path. */
  readonly received: ReadonlyMap<string, readonly string[]>;
  /** The number of bytes written so far in endless answers. */
  readonly written: () => number;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

const DRIP_MS = 500;
const LARGE = Buffer.alloc(64 * 1024, 'x');

/**
 * Opens an endpoint whose paths misbehave in different ways. `/status/<code>` answers with that
 * status, and with the header `Retry-After` if the query names one. Others hang, send slowly, never
 * end or are reset.
 */
export async function openHostileSink(): Promise<HostileSink> {
  const received = new Map<string, string[]>();
  const state = { isOpen: true, written: 0 };

  /** Writes until the client stops reading. */
  const writeOn = async (response: ServerResponse, part: Buffer | string): Promise<void> => {
    const { socket } = response;
    while (state.isOpen && socket?.writable) {
      state.written += part.length;
      socket.write(part);
      await sleep(socket.writableNeedDrain ? 20 : 0);
    }
  };

  const answers: Readonly<Record<string, Answer>> = {
    hang: () => undefined,
    drip: async (response) => {
      response.writeHead(200);
      while (state.isOpen && response.writable) {
        response.write('.');
        await sleep(DRIP_MS);
      }
    },
    'endless-body': async (response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\n\r\n');
      await writeOn(response, LARGE);
    },
    'endless-headers': async (response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\n');
      await writeOn(response, `x-more: ${'y'.repeat(1000)}\r\n`);
    },
    'reset-before-headers': (response) => response.socket!.resetAndDestroy(),
    'reset-in-headers': (response) => {
      const { socket } = response;
      socket!.write('HTTP/1.1 200 OK\r\nx-cut: ', () => socket!.resetAndDestroy());
    },
    'reset-in-body': (response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('half', () => response.socket!.resetAndDestroy());
    },
    'no-http': (response) => response.socket!.end('SSH-2.0-OpenSSH_9.9\r\n'),
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://sink');
    const bodies = received.get(pathname) ?? [];
    received.set(pathname, bodies);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      const [, way, code] = pathname.split('/');
      if (way !== 'status') return void answers[way!]!(response, request);
      const headers = Object.fromEntries(searchParams);
      response
        .writeHead(Number(code), { ...headers, connection: 'close' })
        .end('nobody reads this');
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    request.socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    written: () => state.written,
    async [Symbol.asyncDispose]() {
      state.isOpen = false;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
