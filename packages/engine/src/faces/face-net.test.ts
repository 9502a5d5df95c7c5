import { describe, expect, test } from '@jest/globals';
import { FaceNet } from './face-net.ts';
import { fakeSession } from './testing/fake-session.ts';

const PREPROCESS = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;

interface Net {
  readonly side?: number;
  readonly inputBatch?: number | null;
  readonly outputBatches?: readonly (number | null)[];
}

/**
 * Makes a session whose output n holds n + 2 values per image: the first value of the image, and then the number 7, n
 * + 1 times.
 */
function sessionOf({ side = 112, inputBatch = null, outputBatches = [null] }: Net) {
  return fakeSession({
    input: [inputBatch, 3, side, side],
    outputs: outputBatches.map((batch, n) => [batch, n + 2]),
    compute: ({ data, dims: [rows] }) =>
      outputBatches.map((_, n) => {
        const values = new Float32Array((n + 2) * rows!).fill(7);
        for (let row = 0; row < rows!; row++) values[row * (n + 2)] = data[row * 3 * side * side]!;
        return values;
      }),
  });
}

/**
 * Runs a network on faces whose pixels have the values 1, 2, ..., so that each result identifies
 * its face.
 */
async function run(session: ReturnType<typeof fakeSession>, count: number) {
  const net = new FaceNet(session, { preprocess: PREPROCESS, defaultSide: 112 });
  const faces = Array.from({ length: count }, (_, i) => i + 1);
  const results = await net.run(faces, (face) =>
    new Uint8Array(3 * net.side * net.side).fill(face),
  );
  return results.map((outputs) => outputs.map(({ data }) => Array.from(data)));
}

describe('FaceNet', () => {
  test.each<[string, Net, number[]]>([
    ['4 images', {}, [4, 4, 2]],
    ['1 image if the input has one row', { inputBatch: 1 }, [1, 1, 1]],
    ['1 image if an output has one row', { outputBatches: [null, 1] }, [1, 1, 1]],
  ])('runs %s at a time', async (_what, net, sizes) => {
    const session = sessionOf(net);
    const count = sizes.reduce((sum, size) => sum + size);
    const results = await run(session, count);
    expect(session.seen.map(({ dims }) => dims[0])).toEqual(sizes);
    expect(results.map(([first]) => first)).toEqual(
      Array.from({ length: count }, (_, i) => [i + 1, 7]),
    );
  });

  test('gives each face its row of every output', async () => {
    const session = sessionOf({ outputBatches: [null, null] });
    expect(await run(session, 2)).toEqual([
      [
        [1, 7],
        [1, 7, 7],
      ],
      [
        [2, 7],
        [2, 7, 7],
      ],
    ]);
  });

  test('makes the images of a batch when it is its turn', async () => {
    const session = sessionOf({ side: 224 });
    const net = new FaceNet(session, { preprocess: PREPROCESS, defaultSide: 112 });
    const runsBefore: number[] = [];
    await net.run([1, 2, 3, 4, 5], () => {
      runsBefore.push(session.seen.length);
      return new Uint8Array(3 * 224 * 224);
    });
    expect(runsBefore).toEqual([0, 0, 0, 0, 1]);
  });

  test('refuses a network that does not return a row for each face', async () => {
    const oneRow = { data: new Float32Array(2), dims: [1, 2] };
    const session = { ...sessionOf({}), run: () => Promise.resolve({ 0: oneRow }) };
    await expect(run(session, 3)).rejects.toThrow(
      new RangeError('The network returns 1 rows for 3 faces.'),
    );
  });
});
