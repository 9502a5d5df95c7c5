import { FetchRequest } from '@sightline/contracts/cluster/fetch-request';
import { firstIssue } from '@sightline/engine/first-issue';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** @throws StartError if the text is not a valid request */
export function parseFetchRequest(text: string | null): FetchRequest {
  if (text === null) throw new StartError('Set SIGHTLINE_FETCH to the model to fetch.');
  const parsed = FetchRequest.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new StartError(`SIGHTLINE_FETCH is not valid: ${firstIssue(parsed.error)}.`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError('SIGHTLINE_FETCH is not JSON.');
  }
}
