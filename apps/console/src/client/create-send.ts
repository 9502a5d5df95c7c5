import { isProblem } from './api-error.ts';
import type { Api, Sent } from './api.ts';
import type { IdempotentOperation, OperationArguments, SendArguments } from './operations.ts';
import { randomId } from './random-id.ts';

/** Sends a decision with a key of its own. */
export type Send = <O extends IdempotentOperation>(
  operation: O,
  ...input: OperationArguments<O>
) => Promise<Sent<O>>;

/**
 * Creates a function that gives each decision a key. The same request gets the same key until the service has answered
 * it, so that a retry after a lost answer gets that answer. A later request with the same content is another decision.
 */
export function createSend(api: Pick<Api, 'send'>): Send {
  const keys = new Map<string, string>();
  return async (operation, ...[input]) => {
    const content = JSON.stringify([operation, input], withFiles);
    const key = keys.get(content) ?? randomId();
    keys.set(content, key);
    const keyed = { ...input, headers: { 'Idempotency-Key': key } };
    try {
      const sent = await api.send(
        operation,
        ...([keyed] as unknown as SendArguments<typeof operation>),
      );
      keys.delete(content);
      return sent;
    } catch (error) {
      if (isFinal(error)) keys.delete(content);
      throw error;
    }
  };
}

/** Whether the service refused the request, and nothing of it was carried out. */
function isFinal(error: unknown): boolean {
  return isProblem(error) && error.problem.status < 500 && error.problem.code !== 'in_progress';
}

/** A file is known by its properties, because a person may choose it again for the retry. */
function withFiles(_: string, value: unknown): unknown {
  if (!(value instanceof Blob)) return value;
  const { size, type } = value;
  return value instanceof File ? [value.name, value.lastModified, size, type] : [size, type];
}
