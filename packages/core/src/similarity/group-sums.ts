import type { FacesToLink } from './group-linker.ts';

/** The number of products that are computed side by side, because each addition waits for the one before it. */
const SIDE_BY_SIDE = 4;

/** The sums of the vectors of groups in float64. A group has the number of its lowest face. */
export class GroupSums {
  readonly #dimension: number;
  readonly #vectors: Float32Array;
  /** A vector in float64. */
  readonly #vector: Float64Array;
  /** The sums of joined groups. */
  readonly #sums: Float64Array;
  /** The position of each group's sum in `#sums`; -1 for a single face, whose sum is its vector. */
  readonly #positions: Int32Array;
  readonly #freed: number[] = [];
  /** The end of the positions that have been used. */
  #end = 0;
  readonly #sizes: Int32Array;
  /** The lengths of the sums. */
  readonly #norms: Float64Array;
  readonly #cosines: Float64Array;

  constructor({ vectors, faces }: FacesToLink) {
    this.#dimension = faces === 0 ? 0 : vectors.length / faces;
    this.#vectors = vectors;
    this.#vector = new Float64Array(this.#dimension);
    // At most half as many groups as faces have joined at a time, and pages that are not written take no memory.
    this.#sums = new Float64Array((faces >> 1) * this.#dimension);
    this.#positions = new Int32Array(faces).fill(-1);
    this.#sizes = new Int32Array(faces).fill(1);
    this.#norms = new Float64Array(faces).map((_, face) => normOf(this.#sumOf(face)));
    this.#cosines = new Float64Array(faces);
  }

  /** Adds the sum of another group to that of a group. */
  add(group: number, added: number): void {
    const positions = this.#positions;
    const [kept, other] = positions[group] === -1 ? [added, group] : [group, added];
    if (positions[kept] === -1) this.#place(kept);
    const sum = this.#sumOf(kept);
    const addend = this.#sumOf(other);
    for (let at = 0; at < sum.length; at++) sum[at]! += addend[at]!;
    if (positions[other] !== -1) this.#freed.push(positions[other]!);
    positions[group] = positions[kept]!;
    this.#sizes[group]! += this.#sizes[added]!;
    this.#norms[group] = normOf(sum);
  }

  /** Copies the vector of a single face to a free position. */
  #place(face: number): void {
    const vector = this.#sumOf(face);
    const position = this.#freed.pop() ?? this.#end;
    if (position === this.#end) this.#end += this.#dimension;
    this.#sums.set(vector, position);
    this.#positions[face] = position;
  }

  /** Computes the cosines of a group with others. The result has each cosine at the number of the other group. */
  cosines(group: number, others: readonly number[]): Float64Array {
    const sum = this.#sumOf(group);
    const cosines = this.#cosines;
    const faces: number[] = [];
    for (const other of others) {
      if (this.#positions[other] === -1) faces.push(other);
      else cosines[other] = productOf(sum, this.#sumOf(other));
    }
    for (let at = 0; at < faces.length; at += SIDE_BY_SIDE) {
      this.#multiply(sum, faces.slice(at, at + SIDE_BY_SIDE));
    }
    const sizes = this.#sizes;
    const norms = this.#norms;
    for (const other of others) {
      const scale = Math.sqrt(sizes[group]! * sizes[other]! * norms[group]! * norms[other]!);
      cosines[other] = scale === 0 ? 0 : cosines[other]! / scale;
    }
    return cosines;
  }

  /** Stores the products of a sum and the vectors of up to SIDE_BY_SIDE faces as their cosines. */
  #multiply(sum: Float64Array, [a = 0, b = a, c = a, d = a]: readonly number[]): void {
    const vectors = this.#vectors;
    const dimension = this.#dimension;
    const atA = a * dimension;
    const atB = b * dimension;
    const atC = c * dimension;
    const atD = d * dimension;
    let [inA, inB, inC, inD] = [0, 0, 0, 0];
    for (let at = 0; at < dimension; at++) {
      const value = sum[at]!;
      inA += value * vectors[atA + at]!;
      inB += value * vectors[atB + at]!;
      inC += value * vectors[atC + at]!;
      inD += value * vectors[atD + at]!;
    }
    this.#cosines[a] = inA;
    this.#cosines[b] = inB;
    this.#cosines[c] = inC;
    this.#cosines[d] = inD;
  }

  /** The sum of a group. That of a single face is valid until that of the next one is read. */
  #sumOf(group: number): Float64Array {
    const at = this.#positions[group]!;
    const dimension = this.#dimension;
    if (at !== -1) return this.#sums.subarray(at, at + dimension);
    this.#vector.set(this.#vectors.subarray(group * dimension, (group + 1) * dimension));
    return this.#vector;
  }
}

function normOf(sum: Float64Array): number {
  return Math.sqrt(productOf(sum, sum));
}

function productOf(a: Float64Array, b: Float64Array): number {
  let product = 0;
  for (let at = 0; at < a.length; at++) product += a[at]! * b[at]!;
  return product;
}
