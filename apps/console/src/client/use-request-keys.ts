import { useMemo } from 'react';

/** The keys that make repeated requests harmless. */
export interface RequestKeys {
  /** The headers of a request, with the same key until the request is forgotten. */
  readonly headersOf: (request: object) => { readonly 'Idempotency-Key': string };
  /** The next request with the same content is another one. */
  readonly forget: (request: object) => void;
}

/** Gives a request that a person repeats after a failure the key of its first sending. */
export function useRequestKeys(): RequestKeys {
  return useMemo(() => {
    const keys = new Map<string, string>();
    return {
      headersOf(request) {
        const content = JSON.stringify(request);
        const key = keys.get(content) ?? crypto.randomUUID();
        keys.set(content, key);
        return { 'Idempotency-Key': key };
      },
      forget: (request) => {
        keys.delete(JSON.stringify(request));
      },
    };
  }, []);
}
