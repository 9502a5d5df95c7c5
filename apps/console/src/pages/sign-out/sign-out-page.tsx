import { useQueryClient } from '@tanstack/react-query';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { Loading } from '../../frame/page-state.tsx';
import { Failure } from '../../ui/failure.tsx';

/** Ends the session, and forgets everything that this tab has read. */
export function SignOutPage() {
  const { api } = useRouteContext({ from: '/sign-out' });
  const client = useQueryClient();
  const router = useRouter();
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const end = async () => {
      try {
        await api.send('signOut', { signal: controller.signal });
      } catch (caught) {
        if (controller.signal.aborted) return;
        if (!isProblem(caught, 'unauthenticated')) {
          setError(caught as Error);
          return;
        }
      }
      await router.navigate({ to: '/sign-in', replace: true });
      client.clear();
    };
    void end();
    return () => controller.abort();
  }, [api, client, router, attempt]);
  if (error === null) return <Loading />;
  const retry = () => {
    setError(null);
    setAttempt(attempt + 1);
  };
  return (
    <main>
      <Failure error={error} onRetry={retry} />
    </main>
  );
}
