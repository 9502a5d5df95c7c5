/**
 * How long a row is remembered, in ms. The end of a key or of a session takes effect within 5 s, which includes a second
 * for reading the row.
 */
const REMEMBERED_MS = 4000;
const MOST_REMEMBERED = 1000;

interface Remembered<Row> {
  readonly row: Row;
  /** The time of the read, in ms of the monotonic clock. */
  readonly readAt: number;
}

/** Remembers rows for a few seconds after they were read. */
export class RecentReads<Row> {
  /** In the order in which they were read. */
  readonly #remembered = new Map<string, Remembered<Row>>();
  readonly #monotonic: () => number;

  /**
   * @param monotonic returns ms since an arbitrary moment, to measure ages. With the date, a row would be remembered too
   *   long if the date were set back.
   */
  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic;
  }

  recall(key: string): Row | null {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return null;
    return this.#monotonic() - remembered.readAt < REMEMBERED_MS ? remembered.row : null;
  }

  /**
   * Reads a row, and remembers it.
   *
   * @param read returns null for a row that must not be remembered
   */
  async read(key: string, read: () => Promise<Row | null>): Promise<Row | null> {
    const readAt = this.#monotonic();
    const row = await read();
    this.#remembered.delete(key);
    if (row === null) return null;
    if (this.#remembered.size >= MOST_REMEMBERED) {
      const [oldest] = this.#remembered.keys();
      this.#remembered.delete(oldest!);
    }
    this.#remembered.set(key, { row, readAt });
    return row;
  }

  forget(isForgotten: (row: Row) => boolean): void {
    for (const [key, { row }] of this.#remembered) {
      if (isForgotten(row)) this.#remembered.delete(key);
    }
  }
}
