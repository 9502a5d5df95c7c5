import { reassignFaceContract } from '@sightline/contracts/review/reassign-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-task';
import type { LabelTarget } from '@sightline/core/curation/face-task';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of.ts';

export const reassignFaceRoute = defineRoute(reassignFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, body, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'reassign', target: targetOf(body.fields) },
      { signal, settle: request.settle(present) },
    );
    return present(acted);
  },
});

function targetOf(fields: {
  readonly identity_id?: number | undefined;
  readonly name?: string | undefined;
}): LabelTarget {
  const { identity_id: identityId, name } = fields;
  if (name !== undefined && identityId === undefined) return { label: name };
  if (identityId !== undefined && name === undefined) return { identityId };
  throw oneOfExpected(['identity_id', 'name']);
}

function present({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      review_status: row.reviewStatus,
      identity_id: row.identityId!,
    },
  } as const;
}
