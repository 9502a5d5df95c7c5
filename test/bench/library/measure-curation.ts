import { actOnFace } from '@sightline/core/curation/act-on-face';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { reviewFaces } from '@sightline/core/curation/review-faces';
import { undoOperation } from '@sightline/core/curation/undo-operation';
import { CurrentOperation, type OperationKind } from '@sightline/core/store/current-operation';
import type { Scope } from '@sightline/core/store/scope';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { PostgresProcess } from '../../support/servers/postgres-process.ts';
import { type Bench, type Measured, repeat } from '../bench.ts';
import { markdownTable } from '../markdown-table.ts';
import { median, timed } from '../statistics.ts';

const ACTIONS = 100;
const DECIDED = 1000;
const MERGED = 10_000;
const FACES_OF_PHOTO = 50;

type Store = Pick<PostgresStores, 'database' | 'models'> & { readonly media: FileMediaStore };

interface Round {
  /** Milliseconds of one decision, with and without its record. */
  readonly recorded: number;
  readonly bare: number;
  /** Milliseconds of 1,000 decisions and of their undo. */
  readonly decisions: number;
  readonly undo: number;
}

/** Measures what it costs to record operations, and their undo beside the operations themselves. */
export async function measureCuration({ rounds, madeBy }: Bench): Promise<Measured> {
  await using database = await PostgresProcess.start();
  await migrate(database.connection);
  const logger = createLogger({ level: 'silent' });
  const reader = { kind: 'own', name: 'bench' } as const;
  await using stores = openPostgres(database.connection, { logger, reader });
  await using folder = await temporaryFolder();
  const media = await FileMediaStore.open({ folder: folder.path });
  const store = { database: stores.database, models: stores.models, media };
  const [model] = await stores.models.register([FACE_MODEL]);
  await stores.models.activate(model!.id);
  const { id: environmentId } = await stores.keys.environment('home');
  const query = () => Promise.reject(new Error('The bench queries nothing.'));
  const seeded = { database: stores.database, media, faceModelId: model!.id, query };
  const home = new SeededEnvironment(seeded, { environmentId });
  const ann = await home.identity('Ann');
  const faces = await fill(home, { count: DECIDED, identityId: null });
  const results = await repeat(rounds, (at) => oneRound(store, { home, ann, faces, at }));
  const merges = await mergeAndUndo(store, home, rounds);
  const ratio = (of: (round: Round) => number) => median(results.map(of)).toFixed(2);
  const ms = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const [recorded, bare] = [ratio((r) => r.recorded / r.bare), median(results.map((r) => r.bare))];
  const undone = ratio((r) => r.undo / r.decisions);
  const text = `## Operations and their undo

Calls of the core on the embedded database, medians of ${rounds} rounds in which all sides take turns.
${madeBy}

${markdownTable(
  ['change', 'ms', 'undo, ms', 'ratio', 'aim'],
  [
    ['one decision, not recorded', ms(bare), '', '', ''],
    ['one decision, recorded', ms(median(results.map((r) => r.recorded))), '', recorded, '1.20'],
    [
      `${DECIDED.toLocaleString('en')} decisions in bulk`,
      ms(median(results.map((r) => r.decisions))),
      ms(median(results.map((r) => r.undo))),
      undone,
      '2.00',
    ],
    [
      `merge of ${MERGED.toLocaleString('en')} faces`,
      ms(median(merges.map((r) => r.merged))),
      ms(median(merges.map((r) => r.undone))),
      median(merges.map((r) => r.undone / r.merged)).toFixed(2),
      '2.00',
    ],
  ],
)}`;
  return { text };
}

/** A request that begins an operation. */
const operating = (home: SeededEnvironment, kind: OperationKind) => ({
  ...home.scope,
  operation: new CurrentOperation(kind),
});

async function fill(
  home: SeededEnvironment,
  { count, identityId }: { readonly count: number; readonly identityId: number | null },
): Promise<readonly number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const content = Array.from({ length: FACES_OF_PHOTO }, () => ({ identityId }));
    ids.push(...(await home.photo(content)).ids);
  }
  return ids;
}

async function oneRound(
  store: Store,
  {
    home,
    ann,
    faces,
    at,
  }: {
    readonly home: SeededEnvironment;
    readonly ann: number;
    readonly faces: readonly number[];
    readonly at: number;
  },
): Promise<Round> {
  const recorded: number[] = [];
  const bare: number[] = [];
  for (let i = 0; i < ACTIONS; i++) {
    const id = faces[(at * ACTIONS + i) % faces.length]!;
    const decide = (scope: Scope) => async () => {
      await actOnFace(store, { scope, id, action: 'confirm', target: { identityId: ann } });
    };
    const isFirst = i % 2 === 0;
    for (const isRecorded of [isFirst, !isFirst]) {
      const scope = isRecorded ? operating(home, 'review') : home.scope;
      (isRecorded ? recorded : bare).push(await timed(decide(scope)));
      await actOnFace(store, { scope: home.scope, id, action: 'unassign' });
    }
  }
  const scope = operating(home, 'bulk_review');
  const review = { action: 'confirm', identityId: ann } as const;
  const decisions = await timed(async () => {
    await reviewFaces(store, { scope, ids: faces, review });
  });
  const undo = await timed(() => takeBack(store, { home, id: scope.operation.id! }));
  return { recorded: median(recorded), bare: median(bare), decisions, undo };
}

/** The undo returns the faces to the source, so that the next round merges the same ones. */
async function mergeAndUndo(store: Store, home: SeededEnvironment, rounds: number) {
  const [source, target] = [await home.identity('Source'), await home.identity('Target')];
  await fill(home, { count: MERGED, identityId: source });
  return repeat(rounds, async () => {
    const scope = operating(home, 'merge');
    const merged = await timed(async () => {
      await mergeIdentity(store, { scope, id: source, into: target });
    });
    const undone = await timed(() => takeBack(store, { home, id: scope.operation.id! }));
    return { merged, undone };
  });
}

async function takeBack(
  store: Store,
  { home, id }: { readonly home: SeededEnvironment; readonly id: number },
): Promise<void> {
  const scope = operating(home, 'undo');
  const { skipped } = await undoOperation(store, { scope, id, isStrict: false, label: null });
  if (skipped.length > 0) throw new Error(`${skipped.length} records were not taken back.`);
}
