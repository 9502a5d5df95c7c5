/** The holder of a part of a resource: a tenant and one of its callers. */
export interface Holder {
  readonly environment: string;
  readonly caller: string;
  /** The lane; `interactive` if absent. */
  readonly lane?: 'interactive' | 'background';
}

/** `over_share`: the holder has its share; `full`: nothing is left for any holder. */
export type Admission = 'admitted' | 'over_share' | 'full';

/**
 * Divides a bounded resource by dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches", 1998): an environment may take more only while it holds less than what is free, and
 * a caller only while it holds less than what its environment may still take. So one greedy environment gets half and
 * two get a third each; a single caller gets a third. The next holder finds room, in its environment too, and no
 * share lies idle in reserve.
 *
 * Background work gets what interactive holders leave, and does not reduce their shares. All background work together
 * counts as one more environment, whose callers are the environments that it works for.
 */
export class FairShares {
  #capacity: number;
  readonly #held = { interactive: 0, background: 0 };
  readonly #groups = new Map<string, Held>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The amount that all holders have. */
  get held(): number {
    return this.#held.interactive + this.#held.background;
  }

  /** The amount that interactive holders have. */
  get heldInteractively(): number {
    return this.#held.interactive;
  }

  /** Changes the capacity; below the held amount, no holder gets more. */
  set capacity(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether this holder may take a further amount. */
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

  /** Whether this holder could take a further amount in small steps, if no other holder takes any. */
  admitsAll(holder: Holder, amount: number): Admission {
    if (amount > this.#capacity - this.held) return 'full';
    this.#add(holder, amount);
    const admission = this.admits(holder, 0);
    this.#add(holder, -amount);
    return admission;
  }

  /** Takes an amount if it is admitted; a holder exceeds its share by less than one such amount. */
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
    // Environments that hold nothing are removed: there may be many.
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

/** The group and the member that count for a holder. */
function placeOf({ environment, caller, lane = 'interactive' }: Holder) {
  return lane === 'background'
    ? { lane, group: 'background', member: environment }
    : { lane, group: `environment ${environment}`, member: caller };
}
