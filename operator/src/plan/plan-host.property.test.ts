import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FAILURE_REASONS, toLastFailure } from './failures.ts';
import { planHost } from './plan-host.ts';
import { slotOf } from './roles.ts';
import {
  ago,
  condition,
  NOW,
  revision,
  sampleHost,
  samplePod,
  sampleRoute,
  verifiedModel,
} from './testing/samples.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'] as const;
const name = fc.constantFrom(...NAMES);
const seconds = fc.nat(2000);

const spec = fc.record({
  task: fc.constantFrom('Face', 'Object', 'OpenVocabulary'),
  standby: fc.constantFrom('None', 'Store', 'Disk', 'Warm'),
  failed: fc.option(fc.constantFrom(...FAILURE_REASONS)),
});

const status = fc.record(
  {
    active: fc.record({ model: name, since: seconds }),
    previous: name,
    drained: fc.record({ isTrue: fc.boolean(), since: seconds }),
  },
  { requiredKeys: [] },
);

const snapshots = fc
  .record({
    specs: fc.tuple(spec, spec, spec, spec, spec),
    desired: fc.record({ face: name, object: name }),
    statuses: fc.record({ face: status, object: status }),
    failure: fc.option(fc.constantFrom(...FAILURE_REASONS)),
  })
  .map(({ specs, desired, statuses, failure }) => {
    const models = NAMES.map((each, at) => {
      const { task, standby, failed } = specs[at]!;
      const podsOf = each === 'a' ? {} : { podsOf: 'a' };
      const key = { key: each, count: 1, at: NOW };
      const failure = failed && {
        lastFailure: toLastFailure({ reason: failed, message: '' }, key),
      };
      return verifiedModel(
        each,
        { task, standby, ...podsOf },
        {
          pack: { revision: revision(each) },
          conditions: [condition('Verified')],
          ...failure,
        },
      );
    });
    const routes = (['face', 'object'] as const).map((slot) => {
      const { active, previous, drained } = statuses[slot];
      return sampleRoute(
        slot,
        { model: desired[slot] },
        {
          ...(active && {
            active: {
              model: active.model,
              revision: revision(active.model),
              since: ago(active.since),
            },
          }),
          ...(previous && { previous: { model: previous } }),
          ...(drained && {
            conditions: [
              condition('Drained', drained.isTrue ? 'True' : 'False', ago(drained.since)),
            ],
          }),
        },
      );
    });
    const [host, ...guests] = models;
    const reported = failure && { reason: failure, message: '' };
    const pods = [samplePod(reported === null ? [...NAMES] : [], { failure: reported })];
    const deployment = { replicas: 1, refusal: null, rolloutMessage: null, stuck: null };
    return sampleHost(host!, { guests, routes, pods, deployment });
  });

test('pods load at most two models of a task, and always the active one', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const { serving, replicas } = planHost(snapshot);
      const loaded = serving.models.filter(({ keep }) => keep === 'loaded');
      for (const slot of ['face', 'object'] as const) {
        const ofSlot = loaded.filter(({ task }) => (task === 'face') === (slot === 'face'));
        expect(ofSlot.length).toBeLessThanOrEqual(2);
        const route = snapshot.routes.find(({ metadata }) => metadata.name === slot)!;
        const answering = [snapshot.host, ...snapshot.guests].find(
          (model) => slotOf(model) === slot && model.metadata.name === route.status?.active?.model,
        );
        if (answering === undefined) continue;
        expect(ofSlot.map((each) => each.name)).toContain(answering.metadata.name);
        expect(replicas).toBe(1);
      }
    }),
    { numRuns: 300 },
  );
});

test('planning again with the planned statuses changes no condition', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const { statuses } = planHost(snapshot);
      const stored = <T extends typeof snapshot.host>(model: T): T => ({
        ...model,
        status: statuses.get(model.metadata.name)!,
      });
      const { host, guests } = snapshot;
      const again = planHost({
        ...snapshot,
        host: stored(host),
        guests: guests.map(stored),
        now: NOW + 100,
      });
      const before = [...statuses].map(([each, { conditions }]) => [each, conditions]);
      expect([...again.statuses].map(([each, { conditions }]) => [each, conditions])).toEqual(
        before,
      );
    }),
    { numRuns: 200 },
  );
});
