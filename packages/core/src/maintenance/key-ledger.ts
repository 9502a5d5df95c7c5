/**
 * The number of hex digits of a key's nonce that the ledger stores. A JavaScript number can represent 13 hex digits
 * exactly.
 */
const DIGITS = 13;
const NONCE = /-([0-9a-f]{32})\.[a-z0-9]+$/;
const FIRST_ROOM = 1024;

/**
 * A list of media keys to tick off. To need only nine bytes per key, it stores 52 bits of each key's random nonce. Among
 * ten million keys, the chance that another key has the same bits as one of them is 2 in a billion.
 */
export class KeyLedger {
  readonly #sorted: Float64Array;
  readonly #isTicked: Uint8Array;
  #left: number;

  private constructor(sorted: Float64Array) {
    this.#sorted = sorted;
    this.#isTicked = new Uint8Array(sorted.length);
    this.#left = sorted.length;
  }

  static async of(keys: AsyncIterable<string>): Promise<KeyLedger> {
    let numbers = new Float64Array(FIRST_ROOM);
    let count = 0;
    for await (const key of keys) {
      if (count === numbers.length) {
        const more = new Float64Array(2 * count);
        more.set(numbers);
        numbers = more;
      }
      numbers[count++] = numberOf(key);
    }
    return new KeyLedger(numbers.slice(0, count).sort());
  }

  get left(): number {
    return this.#left;
  }

  /** Ticks a key off. Returns whether the ledger has the key. */
  tick(key: string): boolean {
    const at = this.#find(key);
    if (at === null) return false;
    if (this.#isTicked[at] === 0) this.#left--;
    this.#isTicked[at] = 1;
    return true;
  }

  /** Whether the ledger has the key and the key is not ticked off. */
  isLeft(key: string): boolean {
    const at = this.#find(key);
    return at !== null && this.#isTicked[at] === 0;
  }

  #find(key: string): number | null {
    const number = numberOf(key);
    let from = 0;
    let to = this.#sorted.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#sorted[middle]! < number) from = middle + 1;
      else to = middle;
    }
    return this.#sorted[from] === number ? from : null;
  }
}

/** Returns the number that the ledger stores for a key; -1 for a text that is no media key. */
function numberOf(key: string): number {
  const nonce = NONCE.exec(key)?.[1];
  return nonce === undefined ? -1 : Number.parseInt(nonce.slice(0, DIGITS), 16);
}
