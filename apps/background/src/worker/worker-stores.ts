import type { RelayStore } from '@sightline/core/events/relay-store';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { DeliveryQueue } from '@sightline/core/webhooks/delivery-queue';
import type { Database } from '@sightline/core/database/database';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { ActivationStore } from '@sightline/core/models/activation-store';
import type { CatalogStore } from '@sightline/core/models/catalog-store';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';

export interface WorkerStores {
  readonly catalog: CatalogStore;
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
  readonly changeLog: ChangeLog;
  readonly indexSource: IndexSource;
  readonly indexStatus: IndexStatusStore;
  readonly jobs: JobQueue;
  readonly consumers: ConsumerStore;
  readonly relays: RelayStore;
  readonly deliveries: DeliveryQueue;
  readonly leases: LeaseStore;
  readonly maintenance: MaintenanceStore;
  readonly models: ModelStore;
  readonly activations: ActivationStore;
  readonly systemSettings: SystemSettings;
}
