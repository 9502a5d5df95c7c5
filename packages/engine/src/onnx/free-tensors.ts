import type { FloatTensor } from './session.ts';

/**
 * Frees the memory of a run's results at once. The results take several megabytes per run outside
 * of the heap. If the garbage collector had to free them, it would trace the whole heap every few
 * images.
 */
export function freeTensors(tensors: readonly FloatTensor[]): void {
  for (const { buffer } of tensors.map(({ data }) => data)) {
    if ('transfer' in buffer && !buffer.detached) buffer.transfer(0);
  }
}
