import { setFlagsFromString } from 'node:v8';

/** The growth of objects and buffers, in percent, that triggers the next garbage collection. */
const GROWTH = 100;

/**
 * Makes V8 plan its garbage collections by the memory of objects and buffers together. By default, every 64 MB of new
 * buffers start a collection of the whole heap, however large it is: one for each 25 photos of a phone. The heap alone may
 * grow to several times its size, which is too much for a heap with its buffers. The setting applies to the whole process.
 *
 * A thread that allocates few objects may then keep dropped buffers for long, so `collectGarbage` becomes available in all
 * threads that start later.
 */
export function countBuffers(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  setFlagsFromString('--expose-gc');
}
