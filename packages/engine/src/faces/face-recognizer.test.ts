import { describe, expect, test } from '@jest/globals';
import { FaceRecognizer } from './face-recognizer.ts';
import { fakeSession } from './testing/fake-session.ts';

const SPEC = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
const SIDE = 112;
const PLANE = SIDE * SIDE;

function net() {
  return fakeSession({
    input: [null, 3, SIDE, SIDE],
    outputs: [[null, 2]],
    compute: ({ data, dims: [batch] }) => [
      Float32Array.from({ length: 2 * batch! }, (_, i) => {
        const value = data[Math.floor(i / 2) * 3 * PLANE]!;
        return i % 2 === 0 ? 3 * value : 4 * value;
      }),
    ],
  });
}

function facesOf(count: number) {
  return Array.from({ length: count }, (_, i) => new Uint8Array(3 * PLANE).fill(i + 1));
}

describe('FaceRecognizer', () => {
  test('returns vectors of length 1 with the dimension of the network', async () => {
    const [vector] = await new FaceRecognizer(net(), SPEC).embed(facesOf(1));
    expect(Array.from(vector!, (value) => value.toFixed(4))).toEqual(['0.6000', '0.8000']);
  });

  test('returns a vector for each of more faces than a batch has', async () => {
    const vectors = await new FaceRecognizer(net(), SPEC).embed(facesOf(20));
    expect(vectors.map(([x]) => x!.toFixed(4))).toEqual(Array.from({ length: 20 }, () => '0.6000'));
  });

  test('does not normalize a zero vector', async () => {
    const black = [new Uint8Array(3 * PLANE)];
    expect(await new FaceRecognizer(net(), SPEC).embed(black)).toEqual([new Float32Array(2)]);
  });

  test('does not run without faces', async () => {
    const session = net();
    expect(await new FaceRecognizer(session, SPEC).embed([])).toEqual([]);
    expect(session.seen).toHaveLength(0);
  });

  test('has the side of the graph, or 112', () => {
    const large = fakeSession({ input: [1, 3, 128, 128], outputs: [[1, 2]], compute: () => [] });
    expect(new FaceRecognizer(large, SPEC).side).toBe(128);
    const free = fakeSession({ input: [1, 3, null, null], outputs: [[1, 2]], compute: () => [] });
    expect(new FaceRecognizer(free, SPEC).side).toBe(112);
  });

  test('refuses a network to whose input no face can be aligned', () => {
    const odd = fakeSession({ input: [1, 3, 160, 160], outputs: [[1, 2]], compute: () => [] });
    expect(() => new FaceRecognizer(odd, SPEC)).toThrow('160');
    const wide = fakeSession({ input: [1, 3, 112, 96], outputs: [[1, 2]], compute: () => [] });
    expect(() => new FaceRecognizer(wide, SPEC)).toThrow('not square: 96 x 112');
  });
});
