import { isRefused } from './api-error.ts';
import type { Api, Sent } from './api.ts';
import type { IdempotentOperation, OperationArguments, SendArguments } from './operations.ts';
import { randomId } from './random-id.ts';

/** Sends a decision with a key of its own. */
export type Send = <O extends IdempotentOperation>(
  operation: O,
  ...input: OperationArguments<O>
) => Promise<Sent<O>>;

interface Unanswered {
  readonly key: string;
  /** The records that the request changes, as far as it names them. */
  readonly records: readonly string[];
}

/** The requests without an answer, by their content. All parts of a page share those of their environment. */
const UNANSWERED = new WeakMap<object, Map<string, Unanswered>>();

/**
 * Creates a function that gives each decision a key. The same request gets the same key until the service has answered
 * it, so that a retry after a lost answer gets that answer. A later request with the same content is another decision,
 * and so is one after another change of the same record: the person has seen what the lost one did.
 */
export function createSend(api: Pick<Api, 'send'>): Send {
  const unanswered = UNANSWERED.get(api) ?? new Map<string, Unanswered>();
  UNANSWERED.set(api, unanswered);
  return async (operation, ...[input]) => {
    const content = JSON.stringify([operation, input], withFiles);
    const key = unanswered.get(content)?.key ?? randomId();
    const records = recordsOf(input);
    unanswered.set(content, { key, records });
    const keyed = { ...input, headers: { 'Idempotency-Key': key } };
    try {
      const sent = await api.send(
        operation,
        ...([keyed] as unknown as SendArguments<typeof operation>),
      );
      unanswered.delete(content);
      for (const [other, { records: changed }] of unanswered) {
        if (changed.some((record) => records.includes(record))) unanswered.delete(other);
      }
      return sent;
    } catch (error) {
      if (isRefused(error)) unanswered.delete(content);
      throw error;
    }
  };
}

/** Returns the ids in the path, and those in lists of the body. */
function recordsOf(input: object | undefined): readonly string[] {
  const { path = {}, body = {} } = (input ?? {}) as Partial<Record<'path' | 'body', object>>;
  const lists = Object.values(body).filter((value) => Array.isArray(value)) as unknown[][];
  return [...(Object.values(path) as unknown[]), ...lists.flat()].map(String);
}

/** A file is known by its properties, because a person may choose it again for the retry. */
function withFiles(_: string, value: unknown): unknown {
  if (!(value instanceof Blob)) return value;
  const { size, type } = value;
  return value instanceof File ? [value.name, value.lastModified, size, type] : [size, type];
}
