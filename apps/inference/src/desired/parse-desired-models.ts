import { DesiredModels } from '@sightline/contracts/cluster/desired-models';
import { firstIssue } from '@sightline/engine/first-issue';

/** @throws Error if the text is not a valid document; its message is for people */
export function parseDesiredModels(text: string): DesiredModels {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The desired models are not JSON.');
  }
  const parsed = DesiredModels.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`The desired models are not valid: ${firstIssue(parsed.error)}.`);
}
