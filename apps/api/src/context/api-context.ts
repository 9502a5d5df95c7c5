import type { OpenApiDocument } from '@sightline/contracts/openapi';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import type { Database } from '@sightline/core/database/database';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { RelayStore } from '@sightline/core/events/relay-store';
import type { IdempotencyStore } from '@sightline/core/idempotency/idempotency-store';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { TailCache } from '@sightline/core/matching/tail-cache';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { ActivationStore } from '@sightline/core/models/activation-store';
import type { ModelDeclarations } from '@sightline/core/models/model-routes';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { FetchImage } from '@sightline/core/sources/fetch-image';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { SecretBox } from '@sightline/core/webhooks/secret-box';
import type { SendMessage } from '@sightline/core/webhooks/send-message';
import type { BodyMemory } from '@sightline/platform/http/body-memory';
import type { Spool } from '@sightline/platform/http/spool';
import type { Logger } from '@sightline/platform/logging/logger';
import type { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { HealthAnswer } from './health-answer.ts';
import type { EnvironmentTurns } from './environment-turns.ts';
import type { SerializedDocument } from './serialized-document.ts';

/** What the endpoints work with. */
export interface ApiContext {
  readonly analyzer: ImageAnalyzer;
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
  /** The reader whose index and pending changes matching uses. */
  readonly changeLog: Pick<ChangeLog, 'reader'>;
  readonly indexStatus: Pick<IndexStatusStore, 'readers'>;
  /** Caches the vectors that the index may not contain yet. */
  readonly tails: TailCache;
  readonly keys: Pick<KeyAuthenticator, 'authenticate'>;
  readonly idempotency: IdempotencyStore;
  /** The rows of the models that answer. */
  readonly models: ModelRegistry;
  /** Which models were activated. */
  readonly modelStore: Pick<ModelStore, 'active' | 'adopt' | 'bringUp' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'begin' | 'coming' | 'givenWay'>;
  readonly jobs: Pick<JobQueue, 'state'>;
  readonly consumers: Pick<ConsumerStore, 'lags'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly relays: Pick<RelayStore, 'states'>;
  /** The topic of Kafka in which events are published; null: they are read from the database. */
  readonly eventTopic: string | null;
  readonly systemSettings: SystemSettings;
  /** Whether all processes that run models can get what is downloaded. */
  readonly hasPackStore: boolean;
  /** What a cluster declares of models; null: there is none. */
  readonly declarations: ModelDeclarations | null;
  /** Whether a GPU is available now, whatever the configuration says. */
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
  readonly fetchImage: FetchImage;
  readonly imageLimits: ImageLimits;
  /** Of webhooks. */
  readonly secrets: SecretBox;
  /** Refuses addresses that the service never calls. @throws WebhookTargetRefused */
  readonly checkTarget: (url: string) => void;
  /** Sends a message to a webhook. */
  readonly send: SendMessage;
  /** Where bodies are kept: batches and archives on disk, all others in memory. */
  readonly bodies: {
    readonly memory: BodyMemory;
    readonly spool: Spool;
    /** Bounded by the disk alone: a setting bounds each archive. */
    readonly archives: Spool;
  };
  /** How many images of one batch are analyzed at the same time: enough to keep all workers busy. */
  readonly batchConcurrency: number;
  /** The version of the product, for health and the OpenAPI document. */
  readonly version: string;
  /** Built once: it takes milliseconds, which would block other requests. */
  readonly openApi: SerializedDocument<OpenApiDocument>;
  /** Callers share what it finds for a moment. */
  readonly health: () => Promise<HealthAnswer>;
  /** For requests that read through everything that an environment has. */
  readonly scans: EnvironmentTurns;
  /** For the parts of lists that are sent as a whole: a list has its turn again after each part. */
  readonly parts: EnvironmentTurns;
  /** Test messages to webhooks that wait for their endpoints: each may take 15 seconds. */
  readonly pings: FairShares;
  readonly logger: Logger;
}

/** What an application makes of the rest. */
type Derived = 'openApi' | 'health' | 'scans' | 'parts' | 'pings';

export type GivenContext = Omit<ApiContext, Derived>;
