import { parentPort } from 'node:worker_threads';
import type { VectorReply, VectorRequest } from './vector-protocol.ts';
import { VectorSpaces } from './vector-spaces.ts';

/** The code of the worker thread. The thread keeps all vectors of an index and processes one request at a time. */
const spaces = new VectorSpaces();

function replyTo(request: VectorRequest): VectorReply {
  try {
    return { kind: 'result', result: spaces.handle(request) };
  } catch (error) {
    return { kind: 'failure', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort!.on('message', (request: VectorRequest) => parentPort!.postMessage(replyTo(request)));
parentPort!.postMessage({ kind: 'ready' } satisfies VectorReply);
