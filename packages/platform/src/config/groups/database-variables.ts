import { z } from 'zod';
import { optionalText, variable, wholeNumber } from '../variable.ts';

/** The schema of a database address; null if the variable is unset. */
const address = () =>
  z
    .string()
    .regex(
      /^postgres(ql)?:\/\/[^/]+\/[^/?]+/,
      'has to have the form postgres://user:password@host/database?sslmode=verify-full',
    )
    .nullable();

export const DATABASE_VARIABLES = {
  databaseUrl: variable({
    name: 'SIGHTLINE_DATABASE_URL',
    description:
      'PostgreSQL 18 or newer, for example postgres://sightline_app:password@host:5432/sightline?sslmode=verify-full; unset: an embedded server in the data folder',
    default: null,
    secret: true,
    schema: address(),
  }),
  databaseUrlFile: variable({
    name: 'SIGHTLINE_DATABASE_URL_FILE',
    description:
      'File that contains the database URL; read again while the process runs, and may have a second line with a value that is still valid',
    default: null,
    schema: optionalText(),
  }),
  databasePassword: variable({
    name: 'SIGHTLINE_DATABASE_PASSWORD',
    description:
      'Password of the two database roles of the service, sightline_app and sightline_platform',
    default: null,
    defaultShown: 'the password in the URL',
    secret: true,
    schema: optionalText(),
  }),
  databasePasswordFile: variable({
    name: 'SIGHTLINE_DATABASE_PASSWORD_FILE',
    description:
      'File that contains the password of the two database roles; read again while the process runs, and may have a second line with a value that is still valid',
    default: null,
    schema: optionalText(),
  }),
  databaseRoleSuffix: variable({
    name: 'SIGHTLINE_DATABASE_ROLE_SUFFIX',
    description:
      'End of the names of the two database roles: with red they are sightline_app_red and sightline_platform_red. Needed where installations share a server, because all databases of a server share its roles',
    default: '',
    defaultShown: 'none',
    schema: z.string().regex(/^[a-z0-9_]{0,40}$/, 'has to consist of at most 40 of a-z, 0-9 and _'),
  }),
  databaseConnections: variable({
    name: 'SIGHTLINE_DATABASE_CONNECTIONS',
    description:
      'Maximum number of connections that one process uses for requests; the process uses up to four more for background work',
    default: '16',
    schema: wholeNumber(1, 1_000),
  }),
  databaseStatementTimeout: variable({
    name: 'SIGHTLINE_DATABASE_STATEMENT_TIMEOUT',
    description: 'Milliseconds after which the database cancels a statement',
    default: '30000',
    schema: wholeNumber(100, 600_000),
  }),
  databaseLockTimeout: variable({
    name: 'SIGHTLINE_DATABASE_LOCK_TIMEOUT',
    description: 'Milliseconds after which a statement stops waiting for a lock and fails',
    default: '10000',
    schema: wholeNumber(100, 600_000),
  }),
};

/** The variables that only the command `sightline migrate` reads. */
export const MIGRATION_VARIABLES = {
  databaseOwnerUrl: variable({
    name: 'SIGHTLINE_DATABASE_OWNER_URL',
    description:
      'URL of the same database with the login of its owner, for example postgres://owner:password@host:5432/sightline?sslmode=verify-full',
    default: null,
    secret: true,
    schema: address(),
  }),
  databaseOwnerUrlFile: variable({
    name: 'SIGHTLINE_DATABASE_OWNER_URL_FILE',
    description: "File that contains the owner's database URL",
    default: null,
    schema: optionalText(),
  }),
};
