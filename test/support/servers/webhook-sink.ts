import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** In ms of the epoch. */
  readonly at: number;
}

export interface WebhookSink extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  /** Waits until so many have come, of this path if one is given. */
  until(count: number, path?: string): Promise<readonly ReceivedMessage[]>;
}

export type Answer = (message: ReceivedMessage) => {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
};

const WITHIN_MS = 20_000;

/** An endpoint of webhooks on this machine. */
export async function openWebhookSink(
  answer: Answer = () => ({ status: 204 }),
): Promise<WebhookSink> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '/', headers } = request;
      const message = { path, headers, body: Buffer.concat(parts), at: Date.now() };
      received.push(message);
      const { status, headers: own = {} } = answer(message);
      response.writeHead(status, own).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async until(count, path) {
      const end = Date.now() + WITHIN_MS;
      for (;;) {
        const found = received.filter((each) => path === undefined || each.path === path);
        if (found.length >= count) return found;
        if (Date.now() > end)
          throw new Error(`Only ${found.length} of ${count} messages have come.`);
        await delay(10);
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
