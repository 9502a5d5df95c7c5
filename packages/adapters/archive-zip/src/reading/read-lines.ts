import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { z } from 'zod';

/** The maximum number of bytes that one step of the event loop parses: hostile JSON of this size takes 0.1 s. */
export const MAX_LINE_BYTES = 1024 ** 2;
const NEWLINE = 0x0a;

/** The schema of a line, or a function that chooses the schema by the line's value. */
export type LineSchema<S extends z.ZodType> = S | ((value: unknown) => S);

/**
 * Reads the records of a JSON Lines file.
 *
 * @param entry its name, for errors
 * @throws ArchiveInvalid for a line that is too long, not UTF-8, not JSON or does not match the schema; the errors of
 *   the chunks
 */
export async function* readLines<S extends z.ZodType>(
  entry: string,
  chunks: AsyncIterable<Uint8Array>,
  schema: LineSchema<S>,
): AsyncGenerator<z.output<S>> {
  let number = 0;
  for await (const line of splitLines(entry, chunks)) {
    number += 1;
    yield readRecord({ entry, number, line }, schema);
  }
}

interface Line {
  readonly entry: string;
  /** From 1. */
  readonly number: number;
  readonly line: Uint8Array;
}

/** @throws ArchiveInvalid */
export function readRecord<S extends z.ZodType>(line: Line, schema: LineSchema<S>): z.output<S> {
  const value = parse(line);
  const record = (typeof schema === 'function' ? schema(value) : schema).safeParse(value);
  if (record.success) return record.data;
  const [issue] = record.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` in ${issue.path.join('.')}`;
  throw invalid(line, `is no such record${where}`);
}

function parse(line: Line): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line.line)) as unknown;
  } catch (error) {
    throw invalid(line, 'is no JSON', error);
  }
}

function invalid({ entry, number }: Line, problem: string, cause?: unknown): ArchiveInvalid {
  return new ArchiveInvalid(entry, `is unsound: line ${number} ${problem}`, { cause });
}

/** The lines without their ends; the last one may lack its end. */
async function* splitLines(
  entry: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (part: Uint8Array): void => {
    size += part.length;
    if (size > MAX_LINE_BYTES) throw new ArchiveInvalid(entry, 'has a line that is too long');
    if (part.length > 0) parts.push(part);
  };
  const take = (): Uint8Array => {
    const line = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    size = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    add(chunk.subarray(start));
  }
  if (size > 0) yield take();
}
