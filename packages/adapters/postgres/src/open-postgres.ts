import type { KeyStore } from '@sightline/core/accounts/key-store';
import type { ReembedStore } from '@sightline/core/detections/reembedding/reembed-store';
import type { IdempotencyStore } from '@sightline/core/idempotency/idempotency-store';
import type { JobStore } from '@sightline/core/jobs/job-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { Database } from '@sightline/core/store/database';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import type { Logger } from '@sightline/platform/logging/logger';
import { Doors } from './doors/doors.ts';
import { openPools } from './doors/open-pools.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { PostgresIndexSource } from './stores/index-source.ts';
import { PostgresIdempotencyStore } from './stores/idempotency.ts';
import { PostgresJobStore } from './stores/jobs.ts';
import { PostgresKeyStore } from './stores/keys.ts';
import { PostgresMaintenanceStore } from './stores/maintenance.ts';
import { PostgresModelStore } from './stores/models.ts';
import { PostgresDatabase } from './stores/postgres-database.ts';
import { PostgresReembedStore } from './stores/reembed.ts';
import { PostgresSystemSettings } from './stores/settings.ts';

/** All that is kept in one database; disposing of it closes the connections. */
export interface PostgresStores extends AsyncDisposable {
  readonly changeLog: Pick<ChangeLog, 'changes' | 'acknowledge' | 'note' | 'backlog'>;
  readonly database: Database;
  readonly idempotency: IdempotencyStore;
  readonly indexSource: IndexSource;
  readonly jobs: JobStore;
  readonly keys: KeyStore;
  readonly maintenance: MaintenanceStore;
  readonly models: ModelStore;
  readonly reembed: ReembedStore;
  readonly systemSettings: SystemSettings;
}

/** Opens the stores of a migrated database. Connections are made when they are needed. */
export function openPostgres(connection: PostgresConnection, logger: Logger): PostgresStores {
  const pools = openPools(connection, logger);
  const doors = new Doors(pools);
  const indexSource = new PostgresIndexSource(doors);
  return {
    changeLog: indexSource,
    database: new PostgresDatabase(doors),
    idempotency: new PostgresIdempotencyStore(doors),
    indexSource,
    jobs: new PostgresJobStore(doors),
    keys: new PostgresKeyStore(doors),
    maintenance: new PostgresMaintenanceStore(doors),
    models: new PostgresModelStore(doors),
    reembed: new PostgresReembedStore(doors),
    systemSettings: new PostgresSystemSettings(doors),
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}
