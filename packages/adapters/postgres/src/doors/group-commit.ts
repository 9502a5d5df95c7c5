/**
 * Runs a transaction that writes nothing visible. Calls `until` once the transaction has its id, and commits when the
 * result resolves. The commit waits for the disk.
 */
export type HoldGroup = (until: () => Promise<void>) => Promise<void>;

/** The time after which a group takes no further transaction, in ms, because the readers of events wait for its end. */
const GROUP_MS = 200;

/**
 * The most groups that are open at the same time. Each has a connection, and all other work of the platform needs those that
 * remain. A group stays open while one of its transactions writes thousands of rows.
 */
const MOST_GROUPS = 2;

interface Group {
  readonly began: number;
  readonly held: Promise<void>;
  readonly flushed: Promise<void>;
  readonly end: () => void;
  members: number;
  isDue: boolean;
}

/** A transaction's place in a group. */
export interface GroupMember {
  /** Resolves when the group is on the disk, and rejects if it may be lost. */
  readonly flushed: Promise<void>;
  /** Called after the transaction has ended. */
  readonly leave: () => void;
}

/**
 * Flushes transactions group by group: their own commits do not wait for the disk. Each group has a transaction that began
 * before the first write of its members and ends after them. The commit of this transaction flushes the log up to its own
 * end, and therefore everything that the members wrote. Until then it is open, and readers of the outbox stop before the
 * oldest open transaction, so they see no event that a crash of the server could undo.
 */
export class GroupCommit {
  readonly #hold: HoldGroup;
  #current: Group | null = null;
  #open = 0;

  constructor(hold: HoldGroup) {
    this.#hold = hold;
  }

  /**
   * Gives a transaction a place, before its first write.
   *
   * @returns null if too many groups are open; then the transaction's own commit must wait for the disk
   * @throws the errors of `hold`
   */
  async join(): Promise<GroupMember | null> {
    const current = this.#current;
    const isOpen = current !== null && performance.now() - current.began < GROUP_MS;
    if (current !== null && !isOpen) this.#close(current);
    if (!isOpen && this.#open >= MOST_GROUPS) return null;
    const group = isOpen ? current : this.#begin();
    group.members += 1;
    const leave = (): void => {
      group.members -= 1;
      this.#endIfDone(group);
    };
    try {
      await group.held;
    } catch (error) {
      leave();
      throw error;
    }
    return { flushed: group.flushed, leave };
  }

  /** Ends the current group, as soon as its transactions have ended. */
  end(): void {
    if (this.#current !== null) this.#close(this.#current);
  }

  #begin(): Group {
    const held = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<undefined>();
    const flushed = this.#hold(() => {
      held.resolve(undefined);
      return ended.promise;
    });
    this.#open += 1;
    const ends = (): void => void (this.#open -= 1);
    flushed.then(ends, (error: unknown) => {
      ends();
      held.reject(error);
      if (this.#current === group) this.#current = null;
    });
    held.promise.catch(() => undefined);
    const group: Group = {
      began: performance.now(),
      held: held.promise,
      flushed,
      end: () => ended.resolve(undefined),
      members: 0,
      isDue: false,
    };
    this.#current = group;
    setTimeout(() => this.#close(group), GROUP_MS);
    return group;
  }

  #close(group: Group): void {
    group.isDue = true;
    if (this.#current === group) this.#current = null;
    this.#endIfDone(group);
  }

  #endIfDone(group: Group): void {
    if (group.isDue && group.members === 0) group.end();
  }
}
