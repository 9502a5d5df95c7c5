import type { PendingChange } from '../groups/followed-faces.ts';

interface Reading {
  /** The changes that were pending when the reading began. */
  readonly changes: ReadonlySet<number>;
  /** The last face that was read. */
  after: number;
  isEnded: boolean;
}

type ReadPage = (
  identity: number,
  page: { readonly after: number; readonly limit: number },
) => Promise<readonly number[]>;

/**
 * The faces of identities that changed are read in pages, some in each turn. Each reading has a name, and one position for
 * each identity. A change that comes while its identity is being read is done only after another reading.
 */
export class IdentityReadings {
  readonly #readings = new Map<string, Reading>();

  /** The number of identities that are being read, for each name. */
  get size(): number {
    return this.#readings.size;
  }

  /**
   * Reads the next faces of the identities that changed.
   *
   * @param reading `most`: the most faces
   */
  async next(
    {
      name,
      changes,
      most,
    }: {
      readonly name: string;
      readonly changes: readonly PendingChange[];
      readonly most: number;
    },
    readPage: ReadPage,
  ): Promise<readonly number[]> {
    const faces: number[] = [];
    for (const [identity, own] of Map.groupBy(changes, ({ entityId }) => entityId)) {
      const reading = this.#begun(keyOf(name, identity), own);
      if (reading.isEnded || faces.length >= most) continue;
      const limit = most - faces.length;
      const page = await readPage(identity, { after: reading.after, limit });
      faces.push(...page);
      reading.after = page.at(-1) ?? reading.after;
      reading.isEnded = page.length < limit;
    }
    return faces;
  }

  #begun(key: string, changes: readonly PendingChange[]): Reading {
    const begun = this.#readings.get(key);
    if (begun !== undefined) return begun;
    const reading = { changes: new Set(changes.map(({ id }) => id)), after: 0, isEnded: false };
    this.#readings.set(key, reading);
    return reading;
  }

  /**
   * Forgets the readings of identities that all of these readings have ended for.
   *
   * @returns the changes that all of them began with
   */
  takeDone(names: readonly string[], changes: readonly PendingChange[]): readonly number[] {
    const done: number[] = [];
    for (const [identity, own] of Map.groupBy(changes, ({ entityId }) => entityId)) {
      const keys = names.map((name) => keyOf(name, identity));
      const readings = keys.flatMap((key) => this.#readings.get(key) ?? []);
      if (readings.length < keys.length || !readings.every(({ isEnded }) => isEnded)) continue;
      for (const { id } of own) {
        if (readings.every((reading) => reading.changes.has(id))) done.push(id);
      }
      for (const key of keys) this.#readings.delete(key);
    }
    return done;
  }
}

function keyOf(name: string, identity: number): string {
  return `${name}/${identity}`;
}
