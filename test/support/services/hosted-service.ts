import type { EmbeddedConnection } from '@sightline/embedded-postgres/embedded-postgres';

/** The kinds of services of which a run of tests has one each. */
export type ServiceKind = 'standalone' | 'platform' | 'platform-with-qdrant';

/** The addresses and keys of a service that a host process keeps. */
export interface HostedService {
  /** The URLs of the processes that answer requests. */
  readonly urls: readonly string[];
  readonly opsUrl: string | null;
  /** The first key, an administrator's. */
  readonly apiKey: string;
  /** Settings for the `sightline` command. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /** The connection of the database's owner, to whom row-level security does not apply. */
  readonly owner: EmbeddedConnection;
  /** The file of everything that the service wrote to stdout. */
  readonly logFile: string;
}
