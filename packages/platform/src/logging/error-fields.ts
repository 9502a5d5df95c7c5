import { isErrorLike } from '../errors/error-like.ts';

const MOST_CAUSES = 8;

/**
 * The members of errors that are logged: codes and names from the database schema. Other members are not logged,
 * because they may contain user data. For example, `detail`, `where`, `parameters` and `internalQuery` of a Postgres
 * error contain values of rows.
 */
const NAMES = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

/**
 * Converts an error for the log: its type, message, stack with causes, and the members in `NAMES`. Returns any other
 * value unchanged.
 */
export function errorFields(error: unknown): unknown {
  if (!isErrorLike(error)) return error;
  const members = error as unknown as Readonly<Record<string, unknown>>;
  const names = NAMES.map((name) => [name, members[name]] as const);
  return {
    type: typeOf(error),
    message: error.message,
    stack: stackWithCauses(error),
    ...Object.fromEntries(names.filter(([, value]) => typeof value === 'string')),
  };
}

/** The stacks of an error, of its causes, and of the errors in an AggregateError. */
export function stackWithCauses(error: unknown, depth = 0): string {
  if (!isErrorLike(error)) return String(error);
  const { stack = error.message, cause, errors } = error as ErrorMembers;
  const causes = cause === undefined || cause === null ? [] : [cause];
  const inner = [...causes, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  if (depth === MOST_CAUSES) return stack;
  return [stack, ...inner.map((each) => stackWithCauses(each, depth + 1))].join('\ncaused by: ');
}

interface ErrorMembers {
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function typeOf(error: object): string {
  const { constructor } = error as { readonly constructor?: { readonly name?: string } };
  return constructor?.name ?? 'Error';
}
