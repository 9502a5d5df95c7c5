import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';

/** A Qdrant that reports another version than its own. */
export interface QdrantOfVersion extends AsyncDisposable {
  readonly url: URL;
}

/**
 * Opens a proxy in front of a Qdrant. The proxy changes the version that the server reports, and
 * adds an unknown field to each answer, as newer servers do.
 */
export async function openQdrantOfVersion(to: URL, version: string): Promise<QdrantOfVersion> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = request;
    const body = await buffer(request);
    const answer = await fetch(new URL(path, to), {
      method,
      headers: { 'content-type': headers['content-type'] ?? 'application/json' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const changed = withVersion(await json(answer.body!), version);
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(changed));
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function withVersion(answer: unknown, version: string): object {
  const { result, ...rest } = answer as { readonly result?: unknown };
  const isRecord = typeof result === 'object' && result !== null && !Array.isArray(result);
  return {
    ...rest,
    ...('version' in rest && { version }),
    ...(result !== undefined && { result: isRecord ? { ...result, unknown: 1 } : result }),
    unknown: 1,
  };
}
