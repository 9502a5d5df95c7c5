import { expect, test } from '@jest/globals';
import { credentialsFinding } from './credentials.ts';
import { samplePod } from './testing/samples.ts';

const pod = (accepted: number, previousUsedSecondsAgo: number | null = null) =>
  samplePod(['a'], { keys: { accepted, previousUsedSecondsAgo } });

test.each([
  ['no pod answers', [samplePod(['a'], { keys: null })], true, 'NoPods'],
  ['all pods accept one key', [pod(1, 5), pod(1)], true, 'OneKey'],
  ['one of two pods has read two keys', [pod(2), pod(1)], false, 'KeysDiffer'],
  [
    'a ready pod does not report',
    [pod(2, 60), samplePod(['a'], { keys: null })],
    false,
    'KeysDiffer',
  ],
  ['a caller sent the previous key', [pod(2, 60), pod(2, 59)], false, 'PreviousKeyInUse'],
  ['a pod does not say when', [pod(2, 60), pod(2)], false, 'PreviousKeyInUse'],
  ['no caller sent it for a minute', [pod(2, 60), pod(2, 61)], true, 'CurrentKeyInUse'],
])('%s', (...[, pods, holds, reason]) => {
  expect(credentialsFinding(pods)).toMatchObject({ holds, reason });
});
