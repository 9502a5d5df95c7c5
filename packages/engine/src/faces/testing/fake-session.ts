import type { FloatTensor, ModelSession, TensorSpec } from '../../onnx/session.ts';

interface FakeNet {
  readonly input: TensorSpec['dims'];
  readonly outputs: readonly TensorSpec['dims'][];
  readonly names?: readonly string[];
  /** Computes one array per output, with a row for each image of the input. */
  readonly compute: (input: FloatTensor) => readonly Float32Array[];
}

/** Makes a network with one input that runs a function of the test and records its inputs. */
export function fakeSession(net: FakeNet): ModelSession & { readonly seen: FloatTensor[] } {
  const seen: FloatTensor[] = [];
  const nameOf = (index: number) => net.names?.[index] ?? String(index);
  return {
    seen,
    inputs: [{ name: 'input', dims: net.input }],
    outputs: net.outputs.map((dims, index) => ({ name: nameOf(index), dims })),
    run(feeds) {
      const input = feeds.input!;
      const [rows = 1] = input.dims;
      // The input is copied because the caller uses its memory again.
      seen.push({ ...input, data: input.data.slice() });
      const results = net
        .compute(input)
        .map((data, index) => [nameOf(index), { data, dims: [rows, data.length / rows] }]);
      return Promise.resolve(Object.fromEntries(results) as Record<string, FloatTensor>);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
