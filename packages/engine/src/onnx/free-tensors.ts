import type { FloatTensor } from './session.ts';

/**
 * Frees the memory of a run's results at once. It lies outside of the heap, several megabytes per
 * run: if the garbage collector had to free it, it would trace the whole heap every few images.
 */
export function freeTensors(tensors: readonly FloatTensor[]): void {
  for (const { buffer } of tensors.map(({ data }) => data)) {
    if ('transfer' in buffer && !buffer.detached) buffer.transfer(0);
  }
}
