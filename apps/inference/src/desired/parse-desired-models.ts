import { DesiredModels } from '@sightline/contracts/cluster/desired-models';
import type { z } from 'zod';

/** @throws Error with a sentence, if the text is no document of desired models */
export function parseDesiredModels(text: string): DesiredModels {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The desired models are not JSON.');
  }
  const parsed = DesiredModels.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  throw new Error(`The desired models are not valid: ${path.join('.')}: ${message}.`);
}
