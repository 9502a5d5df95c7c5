/** The holder of a part of a resource: a tenant and one of its callers. */
export interface Holder {
  readonly environment: string;
  readonly caller: string;
  /** Absent: interactive. */
  readonly lane?: 'interactive' | 'background';
}

/** `over_share`: the holder has its share; `full`: nothing is left for any holder. */
export type Admission = 'admitted' | 'over_share' | 'full';

/**
 * Divides a bounded resource by dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds for Shared-Memory Packet Switches", 1998): an environment may take more only while it
 * holds less than what is free, and a caller only while it holds less than what its environment may
 * still take. So one greedy environment gets half and two get a third each; a single caller gets a
 * third. The next holder finds room, in its environment too, and no share lies idle in reserve.
 *
 * Background work gets what interactive holders leave. All of it together is one more environment, whose
 * callers are the environments that it works for; in the shares of interactive holders it does not count.
 */
export class FairShares {
  #capacity: number;
  readonly #held = { interactive: 0, background: 0 };
  readonly #groups = new Map<string, Held>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Held by all. */
  get held(): number {
    return this.#held.interactive + this.#held.background;
  }

  /** Held by interactive holders. */
  get heldInteractively(): number {
    return this.#held.interactive;
  }

  /** The capacity may change, even below what is held: then nothing more is given. */
  set capacity(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether this holder may take so much more. */
  admits(holder: Holder, amount: number): Admission {
    const free = this.#capacity - this.held;
    if (amount > free) return 'full';
    const { lane, group, member } = placeOf(holder);
    const own = this.#groups.get(group);
    if (own === undefined) return 'admitted';
    const ofMember = own.members.get(member) ?? 0;
    const left = lane === 'background' ? free : free + this.#held.background;
    const isWithin = own.total < left && ofMember < left - own.total;
    return isWithin ? 'admitted' : 'over_share';
  }

  /** Whether this holder could take so much more in small amounts, if no other holder takes any. */
  admitsAll(holder: Holder, amount: number): Admission {
    if (amount > this.#capacity - this.held) return 'full';
    this.#add(holder, amount);
    const admission = this.admits(holder, 0);
    this.#add(holder, -amount);
    return admission;
  }

  /** Gives as much, if it is admitted; a holder exceeds its share by less than one such amount. */
  take(holder: Holder, amount: number): Admission {
    const admission = this.admits(holder, amount);
    if (admission === 'admitted') this.#add(holder, amount);
    return admission;
  }

  giveBack(holder: Holder, amount: number): void {
    this.#add(holder, -amount);
  }

  #add(holder: Holder, amount: number): void {
    const { lane, group, member } = placeOf(holder);
    const own = this.#groups.get(group) ?? { total: 0, members: new Map<string, number>() };
    const ofMember = (own.members.get(member) ?? 0) + amount;
    this.#held[lane] += amount;
    own.total += amount;
    // Only holders are remembered: there may be many environments.
    if (ofMember === 0) own.members.delete(member);
    else own.members.set(member, ofMember);
    if (own.members.size === 0) this.#groups.delete(group);
    else this.#groups.set(group, own);
  }
}

interface Held {
  total: number;
  readonly members: Map<string, number>;
}

/** Which group a holder belongs to, and as which of its members. */
function placeOf({ environment, caller, lane = 'interactive' }: Holder) {
  return lane === 'background'
    ? { lane, group: 'background', member: environment }
    : { lane, group: `environment ${environment}`, member: caller };
}
