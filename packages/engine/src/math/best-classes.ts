export interface BestClasses {
  readonly scores: Float32Array;
  readonly classIds: Int32Array;
}

/**
 * @param table scores of the first class for all cells, then the scores of the next class
 * @param cells number of cells
 * @returns the class with the highest score for each cell; among equal scores, the first class
 */
export function bestClasses(table: Float32Array, cells: number): BestClasses {
  const scores = table.slice(0, cells);
  const classIds = new Int32Array(cells);
  for (let classId = 1; classId * cells < table.length; classId++) {
    const start = classId * cells;
    for (let cell = 0; cell < cells; cell++) {
      const score = table[start + cell]!;
      if (score > scores[cell]!) {
        scores[cell] = score;
        classIds[cell] = classId;
      }
    }
  }
  return { scores, classIds };
}
