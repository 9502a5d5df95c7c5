import { dismissDetectionsContract } from '@sightline/contracts/detections/dismiss-detections-contract';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { defineRoute } from '../../http/define-route.ts';
import { presentDismissed } from '../review/present-dismissed.ts';

export const dismissDetectionsRoute = defineRoute(dismissDetectionsContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const dismissed = await dismissFaces(
      context,
      { scope, ids: body.fields.detection_ids, action: 'dismiss' },
      { signal, settle: request.settle(presentDismissed) },
    );
    return presentDismissed(dismissed);
  },
});
