import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import { Credential } from '@sightline/platform/resilience/credential';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { InvalidDatabaseUrl } from '@sightline/postgres/invalid-database-url';
import { parseDatabaseUrl } from '@sightline/postgres/parse-database-url';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { rolesOf } from '@sightline/postgres/service-roles';

/**
 * The connection settings of the service's roles.
 *
 * @throws StartError if the URL is invalid, names a user that is not one of these roles, or names a file that cannot be
 *   read
 */
export function connectionOf({ url, password, roleSuffix }: DatabaseSettings): PostgresConnection {
  const connectionsOf = () => {
    const passwords = password?.() ?? [null];
    return url().flatMap((each) => passwords.map((secret) => readUrl(each, secret)));
  };
  const connection = { ...connectionsOf()[0]!, ...(roleSuffix !== '' && { roleSuffix }) };
  const passwords = () =>
    connectionsOf().map((each) => each.servicePassword ?? each.password ?? '');
  const { app, platform } = rolesOf(connection);
  if ([app, platform].includes(connection.user)) {
    return { ...connection, rolePassword: new Credential(passwords) };
  }
  throw new StartError(
    `SIGHTLINE_DATABASE_URL names the user ${connection.user}: name ${app} instead. The service logs in as ${app} and ${platform}, and both need the same password. The owner of the database belongs in SIGHTLINE_DATABASE_OWNER_URL. Only \`sightline migrate\` reads that setting.`,
  );
}

/**
 * The connection settings of the database owner, who sets the passwords of the service's roles.
 *
 * @throws StartError if one of the URLs cannot be used
 */
export function ownerConnectionOf(ownerUrl: string, service: DatabaseSettings): PostgresConnection {
  const { servicePassword, password, roleSuffix } = connectionOf(service);
  const owner = read('SIGHTLINE_DATABASE_OWNER_URL', ownerUrl, servicePassword ?? password ?? '');
  return { ...owner, ...(roleSuffix !== undefined && { roleSuffix }) };
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
