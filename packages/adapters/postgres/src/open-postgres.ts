import type { AccountStore } from '@sightline/core/accounts/account-store';
import type { AuditLog } from '@sightline/core/audit/audit-log';
import type { EnvironmentStore } from '@sightline/core/accounts/environment-store';
import type { InvitationStore } from '@sightline/core/accounts/invitation-store';
import type { OperationPruner } from '@sightline/core/operations/operation-store';
import type { LoginStore } from '@sightline/core/accounts/login-store';
import type { MemberStore } from '@sightline/core/accounts/member-store';
import type { SessionStore } from '@sightline/core/accounts/session-store';
import type { SignInCounterStore } from '@sightline/core/accounts/sign-in-counters';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { RelayStore } from '@sightline/core/events/relay-store';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { IdempotencyStore } from '@sightline/core/idempotency/idempotency-store';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import type { FeedHeads } from '@sightline/core/feed/feed-watch';
import type { EnvironmentEraser } from '@sightline/core/maintenance/environment-eraser';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { OpenFaceSource } from '@sightline/core/groups/followed-faces';
import type { StoredSecrets } from '@sightline/core/maintenance/stored-secrets';
import type { ActivationStore } from '@sightline/core/models/activation-store';
import type { CatalogStore } from '@sightline/core/models/catalog-store';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { SystemState } from '@sightline/core/installation/system-state';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { DeliveryQueue } from '@sightline/core/webhooks/delivery-queue';
import type { Database } from '@sightline/core/database/database';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import {
  SIMILARITY_READER,
  type SimilarityQueue,
} from '@sightline/core/similarity/similarity-queue';
import { type ChangeLog, SHARED_READER } from '@sightline/core/vectors/change-log';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { Guard } from '@sightline/platform/resilience/guard';
import { Doors } from './doors/doors.ts';
import { openPools, type PoolOptions } from './doors/open-pools.ts';
import { ping } from './doors/ping.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { PostgresAccountStore } from './stores/accounts/accounts.ts';
import { PostgresAuditLog } from './stores/audit/audit-log.ts';
import { PostgresEnvironmentStore } from './stores/accounts/environments.ts';
import { PostgresOperationPruner } from './stores/operations/operation-pruner.ts';
import { PostgresInvitationStore } from './stores/accounts/invitations.ts';
import { PostgresLoginStore } from './stores/accounts/logins.ts';
import { PostgresMemberStore } from './stores/accounts/members.ts';
import { PostgresSessionStore } from './stores/accounts/sessions.ts';
import { signInCounterStore } from './stores/accounts/sign-in-counters.ts';
import { PostgresCatalogStore } from './stores/models/catalog.ts';
import { PostgresChangeLog } from './stores/vectors/change-log.ts';
import { PostgresConsumerStore } from './stores/database/consumers.ts';
import { PostgresDeliveryQueue } from './stores/webhooks/delivery-queue.ts';
import { PostgresIndexSource } from './stores/vectors/index-source.ts';
import { indexStatusStore } from './stores/vectors/index-status.ts';
import { openFaceSource } from './stores/groups/open-face-source.ts';
import { similarityQueue } from './stores/groups/similarity-queue.ts';
import { installationStore } from './stores/installation/installation.ts';
import { systemState } from './stores/installation/system-state.ts';
import { idempotencyStore } from './stores/idempotency/idempotency.ts';
import { PostgresJobQueue } from './stores/jobs/job-queue.ts';
import { keyStore } from './stores/api-keys/keys.ts';
import { leaseStore } from './stores/leases/leases.ts';
import { feedHeads } from './stores/feed/feed-heads.ts';
import { PostgresEnvironmentEraser } from './stores/maintenance/environment-eraser.ts';
import { PostgresMaintenanceStore } from './stores/maintenance/maintenance.ts';
import { storedSecrets } from './stores/maintenance/stored-secrets.ts';
import { PostgresActivationStore } from './stores/models/activations.ts';
import { PostgresModelStore } from './stores/models/models.ts';
import { outboxReader } from './stores/events/outbox-reader.ts';
import { PostgresDatabase } from './stores/database/postgres-database.ts';
import { relayStore } from './stores/events/relay-positions.ts';
import { systemSettingsStore } from './stores/settings/settings.ts';

