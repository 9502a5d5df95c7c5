import { labelDetectionsContract } from '@sightline/contracts/detections/label-detections-contract';
import { type LabelOutcome, labelDetections } from '@sightline/core/curation/label-detections';
import { presentItemError } from '@sightline/presentation/present-item-error';
import { defineRoute } from '../../http/define-route.ts';
import { labelTarget } from './label-target.ts';

export const labelDetectionsRoute = defineRoute(labelDetectionsContract, {
  async handler({ database, modelStore }, request) {
    const { body, scope, signal } = request;
    const items = body.fields.items.map((item) => ({
      id: item.detection_id,
      target: labelTarget(item),
    }));
    const outcomes = await labelDetections(
      { database, models: modelStore },
      { scope, items },
      { signal, settle: request.settle(present) },
    );
    return present(outcomes);
  },
});

function present(outcomes: readonly LabelOutcome[]) {
  const results = outcomes.map(({ id, error }) => ({
    detection_id: id,
    ok: error === null,
    ...(error !== null && { error: presentItemError(error) }),
  }));
  return { status: 200, body: { results } } as const;
}
