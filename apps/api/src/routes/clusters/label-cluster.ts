import { labelClusterContract } from '@sightline/contracts/clusters/label-cluster-contract';
import { startGroupDecision } from '@sightline/core/curation/bulk/start-bulk-review';
import { type LabeledStrangers, labelStrangers } from '@sightline/core/curation/label-strangers';
import { NotFound } from '@sightline/core/store/not-found';
import { HttpError } from '@sightline/platform/http/http-errors';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { labelTarget } from '../detections/label-target.ts';
import { presentReviewedFaces } from '../review/present-reviewed-faces.ts';
import { requireMembers } from './require-members.ts';

export const labelClusterRoute = defineRoute(labelClusterContract, {
  async handler(context, request) {
    const { path, body, scope, signal } = request;
    const { database, modelStore } = context;
    const target = labelTarget(body.fields);
    if (target === null) throw oneOfExpected(['label', 'identity_id']);
    const { chosen, excepted } = await requireMembers(context, request);
    if (chosen.length === 0) throw nothingChosen();
    const rejected = body.fields.reject_except ? excepted : [];
    if (request.query.async === true) {
      const decision = { action: 'label', target, rejected } as const;
      const options = { signal, settle: request.settle(answerWithBatch) };
      const started = startGroupDecision(context, { scope, ids: chosen, decision }, options);
      return answerWithBatch(await started);
    }
    const labeled = await labelStrangers(
      { database, models: modelStore },
      { scope, ids: chosen, target, rejected },
      { signal, settle: request.settle(present) },
    );
    if (labeled.identity === null) {
      // Another caller decided about all of the faces after they were read, so the group is another one now.
      await requireMembers(context, request);
      throw new NotFound('group', path.cluster_id);
    }
    return present(labeled);
  },
});

function nothingChosen(): HttpError {
  const message = 'except leaves no face of the group';
  return new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: 'except', message }],
  });
}

function present({ identity, isNew, processed, errors }: LabeledStrangers) {
  const { id, label } = identity!;
  const faces = presentReviewedFaces({ processed, errors });
  return { status: 200, body: { identity_id: id, label, created: isNew, ...faces } } as const;
}
