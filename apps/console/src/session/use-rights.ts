import { useQuery } from '@tanstack/react-query';
import { useApi } from '../client/api-context.tsx';
import { environmentsQuery, sessionQuery } from './session.ts';

export interface Rights {
  /** Whether the account owns the environment of the page. */
  readonly isOwner: boolean;
  readonly isAdministrator: boolean;
}

/** The role of the account in the environment of the page; undefined until it is known. */
export function useRole() {
  const api = useApi();
  const environments = useQuery(environmentsQuery(api));
  return environments.data?.items.find(({ id }) => id === api.environment)?.role;
}

/** The rights of the account that decide which pages and buttons it sees. The service checks each request itself. */
export function useRights(): Rights {
  const api = useApi();
  const session = useQuery(sessionQuery(api));
  return {
    isOwner: useRole() === 'owner',
    isAdministrator: session.data?.user.is_admin === true,
  };
}
