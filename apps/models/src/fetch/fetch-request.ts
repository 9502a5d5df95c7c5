import { FetchRequest } from '@sightline/contracts/cluster/fetch-request';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { z } from 'zod';

/** @throws StartError if the text is not a valid request */
export function parseFetchRequest(text: string | null): FetchRequest {
  if (text === null) throw new StartError('Set SIGHTLINE_FETCH to the model to fetch.');
  const parsed = FetchRequest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const where = path.length === 0 ? '' : `${path.join('.')}: `;
  throw new StartError(`SIGHTLINE_FETCH is not valid: ${where}${message}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError('SIGHTLINE_FETCH is not JSON.');
  }
}
