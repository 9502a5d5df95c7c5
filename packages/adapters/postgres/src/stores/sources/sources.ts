import type {
  CountedSource,
  NewSourceImage,
  SourceImage,
} from '@sightline/core/sources/source-image';
import type {
  SourceFilter,
  SourceOrder,
  SourcePage,
  SourcePosition,
  SourceReader,
  SourceWriter,
} from '@sightline/core/sources/source-store';
import type { Buckets } from '@sightline/core/store/buckets';
import type { Page } from '@sightline/core/store/page';
import { and, asc, eq, sql } from '../../drizzle.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { anyOf } from '../database/any-of.ts';
import { SOURCE_COLUMNS } from './source-columns.ts';
import { isEmpty } from './source-filter.ts';
import { sourceBuckets } from './source-buckets.ts';
import { countSources, listPositions, listSources } from './source-pages.ts';
import { removeRenditions } from '../renditions/renditions.ts';
import type { ReadContext, WriteContext } from '../database/store-context.ts';

export class PostgresSourceReader implements SourceReader {
  protected readonly read: ReadContext;

  constructor(context: ReadContext) {
    this.read = context;
  }

  async byId(id: number): Promise<SourceImage | null> {
    const [source] = await this.byIds([id]);
    return source ?? null;
  }

  async byDigest(digest: string): Promise<SourceImage | null> {
    // The statement is not prepared, because a plan that was kept from an empty environment would read all images of
    // a large one.
    const [source] = await this.#select().where(eq(sourceImages.digest, digest));
    return source ?? null;
  }

  async knownDigests(digests: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.read.session.query<{ digest: string }>(
      `SELECT encode(given.digest, 'hex') AS digest
       FROM unnest($1::bytea[]) AS given (digest)
       CROSS JOIN LATERAL (
         SELECT FROM source_images s WHERE s.environment_id = $2 AND s.digest = given.digest LIMIT 1
       ) AS known`,
      [digests.map((digest) => Buffer.from(digest, 'hex')), this.read.environmentId],
    );
    return new Set(rows.map(({ digest }) => digest));
  }

  async byIds(ids: readonly number[]): Promise<readonly SourceImage[]> {
    return this.#select().where(anyOf(sourceImages.id, ids)).orderBy(asc(sourceImages.id));
  }

  async list(filter: SourceFilter, page: SourcePage): Promise<Page<CountedSource>> {
    return listSources(this.read.session.db, filter, page);
  }

  async positions(filter: SourceFilter, page: SourcePage): Promise<Page<SourcePosition>> {
    return listPositions(this.read.session.db, filter, page);
  }

  async buckets(filter: SourceFilter, order: SourceOrder): Promise<Buckets<Date | number | null>> {
    return sourceBuckets(this.read.session, filter, order);
  }

  async count(filter: SourceFilter): Promise<number> {
    return countSources(this.read.session, filter);
  }

  /**
   * Checks the rows of detections instead of the counts, because an image must not be deleted while it has any
   * detection.
   */
  async withoutDetections(ids: readonly number[]): Promise<readonly number[]> {
    const { db } = this.read.session;
    const rows = await db
      .select({ id: sourceImages.id })
      .from(sourceImages)
      .where(and(anyOf(sourceImages.id, ids), isEmpty(db)))
      .orderBy(asc(sourceImages.id));
    return rows.map(({ id }) => id);
  }

  #select() {
    return this.read.session.db.select(SOURCE_COLUMNS).from(sourceImages);
  }
}

export class PostgresSourceWriter extends PostgresSourceReader implements SourceWriter {
  readonly #context: WriteContext;

  constructor(context: WriteContext) {
    super(context);
    this.#context = context;
  }

  async insert(source: NewSourceImage): Promise<SourceImage> {
    this.#context.locks.require({ entity: 'source', digest: source.digest });
    const { session, environmentId } = this.#context;
    const uploadedAt = sql`coalesce(${source.uploadedAt ?? null}::timestamptz, now())`;
    const takenAt = sql`coalesce(${source.takenAt ?? null}::timestamptz, '-infinity')`;
    const [inserted] = await session.db
      .insert(sourceImages)
      .values({ ...source, environmentId, uploadedAt, takenAt })
      .returning(SOURCE_COLUMNS)
      .prepare('insert-source')
      .execute();
    return inserted!;
  }

  async setExternalRef({ id, digest }: SourceImage, externalRef: string): Promise<void> {
    this.#context.locks.require({ entity: 'source', digest });
    await this.#context.session.db
      .update(sourceImages)
      .set({ externalRef })
      .where(eq(sourceImages.id, id));
  }

  async delete(sources: readonly SourceImage[]): Promise<readonly string[]> {
    if (sources.length === 0) return [];
    const { session, locks } = this.#context;
    locks.require(...sources.map(({ digest }) => ({ entity: 'source' as const, digest })));
    const ids = sources.map(({ id }) => id);
    const renditions = await removeRenditions(session, 'source', ids);
    await session.db.delete(sourceImages).where(anyOf(sourceImages.id, ids));
    return renditions;
  }
}
