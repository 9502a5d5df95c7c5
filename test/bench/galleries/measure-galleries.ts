import type { IdentityHit, VectorIndex } from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { GALLERY, PlantedGallery, recallOf } from '../../support/fixtures/planted-gallery.ts';
import { liveQdrant } from '../../support/servers/choose-qdrant.ts';
import { QdrantProcess } from '../../support/servers/qdrant-process.ts';
import { QdrantSpace } from '../../support/servers/qdrant-space.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { median, percentile, timed } from '../statistics.ts';

/** The sizes that are measured before the largest one. */
const SIZES = [10_000, 100_000];
const WARM_UP = 20;
const BEST = 10;
/** Finds identities, the most similar ones first. */
type Search = (vector: Float32Array) => Promise<readonly Pick<IdentityHit, 'identityId'>[]>;

interface Answers {
  readonly found: readonly (readonly Pick<IdentityHit, 'identityId'>[])[];
  readonly times: readonly number[];
}

interface Gallery {
  readonly space: QdrantSpace;
  readonly embedded: EmbeddedVectorIndex;
  readonly queries: readonly Float32Array[];
  /** A cell for the time of filling Qdrant, and one for the time until it has quantized the vectors. */
  readonly filled: readonly string[];
}

/** Searches for the best identities in planted galleries, in Qdrant and in the embedded index. */
export async function measureGalleries({ references, minutes, madeBy }: Bench): Promise<Measured> {
  const rows: (readonly string[])[] = [];
  for (const size of [...SIZES.filter((size) => size < references), references]) {
    rows.push(await measureSize(size, minutes));
    console.error(rows.at(-1));
  }
  const text = `## Search in large galleries

${madeBy}

Milliseconds per search for the ten best identities of one face, one search after the other. One environment has
people with one to seven references of 512 values. The cosines of two photos of one person are 0.56 ± 0.12, and those of
different people 0.00 ± 0.07; InsightFace has 0.57 ± 0.12 and 0.03 ± 0.07 with the shared LFW photos. Of 200 faces half
are new photos of these people, and half are strangers. Recall is the share of the embedded index's answers, which are
exact, that Qdrant finds: all ten, and the best one. Qdrant quantizes vectors while it is filled, and for some time after
that.

${markdownTable(
  [
    'references',
    'filling',
    'quantizing after it',
    'recall',
    'recall of the best',
    'Qdrant, p50',
    'p95',
    'embedded, p50',
    'p95',
  ],
  rows,
)}`;
  return { text };
}

async function measureSize(size: number, minutes: number): Promise<readonly string[]> {
  await using qdrant = await liveQdrant(() => QdrantProcess.start());
  await using embedded = new EmbeddedVectorIndex();
  const space = new QdrantSpace(qdrant, GALLERY);
  const planted = new PlantedGallery(size);
  const seconds = await fill(planted, space.index, embedded);
  const started = performance.now();
  const { isComplete, points, indexed } = await space.untilIndexed(minutes * 60_000);
  const indexing = (performance.now() - started) / 1000;
  const quantized = isComplete
    ? `${indexing.toFixed(0)} s`
    : `${Math.round((100 * indexed) / points)} % in ${minutes} min`;
  console.error(`${size}: filled in ${seconds} s, ${quantized}, ${indexed} of ${points} indexed`);
  return await measureFilled({
    space,
    embedded,
    queries: planted.queries(),
    filled: [grouped(size), `${seconds.toFixed(0)} s`, quantized],
  });
}

/** Fills both indexes with the same points. Returns the seconds of Qdrant. */
async function fill(
  planted: PlantedGallery,
  qdrant: VectorIndex,
  embedded: VectorIndex,
): Promise<number> {
  const drafts = [await qdrant.begin(), await embedded.begin()] as const;
  let ms = 0;
  for (const points of planted.references()) {
    ms += await timed(() => drafts[0].upsert(GALLERY, points));
    await drafts[1].upsert(GALLERY, points);
  }
  for (const draft of drafts) await draft.publish();
  return ms / 1000;
}

async function measureFilled({
  space,
  embedded,
  queries,
  filled,
}: Gallery): Promise<readonly string[]> {
  const inIndex =
    (index: VectorIndex): Search =>
    async (vector) =>
      (await index.searchIdentities(GALLERY, { vectors: [vector], limit: BEST }))[0]!;
  const memory = await ask(inIndex(embedded), queries);
  const best = memory.found.map((hits) => hits.slice(0, 1));
  const recall = ({ found }: Answers) =>
    [memory.found, best].map((expected) => recallOf(found, expected).toFixed(3));
  const service = await ask(inIndex(space.index), queries);
  return [...filled, ...recall(service), ...[service, memory].flatMap(timesOf)];
}

async function ask(search: Search, queries: readonly Float32Array[]): Promise<Answers> {
  for (const query of queries.slice(0, WARM_UP)) await search(query);
  const [found, times]: [Answers['found'][number][], number[]] = [[], []];
  for (const query of queries) {
    times.push(
      await timed(async () => {
        found.push(await search(query));
      }),
    );
  }
  return { found, times };
}

function timesOf({ times }: Answers): readonly string[] {
  return [median(times), percentile(times, 0.95)].map((ms) => ms.toFixed(1));
}
