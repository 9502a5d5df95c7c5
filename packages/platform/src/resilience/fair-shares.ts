/** The holder of a part of a resource: an environment (tenant) and one of its callers. */
export interface Holder {
  readonly environment: string;
  readonly caller: string;
  /** The priority. Default: `interactive`. */
  readonly lane?: 'interactive' | 'background';
}

/**
 * The result of a request for an amount. `over_share`: the holder has used its share. `full`: too little is free for
 * any holder.
 */
export type Admission = 'admitted' | 'over_share' | 'full';

/**
 * Divides a bounded resource by dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998). An environment may take more only while it holds less than the free amount.
 * A caller may take more only while it holds less than the amount that its environment may still take. One greedy
 * environment therefore gets half of the resource, two get a third each, and a single caller gets a third. A part
 * always stays free for the next holder, although no fixed shares are reserved.
 *
 * Background work gets only the amount that interactive holders leave free, and does not reduce their shares. All
 * background work together counts as one additional environment, in which each environment with background work counts
 * as a caller.
 */
export class FairShares {
  #capacity: number;
  readonly #held = { interactive: 0, background: 0 };
  readonly #groups = new Map<string, Held>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get held(): number {
    return this.#held.interactive + this.#held.background;
  }

  /** The amount that all interactive holders together hold. */
  get heldInteractively(): number {
    return this.#held.interactive;
  }

  /** Sets the capacity. If the capacity is below the held amount, no holder gets more until enough was released. */
  set capacity(capacity: number) {
    this.#capacity = capacity;
  }

  /** Checks whether a holder may take a further amount. */
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

  /** Checks whether a holder could take a further amount in small steps if no other holder took any. */
  admitsAll(holder: Holder, amount: number): Admission {
    if (amount > this.#capacity - this.held) return 'full';
    this.#add(holder, amount);
    const admission = this.admits(holder, 0);
    this.#add(holder, -amount);
    return admission;
  }

  /** Takes an amount if it is admitted. A holder may exceed its share, but by less than `amount`. */
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
    // Environments and callers that hold nothing are removed, because their number is unbounded.
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

/** The group and the member of the group to which a holder's amount is added. */
function placeOf({ environment, caller, lane = 'interactive' }: Holder) {
  return lane === 'background'
    ? { lane, group: 'background', member: environment }
    : { lane, group: `environment ${environment}`, member: caller };
}
