import { withSettingDefaults } from '@sightline/core/database/with-setting-defaults';
import type { IdentityProvider } from '@sightline/core/accounts/identity-provider';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import type { SettingDefaults } from '@sightline/core/settings/setting-defaults';
import type { SignInCounterStore } from '@sightline/core/accounts/sign-in-counters';
import type { KeySource, SecretBox } from '@sightline/core/secrets/secret-box';
import { createFetchImage } from '@sightline/composition/create-fetch-image';
import type { Inference } from '@sightline/composition/inference';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import { ReadAudit } from '@sightline/core/audit/read-audit';
import { FeedWatch } from '@sightline/core/feed/feed-watch';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { NamingAnalyzer } from '@sightline/core/activation/naming-analyzer';
import type { ModelStore } from '@sightline/core/models/model-store';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { Config } from '@sightline/platform/config/variable-groups';
import { BodyMemory } from '@sightline/platform/http/body-memory';
import { TrustedProxies } from '@sightline/platform/http/client-address';
import { HttpListener } from '@sightline/platform/http/http-listener';
import { limitForwarded } from '@sightline/platform/http/limit-forwarded';
import type { Spool } from '@sightline/platform/http/spool';
import type { Role } from '@sightline/platform/lifecycle/role';
import { createConnectionMetrics } from '@sightline/platform/metrics/connection-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { checkTargets } from '@sightline/events/webhooks/check-targets';
import { postMessages } from '@sightline/events/webhooks/post-message';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { serveConsole } from './console/serve-console.ts';
import { createAccountContext } from './context/create-account-context.ts';
import type { AccountContext } from './context/account-context.ts';
import type { ApiContext, GivenContext } from './context/api-context.ts';
import { createApiApp } from './create-api-app.ts';
import { freeBytesIn } from './context/free-bytes-in.ts';
import { WaitingRequests } from './context/waiting-requests.ts';

export interface ApiStores extends Pick<
  ApiContext,
  | 'consumers'
  | 'database'
  | 'media'
  | 'vectors'
  | 'changeLog'
  | 'indexStatus'
  | 'idempotency'
  | 'jobs'
  | 'maintenance'
  | 'relays'
  | 'systemSettings'
  | 'systemState'
  | 'feedHeads'
  | 'activations'
  | 'deliveries'
  | 'accounts'
  | 'audit'
  | 'environments'
  | 'invitations'
  | 'logins'
  | 'members'
  | 'sessions'
> {
  readonly signIns: SignInCounterStore;
  readonly keys: KeyStore;
  readonly models: ModelStore;
}

export interface ApiRoleDeps extends Pick<
  ProcessContext,
  'logger' | 'registry' | 'version' | 'operations'
> {
  readonly config: Pick<
    Config,
    | 'host'
    | 'port'
    | 'maxConnections'
    | 'maxWaiting'
    | 'trustedProxies'
    | 'publicUrl'
    | 'drainSeconds'
    | 'bodyMemory'
    | 'kafkaBrokers'
    | 'kafkaTopic'
    | 'consoleDir'
  >;
  /** The temporary files of batches. */
  readonly spool: Spool;
  readonly stores: ApiStores;
  readonly inference: Inference;
  /** A cache of models that other roles of the process share; if absent, the API creates its own. */
  readonly models?: ModelRegistry;
  readonly secrets: SecretBox & KeySource;
  /** Null if the installation has none. */
  readonly identityProvider: IdentityProvider | null;
  readonly hasPackStore: boolean;
  /** The data folder, if the database is in it; null if the database runs elsewhere. */
  readonly databaseFolder: string | null;
  /** The defaults of the installation. */
  readonly settingDefaults: SettingDefaults;
  /** The addresses of external services. The API fetches no images from them and sends no messages to them. */
  readonly endpoints: readonly Endpoint[];
  /** Called when the port is bound, before the API is reported to listen. */
  readonly bound?: (signal: AbortSignal) => Promise<void>;
}

export interface ApiRole extends Role {
  readonly address: HttpListener['address'] | null;
  /** The URL for clients on this machine; null before the start. */
  readonly localUrl: string | null;
  /** Whether requests are in progress. */
  readonly isBusy: boolean;
}

