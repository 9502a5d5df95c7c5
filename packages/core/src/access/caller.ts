import type { ApiKeyRecord } from '../api-keys/key-store.ts';

/** Who asks, as the key says. */
export interface Caller extends Pick<ApiKeyRecord, 'environmentId' | 'right' | 'isAdmin'> {
  readonly keyId: number;
}
