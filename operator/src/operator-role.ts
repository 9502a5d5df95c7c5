import type { OwnerReference } from '@sightline/kube/kube-object';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { aboutFailure } from './about-failure.ts';
import { Leading, type LeadingOptions } from './leading.ts';
import { createOperatorMetrics } from './operator-metrics.ts';
import { kubeLeases } from './runtime/kube-leases.ts';
import { LeaderElection, LeadershipLost } from './runtime/leader-election.ts';
import { neededRights } from './rights.ts';
import { RightsCheck } from './rights-check.ts';

export interface OperatorOptions extends Omit<LeadingOptions, 'metrics' | 'requireLeader'> {
  readonly registry: MetricsRegistry;
  /** The namespace of the Lease. */
  readonly namespace: string;
  /** The name of the Lease, which the chart's role lets this process write. */
  readonly leaseName: string;
  /** The owner of the Lease, with which Kubernetes deletes the Lease; null if it has none. */
  readonly leaseOwner: OwnerReference | null;
  /** Ends the process after an unexpected error. */
  readonly fail: (error: unknown) => void;
}

/**
 * Waits until this replica is the leader, then reconciles InferenceModels and InferenceRoutes. A replica that loses the
 * Lease ends its reconciliations, forgets what it has read and waits for the Lease again.
 */
export function createOperatorRole(options: OperatorOptions): Role {
  const { registry, logger, fail } = options;
  const stop = new AbortController();
  const state = { leading: null as Leading | null, isStarted: false };
  const metrics = createOperatorMetrics({
    registry,
    watched: () => state.leading?.watched ?? null,
    loads: () => state.leading?.loads ?? {},
  });
  let running: Promise<void> = Promise.resolve();

  const { client, clock, identity, namespace, namespaces, leaseName: name, leaseOwner } = options;
  const needed = neededRights({ namespaces, lease: { namespace, name } });
  const rights = new RightsCheck({ client, needed, clock, logger });

  async function follow(): Promise<void> {
    for (;;) {
      try {
        await lead();
      } catch (error) {
        stop.signal.throwIfAborted();
        if (!(error instanceof LeadershipLost)) throw error;
        logger.warn(
          { err: error },
          'this replica is no longer the leader, and waits for the Lease',
        );
      }
    }
  }

  /** Works as the leader, once this replica is that. @throws LeadershipLost, the signal's reason */
  async function lead(): Promise<void> {
    const leases = kubeLeases(client, { namespace, name, owner: leaseOwner });
    const failed = (error: unknown): void =>
      logger.warn(aboutFailure(error), 'the Lease could not be read or renewed');
    metrics.leads(options.leaseName, false);
    const election = new LeaderElection({ leases, identity, clock, failed });
    await using leadership = await election.win(stop.signal);
    logger.info({ identity }, 'this replica is the leader');
    metrics.leads(options.leaseName, true);
    const requireLeader = (): void => leadership.require();
    state.leading = new Leading({ ...options, metrics, requireLeader });
    try {
      await state.leading.run(AbortSignal.any([stop.signal, leadership.signal]));
    } finally {
      state.leading = null;
      metrics.leads(options.leaseName, false);
    }
  }

  return {
    name: 'operator',
    start(signal) {
      signal.throwIfAborted();
      state.isStarted = true;
      const works = [follow(), rights.run(stop.signal)].map((work) =>
        work.catch((error: unknown) => {
          if (!stop.signal.aborted) fail(error);
        }),
      );
      running = Promise.all(works).then(() => undefined);
      return Promise.resolve();
    },
    // A waiting replica is ready as well, because it could become the leader; without its rights it could not.
    ready: () => Promise.resolve(state.isStarted && !stop.signal.aborted && rights.isComplete),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('The operator stops.'));
      await running;
    },
  };
}
