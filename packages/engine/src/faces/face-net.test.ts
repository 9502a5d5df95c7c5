import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Help, SessionPeers } from '../onnx/session-peers.ts';
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

/** A thread with a network: its part in a test of several threads. */
interface Thread {
  readonly session: ReturnType<typeof sessionOf>;
  readonly net: FaceNet;
}

describe('FaceNet with peers', () => {
  const ALL = Array.from({ length: 6 }, (_, i) => i + 1);
  const ABORTED = new Error('the caller left');
  let idle = 1;
  let isAborted = false;
  /** The works that were shared, and the number of helpers that each asked for. */
  let works: unknown[];
  let asked: number[];
  /** The work of the helper. */
  let help: Help;
  let onShare: (work: unknown) => void;

  beforeEach(() => {
    idle = 1;
    isAborted = false;
    works = [];
    asked = [];
    onShare = () => undefined;
  });

  function openThread(session = sessionOf({ outputBatches: [null, null] })): Thread {
    const peers: SessionPeers = {
      get idle() {
        return idle;
      },
      share: (work, helpers) => {
        works.push(work);
        asked.push(helpers);
        onShare(work);
      },
      throwIfAborted: () => {
        if (isAborted) throw ABORTED;
      },
      onWork: (one) => (help = one),
    };
    const net = new FaceNet(Object.assign(session, { peers }), {
      preprocess: PREPROCESS,
      defaultSide: 112,
    });
    return { session, net };
  }

  /** Runs a network once, as its warm-up does. */
  async function warm({ session, net }: Thread): Promise<void> {
    await net.run([0], cropOf(net));
    session.seen.length = 0;
  }

  const cropOf = (net: FaceNet) => (face: number) =>
    new Uint8Array(3 * net.side * net.side).fill(face);
  const runAll = async ({ net }: Thread, faces: readonly number[] = ALL) => {
    const results = await net.run(faces, cropOf(net));
    return results.map((outputs) => outputs.map(({ data }) => Array.from(data)));
  };
  const expected = (faces: readonly number[] = ALL) =>
    faces.map((face) => [
      [face, 7],
      [face, 7, 7],
    ]);
  const facesOf = ({ session }: Thread) => session.seen.map(({ data }) => data[0]);
  const never = new AbortController().signal;

  test('runs each face once, in one of the threads, and keeps the order', async () => {
    const owner = openThread();
    const helper = openThread();
    await Promise.all([warm(owner), warm(helper)]);
    onShare = (work) => void help(work, never);
    expect(await runAll(owner)).toEqual(expected());
    expect(asked).toEqual([ALL.length - 1]);
    expect(facesOf(helper).length).toBeGreaterThan(1);
    expect([...facesOf(owner), ...facesOf(helper)].toSorted()).toEqual(ALL);
    expect(owner.session.seen.every(({ dims }) => dims[0] === 1)).toBe(true);
  });

  test('runs all faces itself if no peer comes', async () => {
    const owner = openThread();
    await warm(owner);
    expect(await runAll(owner)).toEqual(expected());
    expect([facesOf(owner), works.length]).toEqual([ALL, 1]);
  });

  test('runs the faces of a helper that fails', async () => {
    const owner = openThread();
    const helper = openThread();
    await warm(owner);
    helper.session.run = () => Promise.reject(new Error('out of memory'));
    onShare = (work) => void help(work, never);
    expect(await runAll(owner)).toEqual(expected());
    expect(facesOf(owner).toSorted()).toEqual(ALL);
  });

  test('does not depend on a helper that takes a face and never ends', async () => {
    const owner = openThread();
    const helper = openThread();
    await warm(owner);
    helper.session.run = () => new Promise(() => undefined);
    onShare = (work) => void help(work, never);
    expect(await runAll(owner)).toEqual(expected());
    expect(facesOf(owner).toSorted()).toEqual(ALL);
  });

  test('fails with its own error', async () => {
    const owner = openThread();
    await warm(owner);
    owner.session.run = () => Promise.reject(new Error('out of memory'));
    await expect(runAll(owner)).rejects.toThrow('out of memory');
  });

  test('makes images one by one, and shares nothing, while no peer is idle or before its first run', async () => {
    const { session, net } = openThread();
    const runsBefore: number[] = [];
    const lazily = () => {
      runsBefore.push(session.seen.length);
      return new Uint8Array(3 * net.side * net.side);
    };
    await net.run([1], lazily);
    idle = 0;
    await net.run([2, 3, 4], lazily);
    expect([runsBefore, works]).toEqual([[0, 1, 2, 3], []]);
    idle = 1;
    await net.run([5], lazily);
    expect(works).toEqual([]);
  });

  test('shares the rest when a peer becomes idle, at most 32 faces at once', async () => {
    const owner = openThread();
    await warm(owner);
    idle = 0;
    const faces = Array.from({ length: 40 }, (_, i) => i + 1);
    const made: number[] = [];
    const results = await owner.net.run(faces, (face) => {
      made.push(owner.session.seen.length);
      if (face === 2) idle = 1;
      return cropOf(owner.net)(face);
    });
    expect(results.map(([first]) => first!.data[0])).toEqual(faces);
    expect(asked).toEqual([31, 5]);
    expect(made).toEqual([0, 1, ...Array<number>(32).fill(2), ...Array<number>(6).fill(34)]);
  });

  test('ends between two faces when its job is aborted, and so do its helpers', async () => {
    const owner = openThread();
    const helper = openThread();
    await Promise.all([warm(owner), warm(helper)]);
    onShare = () => (isAborted = true);
    await expect(runAll(owner)).rejects.toBe(ABORTED);
    await help(works[0], never);
    expect([facesOf(owner), facesOf(helper)]).toEqual([[1], []]);
  });

  test('helps until the signal aborts', async () => {
    const owner = openThread();
    const helper = openThread();
    await Promise.all([warm(owner), warm(helper)]);
    onShare = (work) => void help(work, AbortSignal.abort());
    expect(await runAll(owner)).toEqual(expected());
    expect(facesOf(helper)).toEqual([]);
  });
});
