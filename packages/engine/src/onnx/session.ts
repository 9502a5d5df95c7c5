import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { ExecutionProvider } from '@sightline/core/models/model';
import { env, InferenceSession, listSupportedBackends, Tensor } from 'onnxruntime-node';

export interface FloatTensor {
  /** Row-major. */
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

/** Token ids; the session converts them to int64 for a graph that takes int64. */
export interface TokenTensor {
  /** Row-major. */
  readonly data: Int32Array;
  readonly dims: readonly number[];
}

/** An input or output as declared by the graph. */
export interface TensorSpec {
  readonly name: string;
  /** Null for a dynamic dimension. */
  readonly dims: readonly (number | null)[];
}

/** A loaded model, as the pipelines see it. Tensors are float32, except for the token ids of a text. */
export interface ModelSession {
  /** In the order of the graph, like `outputs`. */
  readonly inputs: readonly TensorSpec[];
  readonly outputs: readonly TensorSpec[];
  /**
   * Computes all outputs. Blocks the calling thread, even though it returns a promise.
   *
   * @param feeds one tensor per input of float32, by name
   * @param tokens one tensor per input of integers, by name
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
  /** Threads per operator, at least 1. */
  readonly intraOpThreads: number;
}

/** A model file in memory. */
export interface ModelSource {
  /** Name of the file, for messages. */
  readonly file: string;
  readonly bytes: Uint8Array;
  /** The type of its inputs; default: float32. */
  readonly takes?: 'float32' | 'tokens';
}

/** The element types that text encoders have for token ids. */
const TOKEN_TYPES = ['int32', 'int64'] as const;
const FLOATS = ['float32'] as const;
type TokenType = (typeof TOKEN_TYPES)[number];

/**
 * Loads an ONNX file.
 *
 * @throws ModelLoadFailed if onnxruntime rejects it, or an input or output has another element type
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
 * The execution providers that work here, preferred first. CUDA needs a runtime built with it, its
 * provider library, and an NVIDIA device.
 */
export function availableProviders(): readonly ExecutionProvider[] {
  const supported = listSupportedBackends().some(({ name }) => name === 'cuda');
  return supported && existsSync(cudaLibrary()) && hasNvidiaDevice() ? ['cuda', 'cpu'] : ['cpu'];
}

async function createSession(
  { file, bytes }: ModelSource,
  options: SessionOptions,
): Promise<InferenceSession> {
  // onnxruntime reads this once, when the process opens its first session.
  env.logLevel = 'error';
  // The runtime does not accept shared memory, and makes its own copy when it opens the session.
  const copy = new Uint8Array(bytes);
  try {
    return await InferenceSession.create(copy, {
      executionProviders: options.provider === 'cuda' ? ['cuda', 'cpu'] : ['cpu'],
      graphOptimizationLevel: 'all',
      executionMode: 'sequential',
      // A memory pattern would hold all intermediate values of a run, for each shape of the input.
      // That takes up to twice the memory, permanently, and is no faster.
      enableMemPattern: false,
      intraOpNumThreads: options.intraOpThreads,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
  } catch (cause) {
    const { message } = cause as Error;
    throw new ModelLoadFailed(`onnxruntime cannot load ${file}: ${message}`, {}, { cause });
  } finally {
    // The copy is freed at once, not when the garbage is collected: a model may have hundreds
    // of megabytes.
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
    const wanted = types.join(' or ');
    throw new ModelLoadFailed(`${value.name} of ${file} is not a ${wanted} tensor.`);
  }
  return {
    name: value.name,
    dims: value.shape.map((length) => (typeof length === 'number' ? length : null)),
  };
}

/** The runtime looks for its providers beside its own library. */
function cudaLibrary(): string {
  const entry = createRequire(import.meta.url).resolve('onnxruntime-node');
  const folder = resolve(entry, '../../bin/napi-v6', process.platform, process.arch);
  return resolve(folder, 'libonnxruntime_providers_cuda.so');
}

/** Device files of the Linux driver and of WSL. */
function hasNvidiaDevice(): boolean {
  return existsSync('/dev/nvidiactl') || existsSync('/dev/dxg');
}