export function createApiRole(deps: ApiRoleDeps): ApiRole {
  const { config, logger, registry, stores, operations, endpoints } = deps;
  const { host, port, maxConnections, drainSeconds } = config;
  let listener: HttpListener | null = null;
  let isStopping = false;
  const address = () => listener?.address ?? null;
  const outgoing = new GuardedFetch({
    ownEndpoints: () =>
      [address(), operations.endpoint, ...endpoints].filter((own) => own !== null),
  });
  const trustedProxies = new TrustedProxies(config.trustedProxies ?? []);
  const readAudit = new ReadAudit(stores.audit, {
    lost: (entries, error) =>
      logger.error({ entries, err: error }, 'entries of the audit were lost'),
  });
  const waiting = new WaitingRequests(config.maxWaiting);
  const feedWatch = new FeedWatch(stores.feedHeads, (err) =>
    logger.error({ err }, 'the heads of the feeds could not be read'),
  );
  const observer = createHttpMetrics(registry);
  const context = {
    ...contextOf(deps),
    readAudit,
    waiting,
    feedWatch,
    requestsInFlight: () => observer.inFlight,
    ...createAccountContext(stores, {
      publicUrl: config.publicUrl,
      proxies: trustedProxies,
      identityProvider: deps.identityProvider,
      passwords: new PasswordHasher(),
      secrets: deps.secrets,
    }),
    fetchImage: createFetchImage({ outgoing, logger }),
    checkTarget: checkTargets(outgoing),
    send: postMessages(outgoing),
  };
  const connections = createConnectionMetrics(registry);
  return {
    name: 'api',
    get address() {
      return address();
    },
    get localUrl() {
      return listener?.localUrl ?? null;
    },
    get isBusy() {
      return observer.inFlight > waiting.count;
    },
    async start(signal) {
      signal.throwIfAborted();
      const { consoleDir } = config;
      listener = await HttpListener.open({
        name: 'API',
        host,
        port,
        portVariable: 'SIGHTLINE_PORT',
        maxConnections,
        trustedProxies,
        connections,
        drainMs: drainSeconds * 1_000,
        handler: createApiApp({
          observer,
          context,
          isSecure: config.publicUrl?.startsWith('https:') ?? false,
          console: consoleDir === null ? undefined : serveConsole(consoleDir),
          clients: limitForwarded(trustedProxies, {
            most: maxConnections,
            untrusted: (peer) =>
              logger.warn(
                { peer },
                'a peer sends X-Forwarded-For, but is not in SIGHTLINE_TRUSTED_PROXIES',
              ),
          }),
        }),
      });
      await deps.bound?.(signal);
      logger.info({ url: listener.url }, 'the API listens');
    },
    async ready() {
      // The role stays ready without a model, a media store or an index, because only some requests need them.
      return listener !== null && !isStopping && (await stores.database.ready());
    },
    async [Symbol.asyncDispose]() {
      // From here on the role is not ready, while requests in flight finish.
      isStopping = true;
      feedWatch.end();
      await listener?.[Symbol.asyncDispose]();
      await readAudit[Symbol.asyncDispose]();
      await outgoing[Symbol.asyncDispose]();
    },
  };
}

function contextOf({
  config,
  spool,
  stores,
  inference,
  secrets,
  hasPackStore,
  databaseFolder,
  settingDefaults,
  version,
  logger,
  models = new ModelRegistry(stores.models),
}: ApiRoleDeps): Omit<
  GivenContext,
  | 'fetchImage'
  | 'checkTarget'
  | 'send'
  | 'readAudit'
  | 'waiting'
  | 'feedWatch'
  | 'requestsInFlight'
  | keyof AccountContext
> {
  return {
    ...stores,
    database: withSettingDefaults(stores.database, settingDefaults),
    settingDefaults,
    ...inference,
    analyzer: new NamingAnalyzer(inference.analyzer, models),
    hasPackStore,
    declarations: inference.control.declarations,
    eventTopic: config.kafkaBrokers === null ? null : config.kafkaTopic,
    models,
    modelStore: stores.models,
    databaseFreeBytes: (signal) => freeBytesIn(databaseFolder, signal),
    tails: new TailCache(),
    imageLimits: DEFAULT_IMAGE_LIMITS,
    secrets,
    bodies: {
      memory: new BodyMemory(config.bodyMemory),
      spool,
      archives: spool.forArchives(),
    },
    maxRequests: config.maxConnections,
    version,
    logger,
  };
}
