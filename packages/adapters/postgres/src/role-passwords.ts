import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresConnection } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import { rolesOf } from './service-roles.ts';
import { withClient } from './with-client.ts';

const ITERATIONS = 4096;
const ATTEMPTS = 10;
/** The error code if another database of the cluster changes the role at the same time. */
const CONCURRENTLY = 'XX000';

/**
 * Makes sure that the service's roles can log in with their password. All databases of a cluster share its roles.
 *
 * @param owner a connection of the database owner, who may change the roles
 * @returns the roles whose password was changed
 * @throws SchemaMismatch if the owner may not change the roles
 */
export async function setRolePasswords(
  owner: pg.Client,
  connection: PostgresConnection,
): Promise<readonly string[]> {
  const { password, servicePassword = password } = connection;
  if (servicePassword === undefined || servicePassword === '') return [];
  const changed: string[] = [];
  const { app, platform } = rolesOf(connection);
  for (const role of [app, platform]) {
    if (await canLogIn(connection, role)) continue;
    await setPassword(owner, role, { password: servicePassword, user: connection.user });
    changed.push(role);
  }
  return changed;
}

async function canLogIn(connection: PostgresConnection, role: string): Promise<boolean> {
  const session = { role, applicationName: 'sightline migrate', settings: {} };
  try {
    await withClient(connection, session, () => Promise.resolve());
    return true;
  } catch (error) {
    if (error instanceof SchemaMismatch) return false;
    throw error;
  }
}

async function setPassword(
  owner: pg.Client,
  role: string,
  { password, user }: { readonly password: string; readonly user: string },
): Promise<void> {
  const verifier = pg.escapeLiteral(scramVerifier(password, randomBytes(16)));
  for (let attempt = 1; ; attempt++) {
    try {
      await owner.query(`ALTER ROLE ${role} PASSWORD ${verifier}`);
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === '42501') {
        throw new SchemaMismatch(
          `The database user ${user} may not set the password of ${role}: give the user CREATEROLE and ${role} WITH ADMIN OPTION, or set the password as an administrator.`,
          { cause: error },
        );
      }
      if (code !== CONCURRENTLY || attempt === ATTEMPTS) throw error;
      await delay(50);
    }
  }
}

/** Non-ASCII spaces, which SCRAM clients replace by a space (RFC 3454, table C.1.2). */
const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;
/** Characters that SCRAM clients remove (RFC 3454, table B.1). */
const NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;

/**
 * The SCRAM verifier of a password (RFC 5802, RFC 7677), which the server stores. With a verifier, no log of the server
 * contains the password. The password is normalized like clients do (RFC 4013).
 */
function scramVerifier(password: string, salt: Uint8Array): string {
  const prepared = password.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
  const salted = pbkdf2Sync(prepared, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const encodedSalt = Buffer.from(salt).toString('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${encodedSalt}$${storedKey}:${serverKey}`;
}
