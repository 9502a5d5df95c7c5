import type { Role } from '@sightline/platform/lifecycle/role';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Leading, type LeadingOptions } from './leading.ts';
import { createOperatorMetrics } from './operator-metrics.ts';
import { kubeLeases } from './runtime/kube-leases.ts';
import { LeaderElection } from './runtime/leader-election.ts';

export interface OperatorOptions extends Omit<LeadingOptions, 'metrics' | 'requireLeader'> {
  readonly registry: MetricsRegistry;
  /** The namespace of the Lease. */
  readonly namespace: string;
  /** The name of the Lease, which the chart's role lets this process write. */
  readonly leaseName: string;
  /** Ends the process after it has lost the Lease, because another replica may lead by then. */
  readonly fail: (error: unknown) => void;
}

/** Waits until this replica is the leader, then reconciles InferenceModels and InferenceRoutes. */
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

  async function lead(): Promise<void> {
    const { client, clock, identity, namespace, leaseName: name } = options;
    const leases = kubeLeases(client, { namespace, name });
    const failed = (error: unknown): void =>
      logger.warn({ err: error }, 'the Lease could not be read or renewed');
    metrics.leads(options.leaseName, false);
    const election = new LeaderElection({ leases, identity, clock, failed });
    await using leadership = await election.win(stop.signal);
    logger.info({ identity }, 'this replica is the leader');
    metrics.leads(options.leaseName, true);
    const requireLeader = (): void => leadership.require();
    state.leading = new Leading({ ...options, metrics, requireLeader });
    await state.leading.run(AbortSignal.any([stop.signal, leadership.signal]));
  }

  return {
    name: 'operator',
    start(signal) {
      signal.throwIfAborted();
      state.isStarted = true;
      running = lead().catch((error: unknown) => {
        if (!stop.signal.aborted) fail(error);
      });
      return Promise.resolve();
    },
    // A waiting replica is ready as well, because it could become the leader.
    ready: () => Promise.resolve(state.isStarted && !stop.signal.aborted),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('The operator stops.'));
      await running;
      state.leading = null;
      metrics.leads(options.leaseName, false);
    },
  };
}
