import { KubeRefusal } from '@sightline/kube/kube-errors';
import type { KubeObject } from '@sightline/kube/kube-object';
import type { Clock } from '@sightline/platform/resilience/clock';
import { pause } from '@sightline/kube/pause';
import { RepeatedFailure } from '@sightline/platform/resilience/repeated-failure';

/** The duration of a lease after a renewal, in ms. */
const LEASE_MS = 30_000;
const RENEW_MS = 10_000;
/** A leader stops if it could not renew the lease for this time, in ms: 10 s before another replica may take over. */
const RENEW_DEADLINE_MS = 20_000;
/** The interval in ms at which other replicas read the lease, and at which the leader retries a failed renewal. */
const RETRY_MS = 2_000;

/** `coordination.k8s.io/v1` Lease. */
export interface LeaseObject extends KubeObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

/** Access to the Lease for which replicas contend. */
export interface LeaseObjects {
  /** @returns null if there is none */
  read(signal: AbortSignal): Promise<LeaseObject | null>;
  /** @throws KubeRefusal, with a conflict if the Lease exists already */
  create(spec: LeaseObject['spec'], signal: AbortSignal): Promise<LeaseObject>;
  /** @throws KubeRefusal, with a conflict if the Lease has changed since it was read */
  replace(lease: LeaseObject, signal: AbortSignal): Promise<LeaseObject>;
}

export interface LeaderElectionOptions {
  readonly leases: LeaseObjects;
  /** A name that no other replica has. */
  readonly identity: string;
  readonly clock: Clock;
  /**
   * Called with each failure to read or write the Lease, before it is retried. A replica that does not lead reports a
   * failure only once while its retries fail in the same way.
   */
  readonly failed: (error: unknown) => void;
}

/** The lease was not renewed in time, so another replica may lead by now. */
export class LeadershipLost extends Error {
  readonly code = 'LEADERSHIP_LOST';
}

