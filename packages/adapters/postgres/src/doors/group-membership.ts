import type { GroupCommit, GroupMember } from './group-commit.ts';
import type { TransactionSession } from './transaction-session.ts';

/** The membership of one writing transaction in a group. While the transaction waits for further locks, it has none. */
export class GroupMembership implements Disposable {
  readonly #groups: GroupCommit;
  readonly #joined: (flushed: Promise<void>) => void;
  #member: GroupMember | null = null;

  constructor(groups: GroupCommit, joined: (flushed: Promise<void>) => void) {
    this.#groups = groups;
    this.#joined = joined;
  }

  /** Joins a group before the first write. If too many groups are open, the transaction's own commit waits for the disk. */
  async join(session: TransactionSession): Promise<void> {
    if (this.#member !== null) return;
    this.#member = await this.#groups.join();
    if (this.#member === null) await session.query('SET LOCAL synchronous_commit TO DEFAULT');
    else this.#joined(this.#member.flushed);
  }

  leave(): void {
    this.#member?.leave();
    this.#member = null;
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}
