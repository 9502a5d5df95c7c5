import { dismissClusterContract } from '@sightline/contracts/clusters/dismiss-cluster-contract';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { areStrangers } from '@sightline/core/curation/label-strangers';
import { defineRoute } from '../../http/define-route.ts';
import { requireMembers } from './require-members.ts';

export const dismissClusterRoute = defineRoute(dismissClusterContract, {
  async handler(context, request) {
    const { scope, signal } = request;
    const { chosen: ids } = await requireMembers(context, request);
    const dismissed = await dismissFaces(
      context,
      { scope, ids, action: 'dismiss', condition: areStrangers },
      { signal, settle: request.settle(present) },
    );
    return present(dismissed);
  },
});

function present(dismissed: number) {
  return { status: 200, body: { dismissed } } as const;
}
