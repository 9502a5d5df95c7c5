import { useMemo } from 'react';
import { useApi } from './api-context.tsx';
import { createSend, type Send } from './create-send.ts';

/** Returns the function that sends the decisions of a component, with one key for all retries of a decision. */
export function useSend(): Send {
  const api = useApi();
  return useMemo(() => createSend(api), [api]);
}
