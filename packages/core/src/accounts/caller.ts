import type { ApiKeyRecord } from './key-store.ts';

/** Who asks, as the key says. */
export interface Caller extends Pick<ApiKeyRecord, 'environmentId' | 'right' | 'isAdmin'> {
  readonly keyId: number;
}
