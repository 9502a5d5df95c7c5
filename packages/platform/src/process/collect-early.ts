import { setFlagsFromString } from 'node:v8';

/** The growth of the heap, in percent, that triggers the next garbage collection. */
const GROWTH = 60;

/**
 * Limits the growth of the heap between two garbage collections, to save memory. By default, V8 lets the heap grow to
 * several times the memory in use. The setting applies to the whole process.
 */
export function collectEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
