import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { availableProviders, openSession } from './session.ts';
import { openFile } from './testing/open-file.ts';

const options = { provider: 'cpu', intraOpThreads: 1 } as const;

test('the CPU is always available, and last', () => {
  expect(availableProviders().at(-1)).toBe('cpu');
});

test('names a rejected file', async () => {
  const source = { file: 'text.onnx', bytes: Buffer.from('not a model') };
  const failure: unknown = await openSession(source, options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModelLoadFailed);
  expect((failure as ModelLoadFailed).message).toContain('cannot load text.onnx: ');
});

describeWithShared('openSession', () => {
  test('lists inputs and outputs in graph order, with null for dynamic dimensions', async () => {
    await using session = await openFile(shared('packs/insightface/scrfd_2.5g_bnkps.onnx'));
    expect(session.inputs.map(({ dims }) => dims)).toEqual([[1, 3, null, null]]);
    expect(session.outputs.map(({ dims }) => dims[1])).toEqual([1, 1, 1, 4, 4, 4, 10, 10, 10]);
  });

  test('takes shared memory, and leaves it to other threads', async () => {
    const file = await readFile(shared('parts/genderage_contract.onnx'));
    const bytes = new Uint8Array(new SharedArrayBuffer(file.length));
    bytes.set(file);
    for (let thread = 0; thread < 2; thread++) {
      await using session = await openSession({ file: 'genderage.onnx', bytes }, options);
      expect(session.outputs).toEqual([{ name: 'fc1', dims: [1, 3] }]);
    }
    expect(Buffer.compare(bytes, file)).toBe(0);
  });

  test('runs float tensors and returns outputs by name', async () => {
    await using session = await openFile(shared('parts/genderage_contract.onnx'));
    const { fc1 } = await session.run({
      data: { data: new Float32Array(3 * 96 * 96), dims: [1, 3, 96, 96] },
    });
    expect(fc1!.dims).toEqual([1, 3]);
    expect(fc1!.data).toBeInstanceOf(Float32Array);
    expect(fc1!.data).toHaveLength(3);
  });

  test('a released session cannot run', async () => {
    const session = await openFile(shared('parts/genderage_contract.onnx'));
    await session[Symbol.asyncDispose]();
    const feeds = { data: { data: new Float32Array(3 * 96 * 96), dims: [1, 3, 96, 96] } };
    await expect(session.run(feeds)).rejects.toThrow();
  });
});
