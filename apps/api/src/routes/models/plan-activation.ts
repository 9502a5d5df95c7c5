import { planActivationContract } from '@sightline/contracts/models/plan-activation-contract';
import { planActivation } from '@sightline/core/activation/plan-activation';
import { defineRoute } from '../../http/define-route.ts';

export const planActivationRoute = defineRoute(planActivationContract, {
  async handler(context, { path, query, scope, signal }) {
    const request = { scope, modelId: path.id, reembed: query.reembed ?? 'before' };
    const plan = await planActivation(context, request, signal);
    return {
      status: 200,
      body: {
        reembed_images: plan.images,
        enrolled_images: plan.enrolledImages,
        estimated_seconds: plan.seconds,
        enrolled_seconds: plan.enrolledSeconds,
        needed_bytes: plan.neededBytes,
        free_bytes: plan.freeBytes,
        matching_pauses: plan.matchingPauses,
      },
    };
  },
});
