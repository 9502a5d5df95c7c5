import { parentPort, workerData } from 'node:worker_threads';
import { CHANGES, type FacesMemory, SharedFaces } from '../shared-faces.ts';

/** A thread that ends a face as soon as the owner of the faces waits for it. */
const { memory, face } = workerData as { readonly memory: FacesMemory; readonly face: number };

parentPort!.postMessage('started');
// A thread that waits is counted when it is woken, and then waits again.
while (Atomics.notify(new Int32Array(memory.words), CHANGES) === 0);
new SharedFaces(memory).put(face, [Float32Array.of(1, 2, 3)]);
