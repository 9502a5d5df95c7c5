import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import { Credential } from '@sightline/platform/resilience/credential';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { InvalidDatabaseUrl } from '@sightline/postgres/invalid-database-url';
import { parseDatabaseUrl } from '@sightline/postgres/parse-database-url';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { APP_ROLE, PLATFORM_ROLE } from '@sightline/postgres/schema/policies';

/**
 * The connection settings of the service's roles.
 *
 * @throws StartError if the URL is invalid, names a user that is not one of these roles, or names a file that cannot be
 *   read
 */
export function connectionOf({ url, password }: DatabaseSettings): PostgresConnection {
  const connectionsOf = () => {
    const passwords = password?.() ?? [null];
    return url().flatMap((each) => passwords.map((secret) => readUrl(each, secret)));
  };
  const connection = connectionsOf()[0]!;
  const passwords = () =>
    connectionsOf().map((each) => each.servicePassword ?? each.password ?? '');
  if ([APP_ROLE, PLATFORM_ROLE].includes(connection.user)) {
    return { ...connection, rolePassword: new Credential(passwords) };
  }
  throw new StartError(
    `SIGHTLINE_DATABASE_URL names the user ${connection.user}: name ${APP_ROLE} instead. The service logs in as ${APP_ROLE} and ${PLATFORM_ROLE}, and both need the same password. The owner of the database belongs in SIGHTLINE_DATABASE_OWNER_URL. Only \`sightline migrate\` reads that setting.`,
  );
}

/**
 * The connection settings of the database owner, who sets the passwords of the service's roles.
 *
 * @throws StartError if one of the URLs cannot be used
 */
export function ownerConnectionOf(ownerUrl: string, service: DatabaseSettings): PostgresConnection {
  const { servicePassword, password } = connectionOf(service);
  return read('SIGHTLINE_DATABASE_OWNER_URL', ownerUrl, servicePassword ?? password ?? '');
}

function readUrl(url: string, password: string | null): PostgresConnection {
  return read('SIGHTLINE_DATABASE_URL', url, password);
}

function read(name: string, url: string, servicePassword: string | null): PostgresConnection {
  try {
    return parseDatabaseUrl(url, servicePassword ?? undefined);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw new StartError(`${name} cannot be used: ${error.message}`);
  }
}
