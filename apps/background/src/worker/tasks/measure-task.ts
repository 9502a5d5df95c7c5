import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { RelayStore } from '@sightline/core/events/relay-store';
import type { DeliveryQueue } from '@sightline/core/webhooks/delivery-queue';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import { ALL_DONE, type BackgroundTask } from '../../tasks/background-task.ts';
import type { WorkerObserver } from '../worker-observer.ts';

export interface MeasureDeps {
  readonly changeLog: Pick<ChangeLog, 'reader'>;
  readonly indexStatus: Pick<IndexStatusStore, 'readers' | 'similarity'>;
  readonly jobs: Pick<JobQueue, 'state'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly consumers: Pick<ConsumerStore, 'lags'>;
  readonly relays: Pick<RelayStore, 'states'>;
  readonly deliveries: Pick<DeliveryQueue, 'state'>;
  readonly observer: Pick<
    WorkerObserver,
    | 'consumersMeasured'
    | 'indexMeasured'
    | 'jobsMeasured'
    | 'messagesMeasured'
    | 'outboxState'
    | 'relaysMeasured'
    | 'similarityMeasured'
  >;
}

export function measureTask(deps: MeasureDeps): BackgroundTask {
  const { changeLog, indexStatus, jobs, maintenance, consumers, relays, deliveries, observer } =
    deps;
  return {
    name: 'measure',
    everyMs: 10_000,
    run: async (signal) => {
      const readers = await indexStatus.readers(signal);
      const own = readers.find(({ name }) => name === changeLog.reader);
      observer.indexMeasured(own ?? null);
      observer.similarityMeasured(await indexStatus.similarity(signal));
      observer.outboxState(await maintenance.outboxState(signal));
      observer.jobsMeasured(await jobs.state(signal));
      observer.consumersMeasured(await consumers.lags(signal));
      observer.relaysMeasured(await relays.states(signal));
      observer.messagesMeasured(await deliveries.state(signal));
      return ALL_DONE;
    },
  };
}
