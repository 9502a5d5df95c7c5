import type { OpenApiDocument } from '@sightline/contracts/openapi';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { AuditLog } from '@sightline/core/audit/audit-log';
import type { ReadAudit } from '@sightline/core/audit/read-audit';
import type { Database } from '@sightline/core/database/database';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { RelayStore } from '@sightline/core/events/relay-store';
import type { IdempotencyStore } from '@sightline/core/idempotency/idempotency-store';
import type { SystemState } from '@sightline/core/installation/system-state';
import type { JobQueue } from '@sightline/core/jobs/job-queue';
import type { TailCache } from '@sightline/core/matching/tail-cache';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { ActivationStore } from '@sightline/core/models/activation-store';
import type { ModelDeclarations } from '@sightline/core/models/declared-models';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { GroupCuts } from '@sightline/core/similarity/group-cuts';
import type { Renditions } from '@sightline/core/renditions/renditions';
import type { SettingDefaults } from '@sightline/core/settings/setting-defaults';
import type { FeedHeads, FeedWatch } from '@sightline/core/feed/feed-watch';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { FetchImage } from '@sightline/core/sources/fetch-image';
import type { ImageMemory } from '@sightline/core/sources/image-memory';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { IndexStatusStore } from '@sightline/core/vectors/index-status';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import type { DeliveryQueue } from '@sightline/core/webhooks/delivery-queue';
import type { SendMessage } from '@sightline/core/webhooks/send-message';
import type { BodyMemory } from '@sightline/platform/http/body-memory';
import type { Spool } from '@sightline/platform/http/spool';
import type { Logger } from '@sightline/platform/logging/logger';
import type { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { LoopTurns } from '@sightline/platform/resilience/loop-turns';
import type { AccountContext } from './account-context.ts';
import type { WaitingRequests } from './waiting-requests.ts';
import type { HealthAnswer } from './health-answer.ts';
import type { SystemAnswer } from './system-answer.ts';
import type { EnvironmentTurns } from './environment-turns.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { SerializedDocument } from './serialized-document.ts';

export interface ApiContext extends AccountContext {
  readonly analyzer: ImageAnalyzer;
  readonly audit: AuditLog;
  readonly readAudit: Pick<ReadAudit, 'note'>;
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
  /** `changeLog.reader` is the name of the index that this process uses for matching. */
  readonly changeLog: Pick<ChangeLog, 'reader'>;
  readonly indexStatus: Pick<IndexStatusStore, 'readers' | 'similarity'>;
  /** Caches the vectors that the index may not contain yet. */
  readonly tails: TailCache;
  readonly idempotency: IdempotencyStore;
  /** Caches the rows of the active models. */
  readonly models: ModelRegistry;
  /** Reads the heads of feeds, for `feedWatch`. */
  readonly feedHeads: FeedHeads;
  /** Waits for entries of the change feeds. */
  readonly feedWatch: FeedWatch;
  /** The requests that wait for a change. */
  readonly waiting: WaitingRequests;
  /** Stores which models are active. */
  readonly modelStore: Pick<ModelStore, 'active' | 'adopt' | 'backfill' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'begin' | 'pending' | 'rolledBack' | 'work'>;
  readonly jobs: Pick<JobQueue, 'state'>;
  readonly deliveries: Pick<DeliveryQueue, 'state'>;
  readonly systemState: SystemState;
  readonly hosts: Pick<ModelHosts, 'statuses'>;
  readonly consumers: Pick<ConsumerStore, 'lags'>;
  readonly maintenance: Pick<MaintenanceStore, 'outboxState'>;
  readonly relays: Pick<RelayStore, 'states'>;
  /** The Kafka topic to which events are published; null if consumers read events from the database. */
  readonly eventTopic: string | null;
  /** The free bytes of the disk of the database; null if the database runs elsewhere, or the disk does not respond. */
  readonly databaseFreeBytes: (signal: AbortSignal) => Promise<number | null>;
  readonly systemSettings: SystemSettings;
  /** The defaults of the installation; `database` applies them. */
  readonly settingDefaults: SettingDefaults;
  /** Whether all processes that run models can read downloaded packs. If not, no model can be downloaded. */
  readonly hasPackStore: boolean;
  /**
   * Writes the model requests of callers into Kubernetes objects; null if the database decides which models are
   * active.
   */
  readonly declarations: ModelDeclarations | null;
  /** Whether a GPU is available now, regardless of the configuration. */
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
  readonly fetchImage: FetchImage;
  /** The memory for the images of the current request. The router adds it. */
  readonly imageMemory?: ImageMemory;
  readonly imageLimits: ImageLimits;
  readonly secrets: SecretBox;
  /** Checks the address of a webhook. @throws WebhookTargetRefused for an address that the service never calls */
  readonly checkTarget: (url: string) => Promise<void>;
  readonly send: SendMessage;
  /** The storage of request bodies. Batches and archives are stored on disk, all other bodies in memory. */
  readonly bodies: {
    readonly memory: BodyMemory;
    readonly spool: Spool;
    /** Limited only by the free disk space in total; a setting limits each archive. */
    readonly archives: Spool;
  };
  /** How many images of one batch are analyzed at the same time. The number keeps all workers busy. */
  readonly batchConcurrency: number;
  /** The maximum number of requests in progress. */
  readonly maxRequests: number;
  /** The requests of this process that have not ended, also those that wait for a change. */
  readonly requestsInFlight: () => number;
  readonly version: string;
  /** Returns the document, which the first call builds. */
  readonly openApi: () => Promise<SerializedDocument<OpenApiDocument>>;
  /** Checks all dependencies; callers within a short time share one result. */
  readonly health: () => Promise<HealthAnswer>;
  /** Reads the state of the installation; callers within a short time share one result. */
  readonly systemStatus: () => Promise<SystemAnswer>;
  /** Keeps the groups of strangers that were read last. */
  readonly groupCuts: GroupCuts;
  /** Finds and makes smaller JPEGs of crops and source images. */
  readonly renditions: Renditions;
  /** Serializes requests that read the groups of an environment, because each may take a while. */
  readonly scans: EnvironmentTurns;
  /** Serializes the reads of whole lists within an environment. A list waits for its turn before each of its parts. */
  readonly parts: EnvironmentTurns;
  /** The turns in which large JSON bodies are parsed. */
  readonly parses: LoopTurns;
  /** Limits the test messages to webhooks that are in flight, because each message may take 15 seconds. */
  readonly pings: FairShares;
  /** Keeps the buckets of lists for some seconds. */
  readonly recent: RecentAnswers;
  readonly logger: Logger;
}

/** Members that the application derives from the others. */
type Derived =
  | 'openApi'
  | 'health'
  | 'systemStatus'
  | 'groupCuts'
  | 'renditions'
  | 'scans'
  | 'parts'
  | 'parses'
  | 'pings'
  | 'recent';

export type GivenContext = Omit<ApiContext, Derived>;
