import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouteContext, useRouter } from '@tanstack/react-router';
import { environmentsQuery, sessionQuery } from '../../session/session.ts';

export interface NewAccount {
  readonly name?: string;
  readonly password: string;
}

/** Accepts the invitation, with a new account if one is given, and opens the environment. */
export function useAccept(token: string) {
  const { api } = useRouteContext({ from: '/invitation' });
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: (account: NewAccount | null) =>
      api.read('acceptInvitation', { body: { token, ...account } }),
    onSuccess: async ({ environment_id: environment }) => {
      await Promise.all([
        client.resetQueries({ queryKey: sessionQuery(api).queryKey }),
        client.resetQueries({ queryKey: environmentsQuery(api).queryKey }),
      ]);
      // The secret of the link does not stay in the browser's history.
      await router.navigate({
        to: '/$environment/overview',
        params: { environment: String(environment) },
        replace: true,
      });
    },
  });
}
