/** Who holds a part of a resource: a tenant, and which of the tenant's callers. */
export interface Holder {
  readonly environment: string;
  readonly caller: string;
}

/** `over_share`: the holder has its share; `full`: nothing is left for any holder. */
export type Admission = 'admitted' | 'over_share' | 'full';

/**
 * Divides a bounded resource by dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds for Shared-Memory Packet Switches", 1998): an environment may take more only while it
 * holds less than what is free, and a caller only while it holds less than what its environment may
 * still take. So one greedy environment gets half and two get a third each; a single caller gets a
 * third. The next holder finds room, in its environment too, and no share lies idle in reserve.
 */
export class FairShares {
  #capacity: number;
  #held = 0;
  readonly #environments = new Map<string, Held>();

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Held by all. */
  get held(): number {
    return this.#held;
  }

  /** The capacity may change, even below what is held: then nothing more is given. */
  set capacity(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether this holder may take so much more. */
  admits({ environment, caller }: Holder, amount: number): Admission {
    const free = this.#capacity - this.#held;
    if (amount > free) return 'full';
    const own = this.#environments.get(environment);
    if (own === undefined) return 'admitted';
    const ofCaller = own.callers.get(caller) ?? 0;
    const isWithin = own.total < free && ofCaller < free - own.total;
    return isWithin ? 'admitted' : 'over_share';
  }

  /** Whether this holder could take so much more in small amounts, if no other holder takes any. */
  admitsAll(holder: Holder, amount: number): Admission {
    if (amount > this.#capacity - this.#held) return 'full';
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

  #add({ environment, caller }: Holder, amount: number): void {
    const own = this.#environments.get(environment) ?? {
      total: 0,
      callers: new Map<string, number>(),
    };
    const ofCaller = (own.callers.get(caller) ?? 0) + amount;
    this.#held += amount;
    own.total += amount;
    // Only holders are remembered: there may be many environments.
    if (ofCaller === 0) own.callers.delete(caller);
    else own.callers.set(caller, ofCaller);
    if (own.callers.size === 0) this.#environments.delete(environment);
    else this.#environments.set(environment, own);
  }
}

interface Held {
  total: number;
  readonly callers: Map<string, number>;
}
