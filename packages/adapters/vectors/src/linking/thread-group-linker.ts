import { Worker } from 'node:worker_threads';
import type {
  FacesToLink,
  GroupLinker,
  PackedJoinings,
} from '@sightline/core/similarity/group-linker';

const SCRIPT = new URL('./link-worker.ts', import.meta.url);

/** Computes each tree in a thread of its own, which ends with it. */
export class ThreadGroupLinker implements GroupLinker, AsyncDisposable {
  readonly #threads = new Set<Worker>();

  async link(faces: FacesToLink, signal?: AbortSignal): Promise<PackedJoinings> {
    signal?.throwIfAborted();
    const outcome = Promise.withResolvers<PackedJoinings>();
    const { vectors, ends, targets } = faces;
    const transferList = [vectors.buffer, ends.buffer, targets.buffer];
    const thread = new Worker(SCRIPT, { name: 'groups', workerData: faces, transferList });
    this.#threads.add(thread);
    const stop = (): void => outcome.reject(signal!.reason as Error);
    signal?.addEventListener('abort', stop);
    thread.on('message', outcome.resolve);
    thread.on('error', outcome.reject);
    thread.on('exit', () => outcome.reject(new Error('The thread that links groups has ended.')));
    try {
      return await outcome.promise;
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#threads.delete(thread);
      await thread.terminate();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
  }
}
