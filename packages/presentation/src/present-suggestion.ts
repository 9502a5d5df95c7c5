import type { Suggestion } from '@sightline/contracts/detections/detection';
import type { z } from 'zod';

export function presentSuggestion(suggestion: {
  readonly identityId: number;
  readonly label: string;
  readonly similarity: number;
}): z.input<typeof Suggestion> {
  const { identityId, label, similarity } = suggestion;
  return { identity_id: identityId, label, similarity };
}
