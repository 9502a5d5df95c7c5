import { isErrorLike } from '../errors/error-like.ts';

const MOST_CAUSES = 8;

/**
 * Members of errors that are logged: codes, and names of parts of a schema. Other members stay out of the log, because
 * drivers attach stored and sent data to them: Postgres' `detail`, `where`, `parameters` and `internalQuery` contain
 * values of rows.
 */
const NAMES = ['code', 'severity', 'schema', 'table', 'column', 'constraint', 'routine'] as const;

/** An error as it is logged: its type, message, stack with causes, and names. Anything else as it is. */
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

/** The stack of an error, and those of its causes and of the errors that it aggregates. */
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
