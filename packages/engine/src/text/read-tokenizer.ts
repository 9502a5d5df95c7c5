import { z } from 'zod';
import { FileRefused } from '../onnx/file-refused.ts';
import { ClipTokenizer, type TokenizerTables } from './clip-tokenizer.ts';

const vocabularySchema = z.record(z.string(), z.int().min(0).max(0x7f_ff_ff_ff));
const pairSchema = z.union([
  z.string(),
  z.tuple([z.string(), z.string()]).transform((pair) => pair.join(' ')),
]);
const tokenizerSchema = z.object({
  model: z.object({ vocab: vocabularySchema, merges: z.array(pairSchema) }),
});

/**
 * The contents of a tokenizer's files, as UTF-8. There are two files if the merges have their own
 * file, and otherwise one.
 */
export interface TokenizerTexts {
  /** `tokenizer.json`, or `vocab.json` if the merges have their own file. */
  readonly json: Uint8Array;
  /** `merges.txt`, with a pair on each line, below a line with the version. */
  readonly merges?: Uint8Array | undefined;
}

/**
 * Reads a tokenizer of CLIP from files in the format of the `transformers` library.
 *
 * @throws FileRefused if the files have another format, or lack a byte or a special token
 */
export function readTokenizer({ json, merges }: TokenizerTexts): ClipTokenizer {
  const tables = merges === undefined ? readWhole(json) : readApart(json, merges);
  try {
    return new ClipTokenizer(tables);
  } catch (cause) {
    throw new FileRefused(`is not a tokenizer of CLIP: ${(cause as Error).message}`, { cause });
  }
}

function readWhole(json: Uint8Array): TokenizerTables {
  const { model } = parse(tokenizerSchema, json);
  return { vocabulary: new Map(Object.entries(model.vocab)), merges: ranked(model.merges) };
}

function readApart(json: Uint8Array, merges: Uint8Array): TokenizerTables {
  const lines = textOf(merges).split(/\r?\n/);
  const pairs = lines.filter((line) => line !== '' && !line.startsWith('#version'));
  return {
    vocabulary: new Map(Object.entries(parse(vocabularySchema, json))),
    merges: ranked(pairs),
  };
}

function ranked(pairs: readonly string[]): ReadonlyMap<string, number> {
  return new Map(pairs.map((pair, rank) => [pair, rank]));
}

function parse<T>(schema: z.ZodType<T>, bytes: Uint8Array): T {
  try {
    return schema.parse(JSON.parse(textOf(bytes)));
  } catch (cause) {
    throw new FileRefused('is not a vocabulary of tokens', { cause });
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
