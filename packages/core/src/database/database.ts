import type { DetectionReader, DetectionWriter } from '../detections/detection-store.ts';
import type { FaceLists } from '../detections/face-lists.ts';
import type { DomainEvent } from '../events/domain-event.ts';
import type { FeedReader } from '../feed/feed-store.ts';
import type { CompletedAnswer, IdempotencyClaim } from '../idempotency/idempotency-store.ts';
import type { JobReader, JobWriter } from '../jobs/job-store.ts';
import type { DownloadWriter, ListedModelReader } from '../models/catalog-store.ts';
import type { IdentityReader, IdentityWriter } from '../identities/identity-store.ts';
import type { FaceRecordReader } from '../references/face-record.ts';
import type { MergeWriter } from '../identities/merge-store.ts';
import type { GalleryReader, SuggestionWriter } from '../references/gallery-store.ts';
import type { ReferenceReader, ReferenceWriter } from '../references/reference-store.ts';
import type { LibraryReader } from '../library/library-reader.ts';
import type { NameSearch } from '../identities/name-search.ts';
import type { SettingsReader, SettingsWriter } from '../settings/settings-store.ts';
import type { SourceReader, SourceWriter } from '../sources/source-store.ts';
import type { StatisticsReader } from '../statistics/statistics-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { WebhookReader, WebhookWriter } from '../webhooks/webhook-store.ts';

/**
 * The reads of one transaction within one environment. Reads that do not need each other's answers
 * should start together: they share a round trip then.
 */
export interface Stores {
  readonly sources: SourceReader;
  readonly detections: DetectionReader;
  readonly faces: FaceLists;
  readonly identities: IdentityReader;
  readonly references: ReferenceReader;
  readonly faceRecords: FaceRecordReader;
  readonly gallery: GalleryReader;
  readonly settings: SettingsReader;
  readonly statistics: StatisticsReader;
  readonly names: NameSearch;
  readonly library: LibraryReader;
  readonly jobs: JobReader;
  readonly models: ListedModelReader;
  readonly feed: FeedReader;
  readonly webhooks: WebhookReader;
}

/**
 * A writing transaction. While it is open, its function calls no other service and runs no inference.
 * The function may run several times, so its only effects are those on this object.
 */
export interface Transaction extends Stores {
  readonly sources: SourceReader & SourceWriter;
  readonly detections: DetectionReader & DetectionWriter;
  readonly identities: IdentityReader & IdentityWriter;
  readonly merges: MergeWriter;
  readonly references: ReferenceReader & ReferenceWriter;
  readonly suggestions: SuggestionWriter;
  readonly settings: SettingsReader & SettingsWriter;
  readonly jobs: JobReader & JobWriter;
  readonly models: ListedModelReader & DownloadWriter;
  readonly webhooks: WebhookReader & WebhookWriter;

  /**
   * Continues if all of these locks are held; otherwise the transaction is restarted with them. Every
   * writing method requires its locks; a function that requires all of them before its first write
   * saves a restart.
   */
  require(...locks: readonly EntityLock[]): void;

  /**
   * Continues if the model is the active one of its task, and keeps it so until the end of the
   * transaction. A use case that stores vectors or references of a model requires this: jobs that
   * re-embed stored faces for another model are created once no transaction stores with the
   * previous one any more.
   *
   * @throws InferenceUnavailable if another model has become active
   */
  requireActive(modelId: number): Promise<void>;

  /**
   * Like `requireActive`, but also accepts the previous model for a minute after a switch: requests
   * that began with it still store faces, and a job re-embeds those for its successor.
   *
   * @throws InferenceUnavailable if it was replaced longer ago
   */
  requireCounting(modelId: number): Promise<void>;

  /**
   * Emits events about changes of this transaction, in this order. The identities that they name
   * must still exist, because the events carry their `external_ref`.
   */
  emit(...events: readonly DomainEvent[]): Promise<void>;

  /** Stores the answer under the claim, for a caller who repeats the request with the same key. */
  complete(claim: IdempotencyClaim, answer: CompletedAnswer): Promise<void>;
}

/**
 * The source of truth: metadata, vectors and events of all environments.
 *
 * Both methods throw StoreUnavailable if the database cannot be reached, is full or gave up, and
 * the signal's reason on abort; nothing is written then.
 */
export interface Database {
  /** Reads from one environment, in a transaction that cannot write. */
  withScope<T>(
    scope: Scope,
    read: (stores: Stores) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Writes within one environment, while the entities are locked. */
  withEntities<T>(
    scope: Scope & { readonly locks: readonly EntityLock[] },
    write: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;

  /** Whether the database answers; never throws. */
  ready(signal?: AbortSignal): Promise<boolean>;
}

/**
 * Runs as the last step of a use case's transaction, with the result of the use case: so an answer can
 * be stored together with its effect.
 */
export type Settle<Result> = (transaction: Transaction, result: Result) => Promise<void>;
