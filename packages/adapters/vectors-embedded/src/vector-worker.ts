import { parentPort } from 'node:worker_threads';
import type { VectorReply, VectorRequest } from './vector-protocol.ts';
import { VectorSpaces } from './vector-spaces.ts';

/** The thread of the index: holds all vectors and answers one request at a time. */
const spaces = new VectorSpaces();

function replyTo(request: VectorRequest): VectorReply {
  try {
    return { kind: 'result', result: spaces.answer(request) };
  } catch (error) {
    return { kind: 'failure', error: error instanceof Error ? error : new Error(String(error)) };
  }
}

parentPort!.on('message', (request: VectorRequest) => parentPort!.postMessage(replyTo(request)));
parentPort!.postMessage({ kind: 'ready' } satisfies VectorReply);
