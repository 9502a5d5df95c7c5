import type { Response } from 'express';

/** Additional fields of a request's log line. The values must not be secrets or paths. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export function addLogFields(response: Response, fields: LogFields): void {
  const locals = response.locals as LogLocals;
  locals.logFields = { ...locals.logFields, ...fields };
}

export function logFields(response: Response): LogFields {
  return (response.locals as LogLocals).logFields ?? {};
}

interface LogLocals {
  logFields?: LogFields;
}