/**
 * Elects one of several replicas. A replica measures a lease's age from the last change that it saw, on its own
 * monotonic clock, so the clocks of machines need not agree.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  /** The last read version of the Lease, and when this process first saw that version. */
  #seen: { readonly lease: LeaseObject; readonly at: number } | null = null;
  readonly #failure: RepeatedFailure;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#failure = new RepeatedFailure(options.failed);
  }

  /** Waits until this process leads. @throws the signal's reason on abort */
  async win(signal: AbortSignal): Promise<Leadership> {
    for (;;) {
      try {
        const leadership = await this.#tryToWin(signal);
        this.#failure.succeeded();
        if (leadership !== null) return leadership;
      } catch (error) {
        signal.throwIfAborted();
        this.#failure.failed(error);
      }
      await pause(this.#options.clock, RETRY_MS, signal);
    }
  }

  /** @returns null if another replica holds the lease */
  async #tryToWin(signal: AbortSignal): Promise<Leadership | null> {
    const { leases, clock, identity } = this.#options;
    try {
      const lease = await leases.read(signal);
      const began = clock.now();
      if (lease === null) {
        const first = await leases.create(heldBy(identity, null), signal);
        return new Leadership(this.#options, { lease: first, renewedAt: began });
      }
      if (!this.#isFree(lease)) return null;
      const mine = { ...lease, spec: heldBy(identity, lease) };
      const taken = await leases.replace(mine, signal);
      return new Leadership(this.#options, { lease: taken, renewedAt: began });
    } catch (error) {
      // A conflict means that another replica was faster.
      if (error instanceof KubeRefusal && error.isConflict) return null;
      throw error;
    }
  }

  #isFree(lease: LeaseObject): boolean {
    const now = this.#options.clock.now();
    const { holderIdentity = '', leaseDurationSeconds } = lease.spec;
    if (holderIdentity === '' || holderIdentity === this.#options.identity) return true;
    const { resourceVersion } = lease.metadata;
    if (this.#seen?.lease.metadata.resourceVersion !== resourceVersion) {
      this.#seen = { lease, at: now };
    }
    const lastsMs = (leaseDurationSeconds ?? LEASE_MS / 1000) * 1000;
    return now >= this.#seen!.at + lastsMs;
  }
}

/** The leadership of this process. It ends when the signal aborts. Disposing of it releases the lease. */
export class Leadership implements AsyncDisposable {
  readonly #options: LeaderElectionOptions;
  readonly #lost = new AbortController();
  readonly #stop = new AbortController();
  readonly #renewing: Promise<void>;
  #lease: LeaseObject;
  /** When the request of the last successful renewal was sent. */
  #renewedAt: number;

  constructor(
    options: LeaderElectionOptions,
    { lease, renewedAt }: { readonly lease: LeaseObject; readonly renewedAt: number },
  ) {
    this.#options = options;
    this.#lease = lease;
    this.#renewedAt = renewedAt;
    this.#renewing = this.#renewUntilEnd();
  }

  /** Aborts with LeadershipLost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Must be called before each write, because a process that was paused has not noticed yet that its lease has expired.
   *
   * @throws LeadershipLost
   */
  require(): void {
    if (this.#options.clock.now() >= this.#renewedAt + RENEW_DEADLINE_MS) this.#lose();
    this.#lost.signal.throwIfAborted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    if (this.#lost.signal.aborted) return;
    const spec = { ...this.#lease.spec, holderIdentity: '', leaseDurationSeconds: 1 };
    const limit = AbortSignal.timeout(RENEW_MS);
    await this.#options.leases.replace({ ...this.#lease, spec }, limit).catch(() => undefined);
  }

  async #renewUntilEnd(): Promise<void> {
    const { clock } = this.#options;
    const ended = AbortSignal.any([this.#stop.signal, this.#lost.signal]);
    const stopDeadline = this.#watchDeadline();
    try {
      for (;;) {
        await pause(clock, RENEW_MS, ended);
        while (!(await this.#renew(ended))) await pause(clock, RETRY_MS, ended);
      }
    } catch {
      // The process stops or has lost the lease, so the renewals end.
    } finally {
      stopDeadline();
    }
  }

  /** @returns whether the lease was renewed */
  async #renew(signal: AbortSignal): Promise<boolean> {
    const { leases, clock, failed, identity } = this.#options;
    const began = clock.now();
    try {
      const spec = { ...this.#lease.spec, renewTime: microTime() };
      this.#lease = await leases.replace({ ...this.#lease, spec }, signal);
      this.#renewedAt = began;
      return true;
    } catch (error) {
      signal.throwIfAborted();
      failed(error);
      // The renewal got a conflict or no response, but it may still have been stored, or another client may only have
      // annotated the Lease. Reading the Lease shows whether this process still holds it.
      const lease = await leases.read(signal).catch(() => null);
      if (lease === null) return false;
      if (lease.spec.holderIdentity === identity) this.#lease = lease;
      else this.#lose();
      return false;
    }
  }

  /** Ends the leadership at the deadline, even while a request hangs. @returns a function that stops the timer */
  #watchDeadline(): () => void {
    const { clock } = this.#options;
    let cancel = (): void => undefined;
    const check = (): void => {
      const left = this.#renewedAt + RENEW_DEADLINE_MS - clock.now();
      if (left <= 0) this.#lose();
      else cancel = clock.after(left, check);
    };
    check();
    return () => cancel();
  }

  #lose(): void {
    this.#lost.abort(
      new LeadershipLost('The lease was not renewed in time, or another replica holds it.'),
    );
  }
}

function heldBy(identity: string, before: LeaseObject | null): LeaseObject['spec'] {
  const now = microTime();
  return {
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_MS / 1000,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: (before?.spec.leaseTransitions ?? 0) + 1,
  };
}

/** The current time in the format of Kubernetes' MicroTime. */
function microTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}
