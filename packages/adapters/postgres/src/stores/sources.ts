import type { NewSourceImage, SourceImage } from '@sightline/core/sources/source-image';
import type {
  SourceFilter,
  SourceOrder,
  SourceReader,
  SourceWriter,
} from '@sightline/core/sources/source-store';
import { and, asc, eq, not } from '../drizzle.ts';
import { sourceImages } from '../schema/source-images.ts';
import { anyOf } from './any-of.ts';
import { columnsWithout } from './columns-without.ts';
import { hasDetection, idsOfSources } from './source-filter.ts';
import type { ReadContext, WriteContext } from './store-context.ts';

const COLUMNS = columnsWithout(sourceImages, 'environmentId', 'mediaBytes');

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
    const [source] = await this.#select().where(eq(sourceImages.digest, digest));
    return source ?? null;
  }

  async byIds(ids: readonly number[]): Promise<readonly SourceImage[]> {
    return this.#select().where(anyOf(sourceImages.id, ids)).orderBy(asc(sourceImages.id));
  }

  async ids(filter: SourceFilter, order: SourceOrder): Promise<readonly number[]> {
    return idsOfSources(this.read.session.db, filter, order);
  }

  async withoutDetections(ids: readonly number[]): Promise<readonly number[]> {
    const { db } = this.read.session;
    const rows = await db
      .select({ id: sourceImages.id })
      .from(sourceImages)
      .where(and(anyOf(sourceImages.id, ids), not(hasDetection(db))))
      .orderBy(asc(sourceImages.id));
    return rows.map(({ id }) => id);
  }

  #select() {
    return this.read.session.db.select(COLUMNS).from(sourceImages);
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
    const [inserted] = await session.db
      .insert(sourceImages)
      .values({ ...source, environmentId })
      .returning(COLUMNS);
    return inserted!;
  }

  async setExternalRef({ id, digest }: SourceImage, externalRef: string): Promise<void> {
    this.#context.locks.require({ entity: 'source', digest });
    await this.#context.session.db
      .update(sourceImages)
      .set({ externalRef })
      .where(eq(sourceImages.id, id));
  }

  async delete(sources: readonly SourceImage[]): Promise<void> {
    if (sources.length === 0) return;
    const { session, locks } = this.#context;
    locks.require(...sources.map(({ digest }) => ({ entity: 'source' as const, digest })));
    const ids = sources.map(({ id }) => id);
    await session.db.delete(sourceImages).where(anyOf(sourceImages.id, ids));
  }
}
