import { expect, test } from '@jest/globals';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { availableProviders, openSession } from './session.ts';

const options = { provider: 'cpu', intraOpThreads: 1 } as const;

test('the CPU is always available, and last', () => {
  expect(availableProviders().at(-1)).toBe('cpu');
});

test('names a rejected file without its folder', async () => {
  const failure: unknown = await openSession(import.meta.filename, options).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ModelLoadFailed);
  const { message } = failure as ModelLoadFailed;
  expect(message).toContain('session.test.ts');
  expect(message).not.toContain(import.meta.dirname);
});

describeWithShared('openSession', () => {
  test('lists inputs and outputs in graph order, with null for dynamic dimensions', async () => {
    await using session = await openSession(
      shared('packs/insightface/scrfd_2.5g_bnkps.onnx'),
      options,
    );
    expect(session.inputs.map(({ dims }) => dims)).toEqual([[1, 3, null, null]]);
    expect(session.outputs.map(({ dims }) => dims[1])).toEqual([1, 1, 1, 4, 4, 4, 10, 10, 10]);
  });

  test('runs float tensors and returns outputs by name', async () => {
    await using session = await openSession(shared('parts/genderage_contract.onnx'), options);
    const { fc1 } = await session.run({
      data: { data: new Float32Array(3 * 96 * 96), dims: [1, 3, 96, 96] },
    });
    expect(fc1!.dims).toEqual([1, 3]);
    expect(fc1!.data).toBeInstanceOf(Float32Array);
    expect(fc1!.data).toHaveLength(3);
  });

  test('a released session cannot run', async () => {
    const session = await openSession(shared('parts/genderage_contract.onnx'), options);
    await session[Symbol.asyncDispose]();
    const feeds = { data: { data: new Float32Array(3 * 96 * 96), dims: [1, 3, 96, 96] } };
    await expect(session.run(feeds)).rejects.toThrow();
  });
});
