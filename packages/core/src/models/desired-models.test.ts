import { describe, expect, test } from '@jest/globals';
import { type DesiredModel, desiredByRoles, isSynced, setsOf } from './desired-models.ts';
import type { RegisteredModel } from './model-store.ts';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from './testing/sample-models.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

function model(
  task: DesiredModel['task'],
  revision: string,
  keep: DesiredModel['keep'] = 'loaded',
): DesiredModel {
  return { task, revision, keep };
}

describe('the sets of desired models', () => {
  test.each<[string, readonly DesiredModel[], unknown]>([
    ['nothing', [], []],
    ['models that are kept on disk alone', [model('face', A, 'disk')], []],
    ['one slot', [model('face', A)], [{ face: A }]],
    ['both slots', [model('face', A), model('open_vocabulary', B)], [{ face: A, object: B }]],
    [
      'a second model of a slot',
      [model('face', A), model('face', B), model('object', C)],
      [
        { face: A, object: C },
        { face: B, object: C },
      ],
    ],
    [
      'more models than a process loads',
      [model('face', A), model('face', B), model('face', C)],
      [{ face: A }, { face: B }],
    ],
    ['the same model twice', [model('face', A), model('face', A)], [{ face: A }]],
  ])('of %s', (_, models, sets) => {
    expect(setsOf({ models })).toEqual(sets);
  });
});

describe('the desired models of roles', () => {
  const row = (revision: string): RegisteredModel => ({ ...FACE_MODEL, id: 1, revision });
  const none = { active: [], pending: [], previous: [] };
  const revisionsOf = (roles: Partial<typeof none>) =>
    desiredByRoles({ ...none, ...roles }, 'cpu')?.models.map(({ revision }) => revision);

  test('are null if no model is active', () => {
    expect(desiredByRoles({ ...none, pending: [row(A)] }, 'auto')).toBeNull();
  });

  test('are the active ones and the pending one, or else the previous one', () => {
    const active = [row(A)];
    expect(desiredByRoles({ ...none, active }, 'cpu')).toEqual({
      provider: 'cpu',
      models: [{ task: 'face', name: 'faces', revision: A, keep: 'loaded' }],
    });
    const [pending, previous] = [[row(B)], [row(C)]];
    expect(revisionsOf({ active, previous } as object)).toEqual([A, C]);
    expect(revisionsOf({ active, pending, previous } as object)).toEqual([A, B]);
  });
});

test('a process is synced if it reports all desired models and no others', () => {
  const desired = { provider: 'auto', models: [model('face', A), model('object', B)] } as const;
  const faces = warmModel({ ...FACE_MODEL, revision: A });
  const objects = warmModel({ ...OBJECT_MODEL, revision: B }, { state: 'failed' });
  expect(isSynced([faces, objects], desired)).toBe(true);
  expect(isSynced([faces], desired)).toBe(false);
  expect(isSynced([faces, objects, warmModel(FACE_MODEL)], desired)).toBe(false);
});
