import type { BestClasses } from '../math/best-classes.ts';
import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

/** The cells per call: few enough for their scores and classes to stay in a core's own cache. */
const STRIP = 16_384;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Computes the same results as `bestClasses` of `math`. */
export function bestClasses(table: Float32Array, cells: number): BestClasses {
  const scratch = new Scratch();
  const [row, best, bestIds] = [0, 1, 2].map(() => scratch.take(STRIP * FLOAT_BYTES)) as [
    number,
    number,
    number,
  ];
  const scores = new Float32Array(cells);
  const classIds = new Int32Array(cells);
  const classes = table.length / cells;
  for (let start = 0; start < cells; start += STRIP) {
    const count = Math.min(STRIP, cells - start);
    const rowOf = (classId: number) =>
      table.subarray(classId * cells + start, classId * cells + start + count);
    MEMORY.float32.set(rowOf(0), best >> 2);
    MEMORY.int32.fill(0, bestIds >> 2, (bestIds >> 2) + count);
    for (let classId = 1; classId < classes; classId++) {
      MEMORY.float32.set(rowOf(classId), row >> 2);
      kernels.keepBest(row, count, classId, best, bestIds);
    }
    scores.set(MEMORY.float32.subarray(best >> 2, (best >> 2) + count), start);
    classIds.set(MEMORY.int32.subarray(bestIds >> 2, (bestIds >> 2) + count), start);
  }
  return { scores, classIds };
}
