import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL, warmModel } from '@sightline/core/models/testing/sample-models';
import { activateModel } from '@sightline/core/activation/activate-model';
import { DatabaseSource } from '@sightline/core/activation/database-source';

import { NamingAnalyzer } from '@sightline/core/activation/naming-analyzer';
import {
  faceAt,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

const NEXT = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
const WARM = warmModel(NEXT);
const STRANGERS = 16;
/** The time that an inference process takes for a face, in ms. */
const EMBEDDING_MS = 10;

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let next: RegisteredModel;
let nextAnalyzer: FakeAnalyzer;

beforeEach(async () => {
  fixture = await openRecognition();
  home = await fixture.store.environment();
  [next] = (await fixture.store.models.register([NEXT])) as [RegisteredModel];
  nextAnalyzer = new FakeAnalyzer();
  nextAnalyzer.models = [NEXT];
  nextAnalyzer.before = () => sleep(EMBEDDING_MS);
  fixture.analyzer.facesOf = () => [faceAt(0)];
  nextAnalyzer.facesOf = () => [faceAt(0)];
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

function process() {
  const { analyzer } = fixture;
  const both: ImageAnalyzer = {
    status: async () => ({ ...(await analyzer.status()), report: [WARM] }),
    requireRoom: () => undefined,
    analyze: (request, signal) =>
      (request.models?.face === NEXT.revision ? nextAnalyzer : analyzer).analyze(request, signal),
  };
  const { models } = fixture.process();
  return fixture.process({ analyzer: new NamingAnalyzer(both, models), models });
}

/** Enrolled faces without a reference of the active model. */
async function missed(): Promise<readonly unknown[]> {
  return fixture.store.query(
    `SELECT detection_id FROM face_references GROUP BY detection_id
     HAVING NOT array_agg(model_id) && ARRAY(SELECT id FROM models WHERE status = 'active')`,
  );
}

async function beginActivation(): Promise<void> {
  const { environmentId } = home.scope;
  await fixture.store.activations.begin({ modelId: next.id, environmentId, reembed: 'before' });
}

const activate = () =>
  activateModel(
    {
      ...process(),
      changeLog: fixture.store.changeLog,
      modelStore: fixture.store.models,
      activations: fixture.store.activations,
      source: new DatabaseSource({
        hosts: { hold: () => Promise.resolve() },
        provider: () => Promise.resolve('auto'),
      }),
      hosts: {
        statuses: () =>
          Promise.resolve([{ ready: true, provider: 'cpu', models: [FACE_MODEL], report: [WARM] }]),
      },
      concurrency: 4,
    },
    { modelId: next.id, reembed: 'before' },
    { signal: new AbortController().signal, report: () => Promise.resolve() },
  );

/**
 * Repeats work until the signal aborts, and expects after each round that no enrolled face lacks a
 * reference.
 */
async function flood(stop: AbortSignal, work: (round: number) => Promise<unknown>) {
  let rounds = 0;
  for (; !stop.aborted; rounds++) {
    await work(rounds);
    expect(await missed()).toEqual([]);
  }
  return rounds;
}

test('an activation never misses a person who is enrolled or confirmed meanwhile', async () => {
  const guest = visitor(process(), home);
  const known: number[] = [];
  for (let i = 0; i < STRANGERS; i++) {
    const { faces } = await guest.detect(`stranger ${i}`, { types: 'faces' });
    known.push(faces[0]!.detection.id);
  }
  const label = (id: number) =>
    actOnFace(fixture.store, {
      scope: home.scope,
      id,
      action: 'relabel',
      target: { label: `Person ${id}` },
    });
  for (const id of known.slice(0, STRANGERS / 2)) await label(id);
  await beginActivation();
  const over = new AbortController();
  const floods = Promise.all([
    flood(over.signal, (i) => guest.enroll(`enrolled ${i}`, `Enrolled ${i}`)),
    flood(over.signal, async (i) => {
      const { faces } = await guest.detect(`detected ${i}`);
      await label(faces[0]!.detection.id);
    }),
    // These faces have no vectors of the pending model yet, so the activation's next pass must find
    // them.
    flood(over.signal, (i) => label(known[Math.min(STRANGERS / 2 + i, STRANGERS - 1)]!)),
  ]);
  try {
    await Promise.race([activate(), floods]);
    expect((await fixture.store.models.active()).map(({ id }) => id)).toContain(next.id);
    expect(await missed()).toEqual([]);
    // The floods go on for half a second after the switch, because later rounds must not lose references either.
    await sleep(500);
  } finally {
    over.abort();
  }
  expect(Math.min(...(await floods))).toBeGreaterThan(3);
  expect(await missed()).toEqual([]);
});
