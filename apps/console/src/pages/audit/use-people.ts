import { useApi, useRead } from '../../client/api-context.tsx';
import { useRights } from '../../session/use-rights.ts';

export interface AuditPerson {
  readonly id: string;
  readonly name: string;
}

/** The accounts that the reader may know: all for administrators, otherwise the members of the environment. */
export function usePeople(): readonly AuditPerson[] {
  const { environment } = useApi();
  const { isOwner, isAdministrator } = useRights();
  const users = useRead('listUsers', undefined, { enabled: isAdministrator });
  const members = useRead(
    'listMembers',
    { path: { id: environment ?? 0 } },
    { enabled: isOwner && environment !== null },
  );
  const named = new Map<string, AuditPerson>();
  for (const { account_id: id, email } of members.data?.items ?? []) {
    named.set(id, { id, name: email });
  }
  for (const { id, email } of users.data?.items ?? []) named.set(id, { id, name: email });
  return [...named.values()];
}
