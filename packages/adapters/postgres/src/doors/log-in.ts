import { withCredential } from '@sightline/platform/resilience/credential';
import pg from 'pg';
import type { PostgresConnection } from '../postgres-connection.ts';

/** The error codes for a wrong password, and for a role that may not log in. */
const LOGIN_REFUSED: readonly (string | undefined)[] = ['28P01', '28000'];

/** Connects as a role, and connects again with another valid password if the server refuses the one in use. */
export function logIn<T>(
  { rolePassword }: Pick<PostgresConnection, 'rolePassword'>,
  connect: () => Promise<T>,
): Promise<T> {
  if (rolePassword === undefined) return connect();
  return withCredential(rolePassword, connect, (outcome) => {
    const error: unknown = outcome.status === 'rejected' ? outcome.reason : null;
    return error instanceof pg.DatabaseError && LOGIN_REFUSED.includes(error.code);
  });
}
