import { useRef } from 'react';
import { randomId } from './random-id.ts';

export interface DecisionKeys {
  /** The headers of a request. They stay the same while the same decision is sent again. */
  readonly headersOf: (decision: unknown) => { readonly 'Idempotency-Key': string };
  /** Called once the decision was carried out, after which an equal one is another decision. */
  readonly settle: () => void;
}

/** Keys with which the service recognizes a request that it has already carried out. */
export function useDecisionKey(): DecisionKeys {
  const last = useRef<{ readonly decision: string; readonly key: string } | null>(null);
  return {
    headersOf: (given) => {
      const decision = JSON.stringify(given);
      if (last.current?.decision !== decision) {
        last.current = { decision, key: randomId() };
      }
      return { 'Idempotency-Key': last.current.key };
    },
    settle: () => {
      last.current = null;
    },
  };
}
