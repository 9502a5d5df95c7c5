import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { environmentsQuery } from '../../session/session.ts';

export type Environment = OperationBody<'listEnvironments'>['items'][number];
export type Member = OperationBody<'listMembers'>['items'][number];
export type Role = Environment['role'];

export const ROLES = ['viewer', 'reviewer', 'editor', 'owner'] as const satisfies readonly Role[];

/** The environments of the account, and a function that reads them again. */
export function useEnvironmentList() {
  const api = useApi();
  const client = useQueryClient();
  const list = useQuery(environmentsQuery(api));
  const refresh = () => client.invalidateQueries({ queryKey: environmentsQuery(api).queryKey });
  return { list, refresh };
}
