import type { NamedModels, ReportedModel } from '@sightline/core/models/analyzer-status';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import {
  desiredOf,
  type HostPacks,
  noteThreads,
  type OpenHosts,
  type OpenHostsWith,
  reportOnce,
  writeHostPacks,
} from './hosts-setup.ts';

const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: false,
  upright: false,
};
const OBJECTS = { confidenceThreshold: 0.25, classFilter: [] };
const JOBS = backgroundOf({ environmentId: 1 });
const never = new AbortController().signal;

const isSettled = (held: readonly ReportedModel[]) =>
  held.every(({ state }) => state === 'warm' || state === 'failed');
const statesOf = (held: readonly ReportedModel[]) =>
  held.map(({ name, state }) => `${name} ${state}`).sort();

/** The contract of all adapters of the ModelHosts port, with toy packs. */
export function describeModelHostsContract(name: string, open: OpenHostsWith): void {
  describe(`${name} as hosts of models`, () => {
    let packs: HostPacks;
    let image: Uint8Array;
    let opened: OpenHosts;

    beforeAll(async () => {
      packs = await writeHostPacks();
      image = new Uint8Array(
        await (await drawPhoto({ faces: ['Ada', 'Bea'], objects: ['bus'] })).arrayBuffer(),
      );
    });
    afterAll(async () => {
      await packs[Symbol.asyncDispose]();
    });
    beforeEach(async () => {
      opened = await open(packs);
    });
    afterEach(async () => {
      await opened[Symbol.asyncDispose]();
    });

    const first = (): NamedModels => ({
      face: packs.faces.revision,
      object: packs.objects.revision,
    });
    const other = (): NamedModels => ({
      face: packs.otherFaces.revision,
      object: packs.objects.revision,
    });

    const analyze = (models?: NamedModels, isOfJob = false) =>
      opened.analyzer.analyze({
        image: new Uint8Array(image),
        models,
        faces: FACES,
        objects: OBJECTS,
        ...(isOfJob && { tenant: JOBS }),
      });
    const modelsOf = ({ faces, objects }: ImageAnalysis) => [
      faces?.model.name,
      faces?.items.length,
      objects?.model.name,
      objects?.items.length,
    ];
    const FIRST = ['toy-faces', 2, 'toy-objects', 1];
    const OTHER = ['other-faces', 2, 'toy-objects', 1];

    const hold = (...sets: readonly NamedModels[]) => opened.hosts.hold(desiredOf(...sets), never);
    const settled = () => reportOnce(opened.hosts, isSettled);

    test('report their models, and what they have found', async () => {
      const [status, ...more] = await opened.hosts.statuses(never);
      expect(more).toEqual([]);
      expect(status).toMatchObject({ ready: true, models: [{ name: 'toy-faces' }, {}] });
      const warm = { state: 'warm', error: null, deaths: 0, lastRequestedSecondsAgo: null };
      expect(status!.report).toEqual([
        { name: 'toy-faces', task: 'face', revision: packs.faces.revision, ...warm },
        { name: 'toy-objects', task: 'object', revision: packs.objects.revision, ...warm },
      ]);
      expect(status!.found!.map((model) => model.name).sort()).toEqual([
        'other-faces',
        'toy-faces',
        'toy-objects',
      ]);
    });

    test('hold two sets, and a request is answered by that which it names', async () => {
      await hold(first(), other());
      expect(statesOf(await settled())).toEqual([
        'other-faces warm',
        'toy-faces warm',
        'toy-objects warm',
      ]);
      expect(modelsOf(await analyze(first()))).toEqual(FIRST);
      expect(modelsOf(await analyze({ face: packs.otherFaces.revision }))).toEqual(OTHER);
      expect(modelsOf(await analyze({ object: packs.objects.revision }))).toEqual(FIRST);
      expect(modelsOf(await analyze())).toEqual(FIRST);
      await hold(other(), first());
      expect(modelsOf(await analyze())).toEqual(OTHER);
    });

    test('do not answer for a model that they do not hold', async () => {
      await expect(analyze(other())).rejects.toMatchObject({ isNotHere: true });
      await hold(other());
      await reportOnce(opened.hosts, (held) => statesOf(held)[0] === 'other-faces warm');
      await reportOnce(opened.hosts, (held) => held.length === 2);
      await expect(analyze(first())).rejects.toMatchObject({ isNotHere: true });
      expect(modelsOf(await analyze(other()))).toEqual(OTHER);
    });

    test('exchange their models back and forth under load, without a failed request', async () => {
      let current = first();
      let isOver = false;
      const answers = { first: 0, other: 0 };
      const pending = new Set<Promise<unknown>>();
      const ask = async (isOfJob: boolean) => {
        while (!isOver) {
          const isFirst = current.face === packs.faces.revision;
          const answer = analyze(current, isOfJob);
          pending.add(answer);
          expect(modelsOf(await answer)).toEqual(isFirst ? FIRST : OTHER);
          pending.delete(answer);
          answers[isFirst ? 'first' : 'other']++;
        }
      };
      const exchange = async () => {
        for (const next of [other(), first(), other(), first()]) {
          await hold(current, next);
          await settled();
          current = next;
          // Requests in flight still name the previous models, so the host keeps these models until the requests have
          // ended.
          await Promise.all(pending);
          await hold(next);
          await analyze(next);
        }
      };
      const load = Promise.all([ask(false), ask(false), ask(true)]);
      try {
        await Promise.race([load, exchange()]);
      } finally {
        isOver = true;
      }
      await load;
      expect(Math.min(answers.first, answers.other)).toBeGreaterThan(0);
    });

    test('answer what they were given before they let a set go', async () => {
      await hold(first(), other());
      await settled();
      const given = Array.from({ length: 12 }, (_, index) => analyze(first(), index % 2 === 0));
      await analyze(other());
      await hold(other());
      for (const answer of await Promise.all(given)) expect(modelsOf(answer)).toEqual(FIRST);
    });

    test('end the threads of a set that they let go', async () => {
      using noted = noteThreads();
      await hold(first(), other());
      await settled();
      const [one, two] = noted.threads;
      await hold(first());
      const ended = [one!, two!].map((thread) => new Promise((end) => thread.once('exit', end)));
      await Promise.all(ended);
      expect(noted.threads).toHaveLength(2);
      expect(modelsOf(await analyze(first()))).toEqual(FIRST);
    });

    test('do nothing for a desired state that is fulfilled, and keep a model that a set has besides', async () => {
      using noted = noteThreads();
      await hold(first());
      await hold({ face: packs.faces.revision });
      // The host is configured for the CPU, so a desired state that requires the CPU starts no new threads.
      await opened.hosts.hold({ ...desiredOf(first()), provider: 'cpu' }, never);
      await settled();
      expect(noted.threads).toEqual([]);
      expect(modelsOf(await analyze(first()))).toEqual(FIRST);
    });

    test('leave all as it was if a model does not load, and try again when it is desired again', async () => {
      const repair = await packs.damage();
      await hold(first(), other());
      const failed = await settled();
      expect(statesOf(failed)).toEqual([
        'other-faces failed',
        'toy-faces warm',
        'toy-objects warm',
      ]);
      expect(failed.find(({ state }) => state === 'failed')).toMatchObject({
        task: 'face',
        revision: packs.otherFaces.revision,
        error: { message: expect.stringMatching(/^recognizer\.onnx has the digest/) },
      });
      expect(modelsOf(await analyze(first()))).toEqual(FIRST);
      await expect(analyze(other())).rejects.toMatchObject({ isNotHere: true });
      await hold(other());
      expect(statesOf(await settled())).toContain('other-faces failed');
      // The failed model is the only requested one, but the host keeps its previous models rather
      // than none.
      expect(modelsOf(await analyze(first()))).toEqual(FIRST);
      await repair();
      await hold(first(), other());
      expect(statesOf(await settled())).toContain('other-faces warm');
    });

    test('report that they cannot get an unknown model', async () => {
      await hold(first(), { face: 'a'.repeat(64), object: packs.objects.revision });
      const held = await settled();
      expect(held.find(({ revision }) => revision === 'a'.repeat(64))).toMatchObject({
        state: 'failed',
        error: { message: 'This process cannot get the files of the model aaaaaaaaaaaa.' },
      });
      await hold(first());
      expect(statesOf(await settled())).toEqual(['toy-faces warm', 'toy-objects warm']);
    });

    test('execute the newest of several desired states', async () => {
      await hold(first(), other());
      await hold(first(), { object: packs.objects.revision });
      await hold(other());
      await reportOnce(opened.hosts, (held) => held.length === 2 && isSettled(held));
      expect(modelsOf(await analyze())).toEqual(OTHER);
      await hold({ face: 'b'.repeat(64) });
      await hold(first());
      await reportOnce(opened.hosts, (held) => statesOf(held)[0] === 'toy-faces warm');
      expect(modelsOf(await analyze())).toEqual(FIRST);
    });

    test('count the worker threads that die with a model', async () => {
      using noted = noteThreads();
      await hold(first(), other());
      await settled();
      await noted.threads[0]!.terminate();
      const held = await reportOnce(opened.hosts, (all) => all.some(({ deaths }) => deaths > 0));
      expect(held.map(({ name: model, deaths }) => [model, deaths])).toEqual([
        ['toy-faces', 0],
        ['toy-objects', 1],
        ['other-faces', 1],
      ]);
      expect(modelsOf(await analyze(other()))).toEqual(OTHER);
    });
  });
}
