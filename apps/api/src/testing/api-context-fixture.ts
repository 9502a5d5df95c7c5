import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { TEST_COST } from '@sightline/core/accounts/testing/test-cost';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import { ReadAudit } from '@sightline/core/audit/read-audit';
import { FeedWatch } from '@sightline/core/feed/feed-watch';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import { TrustedProxies } from '@sightline/platform/http/client-address';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { Spool } from '@sightline/platform/http/spool';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { checkTargets } from '@sightline/events/webhooks/check-targets';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { createAccountContext } from '../context/create-account-context.ts';
import type { ApiContext, GivenContext } from '../context/api-context.ts';
import { WaitingRequests } from '../context/waiting-requests.ts';

export type CreateDatabase = () => Promise<
  AsyncDisposable & { readonly connection: PostgresConnection }
>;

/** Empty embedded stores, and inference whose answers a test sets. */
export interface ApiContextFixture extends AsyncDisposable {
  readonly context: GivenContext;
  readonly stores: PostgresStores;
  readonly media: FileMediaStore;
  readonly vectors: EmbeddedVectorIndex;
  readonly analyzer: FakeAnalyzer;
  readonly log: Record<string, unknown>[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openApiContext(
  createDatabase: CreateDatabase,
  changes: Partial<ApiContext> = {},
): Promise<ApiContextFixture> {
  const resources = new AsyncDisposableStack();
  const log: Record<string, unknown>[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({ level: 'info', destination: { write } });
  const { connection } = resources.use(await createDatabase());
  const stores = resources.use(
    openPostgres(connection, { logger, reader: { kind: 'own', name: 'test' } }),
  );
  // The index is already complete, because the database is empty.
  await stores.changeLog.follow();
  await stores.changeLog.filled();
  const folder = await mkdtemp(join(tmpdir(), 'sightline-api-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const media = await FileMediaStore.open({ folder: join(folder, 'media') });
  const vectors = resources.use(new EmbeddedVectorIndex());
  const outgoing = resources.use(new GuardedFetch({ ownEndpoints: () => [] }));
  await (await vectors.begin()).publish();
  const analyzer = new FakeAnalyzer();
  for (const { id } of await stores.models.register(analyzer.models)) {
    await stores.models.activate(id);
  }
  const feedWatch = new FeedWatch(stores.feedHeads, (err) => logger.error({ err }, 'heads'));
  resources.defer(() => feedWatch.end());
  const { database, idempotency, jobs, systemSettings, changeLog, indexStatus } = stores;
  const secrets = new AesSecretBox(() => [new Uint8Array(32)]);
  const context: ApiContextFixture['context'] = {
    analyzer,
    audit: stores.audit,
    readAudit: resources.use(new ReadAudit(stores.audit, { lost: () => undefined })),
    database,
    media,
    vectors,
    idempotency,
    jobs,
    systemSettings,
    consumers: stores.consumers,
    maintenance: stores.maintenance,
    deliveries: stores.deliveries,
    systemState: stores.systemState,
    hosts: { statuses: async () => [await analyzer.status()] },
    requestsInFlight: () => 1,
    feedHeads: stores.feedHeads,
    feedWatch,
    waiting: new WaitingRequests(500),
    relays: stores.relays,
    eventTopic: null,
    logger,
    changeLog,
    indexStatus,
    ...createAccountContext(stores, {
      publicUrl: null,
      proxies: new TrustedProxies([]),
      identityProvider: null,
      passwords: new PasswordHasher(TEST_COST),
      secrets,
    }),
    models: new ModelRegistry(stores.models),
    modelStore: stores.models,
    activations: stores.activations,
    tails: new TailCache(),
    hasPackStore: true,
    databaseFreeBytes: () => Promise.resolve(10 ** 9),
    settingDefaults: {},
    declarations: null,
    gpuAvailable: () => Promise.resolve(false),
    fetchImage: (url) => Promise.resolve(new TextEncoder().encode(url)),
    imageLimits: DEFAULT_IMAGE_LIMITS,
    secrets,
    checkTarget: checkTargets(outgoing),
    send: () =>
      Promise.resolve({
        ok: true,
        statusCode: 204,
        durationMs: 1,
        error: null,
        retryAfterMs: null,
      }),
    bodies: {
      memory: new BodyMemory(1024 ** 3),
      spool: new Spool({ maxBytes: 1024 ** 3, reserveBytes: 0 }),
      archives: new Spool({ maxBytes: Infinity, reserveBytes: 0 }),
    },
    batchConcurrency: 2,
    maxRequests: 1000,
    version: '1.2.3',
    ...changes,
  };
  const dispose = () => resources.disposeAsync();
  return { context, stores, media, vectors, analyzer, log, [Symbol.asyncDispose]: dispose };
}