/** The stores of one database. Disposing closes the connections. */
export interface PostgresStores extends AsyncDisposable {
  readonly accounts: AccountStore;
  readonly audit: AuditLog;
  readonly catalog: CatalogStore;
  readonly changeLog: ChangeLog;
  readonly consumers: ConsumerStore;
  readonly deliveries: DeliveryQueue;
  readonly database: Database;
  readonly environments: EnvironmentStore;
  readonly eraser: EnvironmentEraser;
  readonly feedHeads: FeedHeads;
  readonly idempotency: IdempotencyStore;
  readonly indexSource: IndexSource;
  readonly indexStatus: IndexStatusStore;
  readonly installation: InstallationStore;
  readonly invitations: InvitationStore;
  readonly operationPruner: OperationPruner;
  readonly jobs: JobQueue;
  readonly keys: KeyStore;
  readonly leases: LeaseStore;
  readonly logins: LoginStore;
  readonly maintenance: MaintenanceStore;
  readonly members: MemberStore;
  readonly models: ModelStore;
  readonly openFaces: OpenFaceSource;
  readonly outbox: OutboxReader;
  readonly relays: RelayStore;
  readonly sessions: SessionStore;
  readonly signIns: SignInCounterStore;
  readonly similarityLog: ChangeLog;
  readonly similarityQueue: SimilarityQueue;
  readonly storedSecrets: StoredSecrets;
  readonly activations: ActivationStore;
  readonly systemSettings: SystemSettings;
  readonly systemState: SystemState;
  /**
   * Pings the server on a separate connection, bypassing the circuit breaker.
   *
   * @throws StoreUnavailable if the server does not answer before the signal aborts
   */
  ping(signal: AbortSignal): Promise<void>;
}

/** The vector index that a process uses: one that all processes share, or one of its own. */
export type ReaderChoice =
  | { readonly kind: 'shared' }
  /** The name must be unique to the process. */
  | { readonly kind: 'own'; readonly name: string };

export interface PostgresOptions extends PoolOptions {
  readonly reader: ReaderChoice;
  readonly guard?: Guard;
  /** How long connections keep query plans, in ms. The default is 10 s. */
  readonly plansKept?: number;
}

/** Opens the stores of a migrated database. Stores connect when they are first used. */
export function openPostgres(
  connection: PostgresConnection,
  options: PostgresOptions,
): PostgresStores {
  const pools = openPools(connection, options);
  const doors = new Doors(pools, options);
  const reader = options.reader.kind === 'shared' ? SHARED_READER : options.reader.name;
  return {
    accounts: new PostgresAccountStore(doors),
    audit: new PostgresAuditLog(doors),
    catalog: new PostgresCatalogStore(doors),
    changeLog: new PostgresChangeLog(doors, reader),
    consumers: new PostgresConsumerStore(doors),
    deliveries: new PostgresDeliveryQueue(doors),
    database: new PostgresDatabase(doors, reader),
    environments: new PostgresEnvironmentStore(doors),
    eraser: new PostgresEnvironmentEraser(doors),
    feedHeads: feedHeads(doors),
    idempotency: idempotencyStore(doors),
    indexSource: new PostgresIndexSource(doors),
    indexStatus: indexStatusStore(doors),
    installation: installationStore(doors),
    invitations: new PostgresInvitationStore(doors),
    operationPruner: new PostgresOperationPruner(doors),
    jobs: new PostgresJobQueue(doors),
    keys: keyStore(doors),
    leases: leaseStore(doors),
    logins: new PostgresLoginStore(doors),
    maintenance: new PostgresMaintenanceStore(doors),
    members: new PostgresMemberStore(doors),
    models: new PostgresModelStore(doors),
    openFaces: openFaceSource(doors),
    outbox: outboxReader(doors),
    relays: relayStore(doors),
    sessions: new PostgresSessionStore(doors),
    signIns: signInCounterStore(doors),
    similarityLog: new PostgresChangeLog(doors, SIMILARITY_READER),
    similarityQueue: similarityQueue(doors),
    storedSecrets: storedSecrets(doors),
    activations: new PostgresActivationStore(doors),
    systemSettings: systemSettingsStore(doors),
    systemState: systemState(doors),
    ping: (signal) => ping(pools.watch, signal),
    [Symbol.asyncDispose]: () => pools[Symbol.asyncDispose](),
  };
}
