import { SERVICE } from '@sightline/core/store/actor';
import type {
  Database,
  DeferredWrites,
  Stores,
  Transaction,
} from '@sightline/core/database/database';
import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import type { Doors } from '../../doors/doors.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { PostgresDetectionReader, PostgresDetectionWriter } from '../detections/detections.ts';
import { faceRecordReader } from '../references/face-records.ts';
import { PostgresFaceLists } from '../detections/face-lists.ts';
import { queueSelections } from '../detections/queue-selections.ts';
import { PostgresGalleryReader, PostgresSuggestionWriter } from '../references/gallery.ts';
import { followedFaceReader, followedFaceWriter } from '../groups/followed-faces.ts';
import { groupReader } from '../groups/groups.ts';
import { completeClaim } from '../idempotency/idempotency.ts';
import { PostgresIdentityReader, PostgresIdentityWriter } from '../identities/identities.ts';
import { PostgresLibraryReader } from '../library/library.ts';
import { downloadWriter, listedModelReader } from '../models/listed-models.ts';
import { PostgresMergeWriter } from '../identities/merges.ts';
import { PostgresJobReader, PostgresJobWriter } from '../jobs/jobs.ts';
import { nameSearch } from '../identities/name-search.ts';
import { feedReader } from '../feed/feed.ts';
import { PostgresOperationReader } from '../operations/operations.ts';
import { PostgresOperationWriter } from '../operations/operation-writer.ts';
import { emitEvents, emitEventsOfUndo } from '../events/outbox.ts';
import { requireActive, requireCounting } from '../models/require-active.ts';
import { PostgresReferenceReader, PostgresReferenceWriter } from '../references/references.ts';
import { renditionReader, renditionWriter } from '../renditions/renditions.ts';
import { settingsReader, settingsWriter } from '../settings/settings.ts';
import { PostgresSourceReader, PostgresSourceWriter } from '../sources/sources.ts';
import { statisticsReader } from '../statistics/statistics.ts';
import { PostgresWebhookReader, PostgresWebhookWriter } from '../webhooks/webhooks.ts';
import { Recording } from './recording.ts';
import type { ReadContext, WriteContext } from './store-context.ts';
import { TransactionLocks } from './transaction-locks.ts';

type WriteScope = Scope & { readonly locks: readonly EntityLock[] };

interface Write {
  readonly scope: WriteScope;
  readonly signal: AbortSignal | undefined;
  readonly deferred?: (flushed: Promise<void>) => void;
}

/** Opens transactions in one environment, with the stores that they use. */
export class PostgresDatabase implements Database {
  readonly #doors: Doors;
  readonly #reader: string;

  /** @param reader the name of the vector index that this process searches */
  constructor(doors: Doors, reader: string) {
    this.#doors = doors;
    this.#reader = reader;
  }

  async withScope<T>(
    scope: Scope,
    read: (stores: Stores) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { environmentId } = scope;
    const reader = this.#reader;
    return this.#doors.withScope(
      scope,
      (session) => read(storesOf({ session, environmentId, reader })),
      signal,
    );
  }

  withEntities<T>(
    scope: WriteScope,
    write: (transaction: Transaction) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#write({ scope, signal }, write);
  }

  deferred(): DeferredWrites {
    const unflushed = new Set<Promise<void>>();
    const deferred = (flushed: Promise<void>) => void unflushed.add(flushed);
    return {
      withEntities: (scope, write, signal) => this.#write({ scope, signal, deferred }, write),
      flush: async () => {
        this.#doors.endGroup();
        const groups = [...unflushed];
        await Promise.all(groups);
        for (const group of groups) unflushed.delete(group);
      },
    };
  }

  async #write<T>(
    { scope, signal, deferred }: Write,
    write: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { environmentId, actor = SERVICE, locks: given, operation } = scope;
    const reader = this.#reader;
    const recorded = { environmentId, actor, operation };
    let recording: Recording | null = null;
    try {
      const { result, begun } = await this.#doors.withEntities(
        { environmentId, locks: given, alsoBegin: Recording.toBegin(recorded), deferred },
        async (session, require) => {
          const locks = new TransactionLocks(require);
          recording = new Recording({ session, ...recorded });
          const context = { session, environmentId, actor, reader, locks, operation };
          try {
            const result = await write(transactionOf(context, recording));
            return { result, begun: await recording.begun() };
          } catch (error) {
            recording.end();
            throw error;
          }
        },
        signal,
      );
      if (begun !== null) operation?.begun(begun);
      return result;
    } finally {
      (recording as Recording | null)?.end();
    }
  }

  async ready(signal?: AbortSignal): Promise<boolean> {
    return this.#doors.ready(signal);
  }
}

function storesOf(context: ReadContext): Stores {
  return {
    sources: new PostgresSourceReader(context),
    detections: new PostgresDetectionReader(context),
    faces: new PostgresFaceLists(context),
    queue: queueSelections(context),
    identities: new PostgresIdentityReader(context),
    renditions: renditionReader(context),
    references: new PostgresReferenceReader(context),
    faceRecords: faceRecordReader(context),
    followed: followedFaceReader(context),
    groups: groupReader(context),
    gallery: new PostgresGalleryReader(context),
    settings: settingsReader(context),
    statistics: statisticsReader(context),
    names: nameSearch(context),
    library: new PostgresLibraryReader(context),
    operations: new PostgresOperationReader(context),
    jobs: new PostgresJobReader(context),
    models: listedModelReader(context),
    feed: feedReader(context),
    webhooks: new PostgresWebhookReader(context),
  };
}

function transactionOf(context: WriteContext, recording: Recording): Transaction {
  const { session, environmentId, locks, operation } = context;
  const emit = (operation?.undoes ?? null) === null ? emitEvents : emitEventsOfUndo;
  return {
    ...storesOf(context),
    sources: new PostgresSourceWriter(context),
    detections: new PostgresDetectionWriter(context),
    identities: new PostgresIdentityWriter(context),
    renditions: renditionWriter(context),
    merges: new PostgresMergeWriter(context),
    operations: new PostgresOperationWriter(context),
    references: new PostgresReferenceWriter(context),
    suggestions: new PostgresSuggestionWriter(context),
    followed: followedFaceWriter(context),
    settings: settingsWriter(context),
    jobs: new PostgresJobWriter(context),
    models: downloadWriter(context),
    webhooks: new PostgresWebhookWriter(context),
    require: (...requested) => locks.require(...requested),
    requireActive: (modelId) => requireActive(context, modelId),
    requireCounting: (modelId) => requireCounting(context, modelId),
    record: (change) => recording.record(change),
    audit: (entry) => recordAudit(session, context, entry),
    emit: (...events) => emit(session, environmentId, events),
    complete: (claim, answer) => completeClaim(context, claim, answer),
  };
}
