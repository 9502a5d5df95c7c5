import { dismissMismatchesContract } from '@sightline/contracts/review/dismiss-mismatches-contract';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { defineRoute } from '../../http/define-route.ts';
import { presentDismissed } from './present-dismissed.ts';

export const dismissMismatchesRoute = defineRoute(dismissMismatchesContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const dismissed = await dismissFaces(
      context,
      { scope, ids: body.fields.detection_ids, action: 'dismissMismatch' },
      { signal, settle: request.settle(presentDismissed) },
    );
    return presentDismissed(dismissed);
  },
});
