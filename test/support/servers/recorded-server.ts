import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Status and body of an answer. */
type Answer = readonly [status: number, body: string];

/** What a server answered, by a digest of method, path and body of the request, in order. */
export interface Recording {
  /** Of the server. */
  readonly version: string;
  readonly answers: Readonly<Record<string, readonly Answer[]>>;
}

/** A server on this machine that speaks for another one. */
export interface RecordedServer extends AsyncDisposable {
  readonly url: URL;
}

export interface RecordingServer extends RecordedServer {
  /** Writes down what was said. */
  save(file: string, version: string): void;
}

export interface ReplayingServer extends RecordedServer {
  /** @throws Error that names the requests that the recording does not have */
  verify(): void;
}

export function readRecording(file: string): Recording {
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording;
}

/** Passes requests on to a server and notes its answers. */
export async function recordServer(
  to: URL,
  headers: Readonly<Record<string, string>>,
): Promise<RecordingServer> {
  const answers = new Map<string, Answer[]>();
  const served = await serve(async ({ method, path, body }) => {
    const sent = { ...headers, 'content-type': 'application/json' };
    const response = await fetch(new URL(path, to), {
      method,
      headers: sent,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const answer = [response.status, await response.text()] as const;
    const key = keyOf({ method, path, body });
    answers.set(key, [...(answers.get(key) ?? []), answer]);
    return answer;
  });
  return {
    ...served,
    save(file, version) {
      const sorted = [...answers].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const recording: Recording = { version, answers: Object.fromEntries(sorted) };
      writeFileSync(file, gzipSync(JSON.stringify(recording), { level: 9 }));
    },
  };
}

/**
 * Answers as recorded: the same requests in the order of their answers, and with the last one when
 * there are no more. Requests that differ may come in any order.
 */
export async function replayServer(
  { answers }: Recording,
  again: string,
): Promise<ReplayingServer> {
  const told = new Map<string, number>();
  const missing: string[] = [];
  const served = await serve((request) => {
    const key = keyOf(request);
    const known = answers[key];
    if (known === undefined) {
      missing.push(`${request.method} ${request.path}`);
      return Promise.resolve([501, '{"status":{"error":"not recorded"}}'] as const);
    }
    const count = told.get(key) ?? 0;
    told.set(key, count + 1);
    return Promise.resolve(known[Math.min(count, known.length - 1)]!);
  });
  return {
    ...served,
    verify() {
      if (missing.length === 0) return;
      const [first] = missing.splice(0);
      throw new Error(`The recording does not have ${first}: "${again}" records anew.`);
    },
  };
}

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

async function serve(answer: (request: SentRequest) => Promise<Answer>): Promise<RecordedServer> {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/' } = request;
    const [status, body] = await answer({ method, path, body: await buffer(request) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: new URL(`http://127.0.0.1:${address.port}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function keyOf({ method, path, body }: SentRequest): string {
  const digest = createHash('sha256').update(`${method} ${path}\n`).update(body);
  return digest.digest('base64url').slice(0, 20);
}
