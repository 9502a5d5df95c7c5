import type { Response } from 'express';

/** What the log says of a request beside what the kit knows itself; never secrets or paths. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Adds to the line that the log gets when the request is done. */
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
