import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { SharedFaces } from './shared-faces.ts';

const crop = (value: number) => new Uint8Array(12).fill(value);

/** Shares three faces with rows of three values. Returns the faces as two threads see them. */
function twoThreads(): [owner: SharedFaces, helper: SharedFaces] {
  const owner = SharedFaces.of([1, 2, 3].map(crop), 3);
  return [owner, new SharedFaces(owner.memory)];
}

test('each face is claimed once', () => {
  const [owner, helper] = twoThreads();
  expect([owner.claim(), helper.claim(), owner.claim(), helper.claim(), owner.claim()]).toEqual([
    0,
    1,
    2,
    null,
    null,
  ]);
});

test('images and results reach the other thread', () => {
  const [owner, helper] = twoThreads();
  expect(Array.from(helper.cropOf(1))).toEqual(Array.from(crop(2)));
  expect(owner.resultOf(1)).toBeNull();
  helper.put(1, [Float32Array.of(0.1), Float32Array.of(-0, NaN)]);
  expect(owner.resultOf(1)).toEqual(Float32Array.of(0.1, -0, NaN));
  expect([owner.resultOf(0), owner.resultOf(2)]).toEqual([null, null]);
});

test('results of another length are refused', () => {
  const [owner, helper] = twoThreads();
  expect(() => helper.put(0, [Float32Array.of(1, 2)])).toThrow(
    new RangeError('The network returns 2 values instead of 3.'),
  );
  expect(owner.resultOf(0)).toBeNull();
});

test('the owner waits for a face of another thread until it has ended', async () => {
  const [owner, helper] = twoThreads();
  const faces = [helper.claim(), helper.claim(), owner.claim()] as const;
  helper.fail(faces[0]!);
  const script = new URL('./testing/late-helper.ts', import.meta.url);
  const worker = new Worker(script, { workerData: { memory: owner.memory, face: faces[1] } });
  await once(worker, 'message');
  owner.waitForOthers(60_000);
  expect(owner.resultOf(faces[0]!)).toBeNull();
  expect(owner.resultOf(faces[1]!)).toEqual(Float32Array.of(1, 2, 3));
  await once(worker, 'exit');
});

test('the owner does not wait longer than it wants for a face that does not end', () => {
  const [owner, helper] = twoThreads();
  const face = helper.claim();
  owner.waitForOthers(20);
  expect(owner.resultOf(face!)).toBeNull();
});

test('no face can be claimed after the owner has closed', () => {
  const [owner, helper] = twoThreads();
  owner.close();
  expect([owner.claim(), helper.claim()]).toEqual([null, null]);
});
