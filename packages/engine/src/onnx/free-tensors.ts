import type { FloatTensor } from './session.ts';

/**
 * Gives the memory of a run's results back at once. They lie outside of the heap, several megabytes for
 * a run: left to the garbage collector, they make it trace the whole heap every few images.
 */
export function freeTensors(tensors: readonly FloatTensor[]): void {
  for (const { buffer } of tensors.map(({ data }) => data)) {
    if ('transfer' in buffer && !buffer.detached) buffer.transfer(0);
  }
}
