import { setIdentityCoverContract } from '@sightline/contracts/identities/set-identity-cover-contract';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { defineRoute } from '../../http/define-route.ts';

export const setIdentityCoverRoute = defineRoute(setIdentityCoverContract, {
  async handler(context, { path: { id }, body, scope, signal }) {
    const detectionId = body.fields.detection_id;
    await setIdentityCover(context, { scope, id, detectionId }, { signal });
    return { status: 200, body: { identity_id: id, cover_detection_id: detectionId } };
  },
});
