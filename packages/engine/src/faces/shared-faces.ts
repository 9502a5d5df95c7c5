/** The layout of the control words: two words for all faces, and then the state of each face. */
const NEXT = 0;
export const CHANGES = 1;
const FIRST_STATE = 2;

const DONE = 1;
const FAILED = 2;

/** The shared memory of some faces. It can be sent to other threads. */
export interface FacesMemory {
  readonly words: SharedArrayBuffer;
  /** The images of the faces, one after another. */
  readonly crops: SharedArrayBuffer;
  /** A row of results for each face. */
  readonly rows: SharedArrayBuffer;
}

/**
 * Faces that several threads run through the same network. Each thread claims one face after another. The thread that
 * shares the faces never depends on another one: if a thread dies or takes too long, the results of its face are missing.
 */
export class SharedFaces {
  readonly memory: FacesMemory;
  readonly #words: Int32Array<SharedArrayBuffer>;
  /** The faces that this thread has claimed. */
  readonly #claimed = new Set<number>();

  /**
   * Copies the images of faces to shared memory.
   *
   * @param crops at least one image; all have the same length
   * @param rowLength the number of values that the network computes for a face
   */
  static of(crops: readonly Uint8Array[], rowLength: number): SharedFaces {
    const [{ length }] = crops as [Uint8Array];
    const shared = new SharedFaces({
      words: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * (FIRST_STATE + crops.length)),
      crops: new SharedArrayBuffer(length * crops.length),
      rows: new SharedArrayBuffer(Float32Array.BYTES_PER_ELEMENT * rowLength * crops.length),
    });
    for (const [face, crop] of crops.entries()) shared.cropOf(face).set(crop);
    return shared;
  }

  constructor(memory: FacesMemory) {
    this.memory = memory;
    this.#words = new Int32Array(memory.words);
  }

  get count(): number {
    return this.#words.length - FIRST_STATE;
  }

  /** Claims a face for this thread. Returns null if no face is left. */
  claim(): number | null {
    const face = Atomics.add(this.#words, NEXT, 1);
    if (face >= this.count) return null;
    this.#claimed.add(face);
    return face;
  }

  cropOf(face: number): Uint8Array<SharedArrayBuffer> {
    const { crops } = this.memory;
    const length = crops.byteLength / this.count;
    return new Uint8Array(crops, face * length, length);
  }

  /**
   * Stores the results of a claimed face for the thread that shares the faces.
   *
   * @throws RangeError if they are not as long as a row
   */
  put(face: number, outputs: readonly Float32Array[]): void {
    const row = this.#rowOf(face);
    const length = outputs.reduce((sum, output) => sum + output.length, 0);
    if (length !== row.length) {
      throw new RangeError(`The network returns ${length} values instead of ${row.length}.`);
    }
    let start = 0;
    for (const output of outputs) {
      row.set(output, start);
      start += output.length;
    }
    this.#end(face, DONE);
  }

  /** Reports that there will be no results of a claimed face. */
  fail(face: number): void {
    this.#end(face, FAILED);
  }

  /** Returns a copy of the results of a face; null if there are none. */
  resultOf(face: number): Float32Array<ArrayBuffer> | null {
    return this.#stateOf(face) === DONE ? new Float32Array(this.#rowOf(face)) : null;
  }

  /**
   * Blocks this thread until the other threads have ended their faces, but not longer than this.
   *
   * @param longest in ms
   */
  waitForOthers(longest: number): void {
    const deadline = performance.now() + longest;
    for (;;) {
      const seen = Atomics.load(this.#words, CHANGES);
      const left = deadline - performance.now();
      if (left <= 0 || this.#othersHaveEnded()) return;
      Atomics.wait(this.#words, CHANGES, seen, left);
    }
  }

  /** Lets no thread claim another face. */
  close(): void {
    Atomics.store(this.#words, NEXT, this.count);
  }

  #othersHaveEnded(): boolean {
    for (let face = 0; face < this.count; face++) {
      if (!this.#claimed.has(face) && this.#stateOf(face) === 0) return false;
    }
    return true;
  }

  #stateOf(face: number): number {
    return Atomics.load(this.#words, FIRST_STATE + face);
  }

  #rowOf(face: number): Float32Array<SharedArrayBuffer> {
    const { rows } = this.memory;
    const length = rows.byteLength / Float32Array.BYTES_PER_ELEMENT / this.count;
    return new Float32Array(rows, face * length * Float32Array.BYTES_PER_ELEMENT, length);
  }

  #end(face: number, state: number): void {
    Atomics.store(this.#words, FIRST_STATE + face, state);
    Atomics.add(this.#words, CHANGES, 1);
    Atomics.notify(this.#words, CHANGES);
  }
}
