import { expect, test } from '@jest/globals';
import type { ReportedModel } from '@sightline/core/models/analyzer-status';
import type { DesiredModel } from '@sightline/core/models/desired-models';
import type { ModelTask } from '@sightline/core/models/model';
import { nextReadiness, type Readiness, startedWith } from './readiness.ts';

const face = (revision: string, keep: DesiredModel['keep'] = 'loaded'): DesiredModel => ({
  task: 'face',
  revision,
  keep,
});
const objects: DesiredModel = { task: 'object', revision: 'o', keep: 'loaded' };
const SERVING: Readiness = { kind: 'serving' };

const warm = (...revisions: readonly string[]): readonly ReportedModel[] =>
  revisions.map((revision) => ({
    name: revision,
    task: (revision === 'o' ? 'object' : 'face') satisfies ModelTask,
    revision,
    state: 'warm',
    error: null,
    deaths: 0,
    lastRequestedSecondsAgo: null,
  }));

test.each<[string, readonly DesiredModel[], readonly DesiredModel[], readonly string[], string]>([
  ['nothing was desired', [], [], ['a'], 'serving'],
  [
    'one of two models is not warm',
    [face('a'), face('b')],
    [face('a'), face('b')],
    ['a'],
    'starting',
  ],
  ['both are warm', [face('a'), face('b')], [face('a'), face('b')], ['a', 'b'], 'serving'],
  ['the other is not desired any more', [face('a'), face('b')], [face('a')], ['a'], 'serving'],
  ['one was desired later', [face('a')], [face('a'), face('b')], ['a'], 'serving'],
  [
    'the other is for the disk',
    [face('a'), face('b', 'disk')],
    [face('a'), face('b', 'disk')],
    ['a'],
    'serving',
  ],
])('a process starts: %s', (...[, first, desired, revisions, kind]) => {
  expect(nextReadiness(startedWith(first), desired, warm(...revisions)).kind).toBe(kind);
});

test.each<[string, readonly DesiredModel[], readonly string[], string]>([
  ['has what is desired', [face('a'), objects], ['a', 'o'], 'serving'],
  ['has the first of two', [face('a'), face('b')], ['a'], 'serving'],
  ['has the second of two', [face('b'), face('a')], ['a'], 'outdated'],
  ['loads the first model of a slot', [face('a'), objects], ['a'], 'serving'],
  ['has another model than the desired one', [face('b')], ['a'], 'outdated'],
  ['has a model of a slot that is not desired', [face('a')], ['a', 'o'], 'serving'],
])('a process that %s', (...[, desired, revisions, kind]) => {
  expect(nextReadiness(SERVING, desired, warm(...revisions)).kind).toBe(kind);
  expect(nextReadiness({ kind: 'outdated' }, desired, warm(...revisions)).kind).toBe(kind);
});
