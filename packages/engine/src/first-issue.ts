import type { z } from 'zod';

/** Describes the first fault of an invalid document, after the path of its field: `models.0.name: Invalid input`. */
export function firstIssue({ issues }: z.ZodError): string {
  const { path, message } = issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
