import type { FloatTensor, ModelSession, TensorSpec, TokenTensor } from '../onnx/session.ts';
import type { ClipTokenizer } from './clip-tokenizer.ts';

/** The number of tokens of a text if the graph does not declare a number. */
const CONTEXT_LENGTH = 77;
/** The number of texts per run, which bounds the memory of a run. */
const BATCH = 32;

/**
 * The text encoder of CLIP: token ids [texts, 77] become embeddings [texts, values]. An optional
 * second input is the mask of the tokens that count. The encoder uses the first output of rank 2,
 * because exports may also return the state of each token.
 */
export class TextEncoder {
  readonly #session: ModelSession;
  readonly #tokenizer: ClipTokenizer;
  readonly #ids: TensorSpec;
  readonly #mask: TensorSpec | undefined;

  /** @throws RangeError if the network has other inputs */
  constructor(session: ModelSession, tokenizer: ClipTokenizer) {
    const { inputs } = session;
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#mask = inputs.find(({ name }) => name.includes('mask'));
    const [ids, ...others] = inputs.filter((input) => input !== this.#mask);
    if (ids === undefined || others.length > 0 || ids.dims.length !== 2) {
      throw new RangeError(
        'A text encoder must have one two-dimensional input of token ids and may have an input for a mask, but no other inputs.',
      );
    }
    this.#ids = ids;
  }

  /**
   * @returns unit vectors, one per text
   * @throws RangeError if the network's output is not one vector per text
   */
  async encode(texts: readonly string[]): Promise<readonly Float32Array[]> {
    const size = this.#ids.dims[0] ?? BATCH;
    const embeddings: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += size) {
      embeddings.push(...(await this.#encodeBatch(texts.slice(at, at + size))));
    }
    return embeddings;
  }

  async #encodeBatch(texts: readonly string[]): Promise<readonly Float32Array[]> {
    // If the graph has a fixed batch, empty texts fill the rest of the batch.
    const rows = this.#ids.dims[0] ?? texts.length;
    const length = this.#ids.dims[1] ?? CONTEXT_LENGTH;
    const ids = new Int32Array(rows * length);
    for (let row = 0; row < rows; row++) {
      ids.set(this.#tokenizer.encode(texts[row] ?? '', length), row * length);
    }
    const results = await this.#session.run({}, this.#feeds(ids, [rows, length]));
    return unitRows(this.#pick(results), texts.length, rows);
  }

  #feeds(data: Int32Array, dims: readonly number[]): Record<string, TokenTensor> {
    const feeds: Record<string, TokenTensor> = { [this.#ids.name]: { data, dims } };
    if (this.#mask !== undefined) {
      const mask = data.map((id) => (id === 0 ? 0 : 1));
      feeds[this.#mask.name] = { data: mask, dims };
    }
    return feeds;
  }

  #pick(results: Readonly<Record<string, FloatTensor>>): FloatTensor {
    const outputs = this.#session.outputs.map(({ name }) => results[name]!);
    const embeddings = outputs.find(({ dims }) => dims.length === 2);
    if (embeddings === undefined)
      throw new RangeError('The text encoder has no output with one vector per text.');
    return embeddings;
  }
}

function unitRows({ data, dims }: FloatTensor, count: number, rows: number): Float32Array[] {
  const [batch, values = 0] = dims;
  if (batch !== rows || values < 1) {
    throw new RangeError(`${rows} texts cannot have embeddings of the shape [${dims.join(', ')}].`);
  }
  return Array.from({ length: count }, (_, row) =>
    unit(data.slice(row * values, (row + 1) * values)),
  );
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  if (!(norm > 0 && norm < Infinity))
    throw new RangeError('The embedding of a text is zero or not finite.');
  return vector.map((value) => value / norm);
}
