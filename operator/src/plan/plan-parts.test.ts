import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { follow, pauseAfter } from './failures.ts';
import { fingerprint } from './fingerprint.ts';
import { groupOf, missingHost } from './hosts.ts';
import { annotationsOfUser, labelsOfUser } from './labels.ts';
import { NOW, sampleModel } from './testing/samples.ts';

test('pauses double from 5 s to 10 min, with a reproducible jitter of 20 %', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), fc.string(), (count, key) => {
      const ideal = Math.min(5_000 * 2 ** (count - 1), 600_000);
      const pause = pauseAfter(count, key);
      expect(pause).toBe(pauseAfter(count, key));
      expect(Math.abs(pause - ideal)).toBeLessThanOrEqual(ideal * 0.2 + 1);
    }),
  );
  expect(pauseAfter(1, 'a')).not.toBe(pauseAfter(1, 'b'));
});

test('a failure that lasts counts once in each pause', () => {
  const failure = { reason: 'Unschedulable', message: '0/1 nodes' } as const;
  const first = follow(failure, undefined, { key: 'a', now: NOW });
  expect(follow({ ...failure, message: '0/2 nodes' }, first, { key: 'a', now: NOW + 1 })).toBe(
    first,
  );
  const retryAt = Date.parse(first.retryAt!);
  expect(follow(failure, first, { key: 'a', now: retryAt })).toMatchObject({ count: 2 });
  const other = { reason: 'ImageUnavailable', message: 'ErrImagePull' } as const;
  expect(follow(other, first, { key: 'a', now: NOW + 1 })).toMatchObject({ count: 1 });
});

test('a final failure counts once, even if its message is too long for a status', () => {
  const failure = {
    reason: 'PackRefused',
    message: `${'x'.repeat(2047)}🙂${'y'.repeat(9_000)}`,
  } as const;
  const first = follow(failure, undefined, { key: 'a', now: NOW });
  expect(first.message!.isWellFormed()).toBe(true);
  expect(follow(failure, first, { key: 'a', now: NOW + 1 })).toBe(first);
  const other = { ...failure, message: 'Another one.' };
  expect(follow(other, first, { key: 'a', now: NOW + 1 })).toMatchObject({ count: 2 });
});

test('a fingerprint does not depend on the order of members', () => {
  const value = { b: [{ d: 1, c: 2 }], a: undefined };
  expect(fingerprint(value)).toBe(fingerprint({ b: [{ c: 2, d: 1 }] }));
  expect(fingerprint({ b: [1, 2] })).not.toBe(fingerprint({ b: [2, 1] }));
});

test('reserved labels and annotations of users are dropped', () => {
  const harmless = {
    'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
    'controller.kubernetes.io/pod-deletion-cost': '1',
    'kubernetes.io/egress-bandwidth': '1M',
    'example.org/note': 'x',
  };
  const reserved = {
    'sightline.dev/serving': 'x',
    'kubernetes.io/config.mirror': 'x',
    'kubernetes.io/limit-ranger': 'x',
    'container.apparmor.security.beta.kubernetes.io/inference': 'unconfined',
    'seccomp.security.alpha.kubernetes.io/pod': 'unconfined',
  };
  expect(annotationsOfUser({ ...harmless, ...reserved })).toEqual(harmless);
  const labels = { team: 'vision', 'app.kubernetes.io/name': 'x', 'sightline.dev/role': 'api' };
  expect(labelsOfUser(labels)).toEqual({ team: 'vision' });
});

test('a guest needs a host that has pods of its own', () => {
  const host = sampleModel('a');
  const guest = sampleModel('b', { podsOf: 'a' });
  const models = [sampleModel('d', { podsOf: 'a' }), host, guest];
  expect(groupOf('a', models)).toEqual({ host, guests: [guest, models[0]] });
  expect([groupOf('b', models), groupOf('x', models)]).toEqual([null, null]);
  expect(missingHost(guest, models)).toBeNull();
  expect(missingHost(guest, [guest])).toMatchObject({ message: 'There is no InferenceModel a.' });
  const ofGuest = sampleModel('c', { podsOf: 'b' });
  expect(missingHost(ofGuest, [...models, ofGuest])).toMatchObject({
    reason: 'PodsOfMissing',
    message: expect.stringContaining('it is in those of a'),
  });
});
