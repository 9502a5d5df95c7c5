import type { EmbeddedConnection } from '@sightline/embedded-postgres/embedded-postgres';

/** The kinds of services. A run of tests has at most one of each. */
export type ServiceKind = 'standalone' | 'platform' | 'platform-with-qdrant';

export interface HostedService {
  /** The URLs of the processes that answer requests. */
  readonly urls: readonly string[];
  readonly opsUrl: string | null;
  /** The first key, which is an administrator's. */
  readonly apiKey: string;
  /** Settings for the `sightline` command. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /** The connection of the database's owner, to whom row-level security does not apply. */
  readonly owner: EmbeddedConnection;
  /** The file with everything that the service has written to stdout. */
  readonly logFile: string;
}
