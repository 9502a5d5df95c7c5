import type { FloatTensor, ModelSession, TensorSpec } from '../../onnx/session.ts';

interface FakeNet {
  readonly input: TensorSpec['dims'];
  /** Shapes of the outputs. */
  readonly outputs: readonly TensorSpec['dims'][];
  /** What the outputs are called; 0, 1, ... if absent. */
  readonly names?: readonly string[];
  /** What the net computes, one array for each output. */
  readonly compute: (input: FloatTensor) => readonly Float32Array[];
}

/** A net of one input that computes whatever a test needs, and keeps what it was given. */
export function fakeSession(net: FakeNet): ModelSession & { readonly seen: FloatTensor[] } {
  const seen: FloatTensor[] = [];
  const nameOf = (index: number) => net.names?.[index] ?? String(index);
  return {
    seen,
    inputs: [{ name: 'input', dims: net.input }],
    outputs: net.outputs.map((dims, index) => ({ name: nameOf(index), dims })),
    run(feeds) {
      const input = feeds.input!;
      seen.push(input);
      const results = net
        .compute(input)
        .map((data, index) => [nameOf(index), { data, dims: [data.length] }]);
      return Promise.resolve(Object.fromEntries(results) as Record<string, FloatTensor>);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
