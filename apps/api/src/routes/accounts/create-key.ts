import { createKeyContract } from '@sightline/contracts/accounts/create-key-contract';
import { createOwnKey } from '@sightline/core/api-keys/create-own-key';
import { normalizeLabel } from '@sightline/core/identities/label';
import { defineRoute } from '../../http/define-route.ts';
import { presentKey } from './present-key.ts';

export const createKeyRoute = defineRoute(createKeyContract, {
  async handler(context, { body, session, requestId }) {
    const {
      environment_id: environmentId,
      label,
      type: right,
      expires_at: expiresAt,
    } = body.fields;
    const request = {
      by: { accountId: session.account.id, requestId },
      environmentId,
      label: normalizeLabel(label),
      right,
      expiresAt: expiresAt ?? null,
    };
    const { key, record } = await createOwnKey(context, request);
    return { status: 201, body: { ...presentKey(record), key } };
  },
});
