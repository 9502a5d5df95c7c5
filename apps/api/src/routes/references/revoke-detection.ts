import { revokeDetectionContract } from '@sightline/contracts/references/revoke-detection-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { defineRoute } from '../../http/define-route.ts';

export const revokeDetectionRoute = defineRoute(revokeDetectionContract, {
  async handler({ database, modelStore }, { path, scope, signal }) {
    const { detection, revoked } = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'revoke' },
      { signal },
    );
    return { status: 200, body: { detection_id: detection.id, removed: revoked.length } };
  },
});
