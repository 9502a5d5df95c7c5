import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitUntil } from '../waits/wait-until.ts';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The time of arrival, in ms of the epoch. */
  readonly at: number;
  /**
   * The time at which the message was answered or its connection closed, in ms of the epoch; null
   * before that.
   */
  endedAt: number | null;
}

export interface WebhookSink extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  /**
   * Waits until this number of messages has arrived. With `path`, only messages at that path count.
   */
  until(count: number, path?: string): Promise<readonly ReceivedMessage[]>;
}

export type Answer = (message: ReceivedMessage) => {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The delay of the answer in ms; none by default. */
  readonly afterMs?: number;
};

/** A local endpoint for webhooks. */
export async function openWebhookSink(
  answer: Answer = () => ({ status: 204 }),
): Promise<WebhookSink> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { url: path = '/', headers } = request;
      const body = Buffer.concat(parts);
      const message: ReceivedMessage = { path, headers, body, at: Date.now(), endedAt: null };
      received.push(message);
      response.on('close', () => (message.endedAt = Date.now()));
      const { status, headers: own = {}, afterMs = 0 } = answer(message);
      const reply = () => void response.writeHead(status, own).end();
      if (afterMs > 0) setTimeout(reply, afterMs);
      else reply();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async until(count, path) {
      const look = () => received.filter((each) => path === undefined || each.path === path);
      return waitUntil(`${count} messages have come`, look, {
        isDone: ({ length }) => length >= count,
        pauseMs: 10,
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
