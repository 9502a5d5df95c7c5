import type { AuditEntry } from '../audit/audit-entry.ts';
import type { DetectionReader, DetectionWriter } from '../detections/detection-store.ts';
import type { FaceLists } from '../detections/face-lists.ts';
import type { QueueSelections } from '../detections/queue-selection.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import type { FeedReader } from '../feed/feed-store.ts';
import type { CompletedAnswer, IdempotencyClaim } from '../idempotency/idempotency-store.ts';
import type { JobReader, JobWriter } from '../jobs/job-store.ts';
import type { DownloadWriter, ListedModelReader } from '../models/catalog-store.ts';
import type { FollowedFaceReader, FollowedFaceWriter } from '../groups/followed-faces.ts';
import type { GroupReader } from '../groups/group-reader.ts';
import type { IdentityReader, IdentityWriter } from '../identities/identity-store.ts';
import type { FaceRecordReader } from '../references/face-record.ts';
import type { MergeWriter } from '../identities/merge-store.ts';
import type { GalleryReader, SuggestionWriter } from '../references/gallery-store.ts';
import type { ReferenceReader, ReferenceWriter } from '../references/reference-store.ts';
import type { OperationReader, OperationWriter } from '../operations/operation-store.ts';
import type { LibraryReader } from '../library/library-reader.ts';
import type { NameSearch } from '../identities/name-search.ts';
import type { RenditionReader, RenditionWriter } from '../media/rendition-store.ts';
import type { SettingsReader, SettingsWriter } from '../settings/settings-store.ts';
import type { SourceReader, SourceWriter } from '../sources/source-store.ts';
import type { StatisticsReader } from '../statistics/statistics-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { WebhookReader, WebhookWriter } from '../webhooks/webhook-store.ts';

/**
 * The reads of one transaction within one environment. Independent reads should start together, so that they share a
 * round trip.
 */
export interface Stores {
  readonly sources: SourceReader;
  readonly detections: DetectionReader;
  readonly faces: FaceLists;
  readonly queue: QueueSelections;
  readonly identities: IdentityReader;
  readonly renditions: RenditionReader;
  readonly references: ReferenceReader;
  readonly faceRecords: FaceRecordReader;
  readonly followed: FollowedFaceReader;
  readonly groups: GroupReader;
  readonly gallery: GalleryReader;
  readonly settings: SettingsReader;
  readonly statistics: StatisticsReader;
  readonly names: NameSearch;
  readonly library: LibraryReader;
  readonly operations: OperationReader;
  readonly jobs: JobReader;
  readonly models: ListedModelReader;
  readonly feed: FeedReader;
  readonly webhooks: WebhookReader;
}

/**
 * A writing transaction. The caller's function may run several times, so it must have no effects other than calls of
 * this object. It must not call other services or run inference.
 */
export interface Transaction extends Stores {
  readonly sources: SourceReader & SourceWriter;
  readonly detections: DetectionReader & DetectionWriter;
  readonly identities: IdentityReader & IdentityWriter;
  readonly renditions: RenditionReader & RenditionWriter;
  readonly merges: MergeWriter;
  readonly operations: OperationWriter;
  readonly references: ReferenceReader & ReferenceWriter;
  readonly suggestions: SuggestionWriter;
  readonly followed: FollowedFaceReader & FollowedFaceWriter;
  readonly settings: SettingsReader & SettingsWriter;
  readonly jobs: JobReader & JobWriter;
  readonly models: ListedModelReader & DownloadWriter;
  readonly webhooks: WebhookReader & WebhookWriter;

  /**
   * Requires locks. If the transaction does not hold all of them, it restarts with these locks. Every writing method
   * requires its own locks; a function that requires all locks before its first write saves restarts.
   */
  require(...locks: readonly EntityLock[]): void;

  /**
   * Requires that the model is active, and keeps it active until the end of the transaction. Transactions that store
   * embeddings or references call this. A switch of the model waits until they end and only then creates its
   * reembedding jobs, so these jobs cover everything that the transactions stored.
   *
   * @throws InferenceUnavailable if another model is active
   */
  requireActive(modelId: number): Promise<void>;

  /**
   * Like `requireActive`, but also accepts the previous model for a minute after a switch, because requests that began
   * before the switch still store faces. A job embeds these faces with the active model.
   *
   * @throws InferenceUnavailable if the model is not active and was not replaced within the last minute
   */
  requireCounting(modelId: number): Promise<void>;

  /**
   * Emits events about changes of this transaction, in this order. The identities in the events must still exist,
   * because the events contain their `external_ref`.
   */
  emit(...events: readonly DomainEvent[]): Promise<void>;

  /**
   * Makes changes that belong to the operation of the scope, if it is selective. Those of other operations do anyway, and
   * without an operation they belong to none.
   *
   * @param change makes the changes; all its locks must be held
   * @returns the id of the operation; null if the changes belong to none
   */
  record(change: () => Promise<void>): Promise<number | null>;

  /** Records what the actor of the scope does in this transaction. */
  audit(entry: AuditEntry): Promise<void>;

  /** Stores the answer of the request for a retry with the same idempotency key. */
  complete(claim: IdempotencyClaim, answer: CompletedAnswer): Promise<void>;
}

/**
 * The database of metadata, embeddings and events of all environments.
 *
 * `withScope` and `withEntities` throw StoreUnavailable if the database cannot be reached, is full or timed out, and
 * the signal's reason on abort. They also throw the errors of the caller's function.
 */
export interface Database {
  /** Reads from one environment in a read-only transaction. */
  withScope<T>(
    scope: Scope,
    read: (stores: Stores) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /**
   * Writes within one environment in a transaction that holds the locks.
   *
   * @throws EnvironmentDeleted
   */
  withEntities<T>(
    scope: Scope & { readonly locks: readonly EntityLock[] },
    write: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Opens a series of writes that are flushed to the disk together. */
  deferred(): DeferredWrites;

  /** Whether the database responds. The promise never rejects. */
  ready(signal?: AbortSignal): Promise<boolean>;
}

/**
 * Writing transactions whose commits do not wait for the disk, for work that is repeated if it was lost. Other
 * transactions see their rows at once, but readers of events see their events only once they are on the disk.
 */
export interface DeferredWrites extends Pick<Database, 'withEntities'> {
  /**
   * Waits until all transactions that have ended are on the disk. Nothing may be acknowledged before.
   *
   * @throws StoreUnavailable if a transaction may be lost
   */
  flush(): Promise<void>;
}

/**
 * The last step of a use case's transaction. It receives the result of the use case, and may store the request's answer
 * in the same transaction.
 */
export type Settle<Result> = (transaction: Transaction, result: Result) => Promise<void>;
