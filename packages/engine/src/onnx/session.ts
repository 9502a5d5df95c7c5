import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { ExecutionProvider } from '@sightline/core/models/model';
import { env, InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';
import type { SessionPeers } from './session-peers.ts';

export interface FloatTensor {
  /** The values in row-major order. */
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Token ids. The session converts them to int64 for a graph that takes int64. */
export interface TokenTensor {
  /** The ids in row-major order. */
  readonly data: Int32Array;
  readonly dims: readonly number[];
}

export interface TensorSpec {
  readonly name: string;
  /** The sizes of the dimensions, null for a dynamic dimension. */
  readonly dims: readonly (number | null)[];
}

/**
 * A loaded model, as the pipelines see it. Tensors are float32, except for the token ids of a text.
 */
export interface ModelSession {
  /** The inputs in the order of the graph. `outputs` are in that order, too. */
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /** Absent if no other thread can help this one. */
  readonly peers?: SessionPeers;
  /**
   * Computes all outputs. Blocks the calling thread, even though it returns a promise.
   *
   * @param feeds one tensor per float32 input, by name
   * @param tokens one tensor per integer input, by name
   */
  run(
    feeds: Readonly<Record<string, FloatTensor>>,
    tokens?: Readonly<Record<string, TokenTensor>>,
  ): Promise<Record<string, FloatTensor>>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SessionOptions {
  /** One of {@link availableProviders}. */
  readonly provider: ExecutionProvider;
  /** The number of threads per operator, at least 1. */
  readonly intraOpThreads: number;
}

export interface ModelSource {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The type of the model's inputs; default: float32. */
  readonly takes?: 'float32' | 'tokens';
}

const TOKEN_TYPES = ['int32', 'int64'] as const;
const FLOATS = ['float32'] as const;
type TokenType = (typeof TOKEN_TYPES)[number];

/**
 * Loads an ONNX file.
 *
 * @throws ModelLoadFailed if onnxruntime rejects the file, or if an input or output has an
 *   unsupported element type
 */
export async function openSession(
  source: ModelSource,
  options: SessionOptions,
): Promise<ModelSession> {
  const session = await createSession(source, options);
  try {
    return wrap(session, source);
  } catch (error) {
    await session.release();
    throw error;
  }
}

/**
 * Returns the execution providers that work here, preferred first. CUDA needs a runtime built with
 * CUDA, the runtime's provider library, and an NVIDIA device.
 */
export function availableProviders(): readonly ExecutionProvider[] {
  const supported = listSupportedBackends().some(({ name }) => name === 'cuda');
  return supported && existsSync(cudaLibrary()) && hasNvidiaDevice() ? ['cuda', 'cpu'] : ['cpu'];
}

async function createSession(
  { file, bytes }: ModelSource,
  options: SessionOptions,
): Promise<InferenceSession> {
  // onnxruntime reads the log level only once, when the process opens its first session. It also throws what it would
  // log as an error, and its lines on stderr would stand between the service's own.
  env.logLevel = 'fatal';
  // The bytes are copied because the runtime does not accept shared memory. The runtime makes its
  // own copy when it opens the session.
  const copy = new Uint8Array(bytes);
  try {
    return await InferenceSession.create(copy, {
      executionProviders: options.provider === 'cuda' ? ['cuda', 'cpu'] : ['cpu'],
      graphOptimizationLevel: 'all',
      executionMode: 'sequential',
      // With `enableMemPattern`, the runtime would permanently keep memory for all intermediate values of a run, for
      // each shape of the input. This takes up to twice the memory, and runs are not faster.
      enableMemPattern: false,
      intraOpNumThreads: options.intraOpThreads,
      interOpNumThreads: 1,
      logSeverityLevel: 4,
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw new ModelLoadFailed(`onnxruntime cannot load ${file}: ${message}`, {}, { cause });
  } finally {
    // The copy is freed at once instead of by the garbage collector, because a model may have
    // hundreds of megabytes.
    copy.buffer.transfer(0);
  }
}

function wrap(session: InferenceSession, source: ModelSource): ModelSession {
  const { file, takes = 'float32' } = source;
  const types = takes === 'tokens' ? TOKEN_TYPES : FLOATS;
  const tokenTypes = new Map(
    session.inputMetadata.map((value) => [value.name, value.isTensor ? value.type : '']),
  );
  return {
    inputs: session.inputMetadata.map((value) => tensorSpec(value, file, types)),
    outputs: session.outputMetadata.map((value) => tensorSpec(value, file, FLOATS)),
    async run(feeds, tokens = {}) {
      const floats = Object.entries(feeds).map(
        ([name, { data, dims }]) => [name, new Tensor('float32', data, dims)] as const,
      );
      const integers = Object.entries(tokens).map(
        ([name, ids]) => [name, tokenTensor(ids, tokenTypes.get(name) as TokenType)] as const,
      );
      const inputs = Object.fromEntries([...floats, ...integers]);
      const results = Object.entries(await session.run(inputs));
      return Object.fromEntries(
        results.map(([name, { data, dims }]) => [name, { data: data as Float32Array, dims }]),
      );
    },
    [Symbol.asyncDispose]: () => session.release(),
  };
}

function tokenTensor({ data, dims }: TokenTensor, type: TokenType): Tensor {
  return type === 'int64'
    ? new Tensor('int64', BigInt64Array.from(data, BigInt), dims)
    : new Tensor('int32', data, dims);
}

function tensorSpec(
  value: InferenceSession.ValueMetadata,
  file: string,
  types: readonly string[],
): TensorSpec {
  if (!value.isTensor || !types.includes(value.type)) {
    const expected = types.join(' or ');
    throw new ModelLoadFailed(`${value.name} of ${file} is not a ${expected} tensor.`);
  }
  return {
    name: value.name,
    dims: value.shape.map((length) => (typeof length === 'number' ? length : null)),
  };
}

/**
 * Returns the path of the provider library. The runtime searches for its providers next to its own
 * library.
 */
function cudaLibrary(): string {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node');
  const folder = resolve(entry, '../../bin/napi-v6', process.platform, process.arch);
  return resolve(folder, 'libonnxruntime_providers_cuda.so');
}

function hasNvidiaDevice(): boolean {
  return existsSync('/dev/nvidiactl') || existsSync('/dev/dxg');
}
