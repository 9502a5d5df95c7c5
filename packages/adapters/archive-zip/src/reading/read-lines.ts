import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { z } from 'zod';

/**
 * The maximum length of a line in bytes. A line is parsed in one step, and hostile JSON of this size blocks the event
 * loop for 0.1 s.
 */
export const MAX_LINE_BYTES = 1024 ** 2;
const NEWLINE = 0x0a;

export type LineSchema<S extends z.ZodType> = S | ((value: unknown) => S);

/**
 * Reads the records of a JSON Lines file.
 *
 * @param entry the file's name, for error messages
 * @throws ArchiveInvalid for a line that is too long, not UTF-8, not JSON or does not match the schema; errors of
 *   `chunks`
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
  /** The line number, from 1. */
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
  throw invalid(line, `has an invalid value${where}`);
}

function parse(line: Line): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line.line)) as unknown;
  } catch (error) {
    throw invalid(line, 'is not valid JSON', error);
  }
}

function invalid({ entry, number }: Line, problem: string, cause?: unknown): ArchiveInvalid {
  return new ArchiveInvalid(entry, `is invalid: line ${number} ${problem}`, { cause });
}

/** The lines without their line feeds. The last line may lack a line feed. */
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
