/**
 * How long a row is remembered, in ms. The end of a key or of a session takes effect within 5 s, which includes a second
 * for reading the row.
 */
const REMEMBERED_MS = 4000;
const MOST_REMEMBERED = 1000;
/** So many of them may be of one owner. */
const MOST_OF_OWNER = 20;

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
  readonly #ownerOf: ((row: Row) => string) | null;

  /**
   * @param monotonic returns ms since an arbitrary moment, to measure ages. With the date, a row would be remembered too
   *   long if the date were set back.
   * @param ownerOf the owner of a row who could have many of them remembered and thus those of others forgotten; null if
   *   there is none
   */
  constructor(
    monotonic: () => number = () => performance.now(),
    ownerOf: ((row: Row) => string) | null = null,
  ) {
    this.#monotonic = monotonic;
    this.#ownerOf = ownerOf;
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
    this.#makeRoom(row);
    this.#remembered.set(key, { row, readAt });
    return row;
  }

  /** Forgets the oldest row of an owner who has too many, or the oldest row of all. */
  #makeRoom(row: Row): void {
    const ownerOf = this.#ownerOf;
    if (ownerOf !== null) {
      const owner = ownerOf(row);
      const own = [...this.#remembered].filter(([, { row: each }]) => ownerOf(each) === owner);
      if (own.length >= MOST_OF_OWNER) {
        this.#remembered.delete(own[0]![0]);
        return;
      }
    }
    if (this.#remembered.size < MOST_REMEMBERED) return;
    const [oldest] = this.#remembered.keys();
    this.#remembered.delete(oldest!);
  }

  forget(isForgotten: (row: Row) => boolean): void {
    for (const [key, { row }] of this.#remembered) {
      if (isForgotten(row)) this.#remembered.delete(key);
    }
  }
}
