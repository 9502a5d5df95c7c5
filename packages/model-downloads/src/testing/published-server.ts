import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AskedFor {
  readonly path: string;
  readonly range: string | null;
  readonly ifRange: string | null;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A local server with a scripted answer for each request. */
export class PublishedServer implements AsyncDisposable {
  /** The answers in the order of the requests. The last one is repeated for all further requests. */
  answers: Answer[] = [];
  readonly requests: AskedFor[] = [];
  readonly #server = createServer((request, response) => {
    const { range = null, 'if-range': ifRange = null } = request.headers;
    this.requests.push({ path: request.url!, range, ifRange: ifRange as string | null });
    const answer = this.answers.length > 1 ? this.answers.shift()! : this.answers[0]!;
    answer(request, response);
  });

  static async start(): Promise<PublishedServer> {
    const server = new PublishedServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

interface Serving {
  readonly etag?: string | null;
  /** Closes the connection after this many bytes. */
  readonly cutAfter?: number;
}

/**
 * Serves bytes as a correct server does. Sends only the requested rest if the client's validator matches.
 */
export function serving(content: Uint8Array, { etag = '"1"', cutAfter }: Serving = {}): Answer {
  return (request, response) => {
    const from = firstAskedFor(request, etag);
    if (etag !== null) response.setHeader('ETag', etag);
    if (from > 0) response.setHeader('Content-Range', contentRange(from, content.length));
    if (from >= content.length) {
      response.writeHead(416).end('no such range');
      return;
    }
    response.setHeader('Content-Length', content.length - from);
    response.writeHead(from > 0 ? 206 : 200);
    if (cutAfter === undefined) response.end(content.subarray(from));
    else response.write(content.subarray(from, from + cutAfter), () => response.destroy());
  };
}

function firstAskedFor({ headers }: IncomingMessage, etag: string | null): number {
  const { range = '', 'if-range': ifRange = etag } = headers;
  return ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0) : 0;
}

function contentRange(from: number, size: number): string {
  return `bytes ${from < size ? `${from}-${size - 1}` : '*'}/${size}`;
}

/** Responds with a status and headers, without a body. */
export function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => response.writeHead(code, headers).end('some words');
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
