import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { RequestLog } from '../client/request-log.ts';

/** The requests of a page are those since the last navigation. */
export function useLogOfPage(log: RequestLog): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) log.clear();
      }),
    [router, log],
  );
}
