import { redirect } from '@tanstack/react-router';
import { isProblem } from '../client/api-error.ts';
import type { OperationBody } from '../client/operations.ts';
import { sessionQuery } from '../session/session.ts';
import type { Services } from './services.ts';

/**
 * Returns the session.
 *
 * @param next the address to which the sign-in leads back
 * @throws a redirect to the sign-in, or to the choice of a password where the account needs a new one
 */
export async function requireSession(
  { api, queryClient }: Services,
  next: string,
): Promise<OperationBody<'getSession'>> {
  const session = await readSession({ api, queryClient }, next);
  // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect
  if (session.user.must_change_password) throw redirect({ to: '/password', search: { next } });
  return session;
}

async function readSession(
  { api, queryClient }: Pick<Services, 'api' | 'queryClient'>,
  next: string,
) {
  try {
    return await queryClient.query({ ...sessionQuery(api), staleTime: Infinity });
  } catch (error) {
    // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect
    if (isProblem(error, 'unauthenticated')) throw redirect({ to: '/sign-in', search: { next } });
    throw error;
  }
}
