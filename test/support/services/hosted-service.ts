import type { EmbeddedConnection } from '@sightline/embedded-postgres/embedded-postgres';

/** What a run of tests can have one of. */
export type ServiceKind = 'standalone' | 'platform' | 'platform-with-qdrant';

/** How other processes reach a service that a host keeps. */
export interface HostedService {
  /** Of the processes that answer. */
  readonly urls: readonly string[];
  readonly opsUrl: string | null;
  /** The first key, an administrator's. */
  readonly apiKey: string;
  /** Settings for the `sightline` command. */
  readonly commandEnvironment: Readonly<Record<string, string>>;
  /** How the owner of its database connects, whom row-level security does not hold back. */
  readonly owner: EmbeddedConnection;
  /** Everything that was written to stdout, a line each. */
  readonly logFile: string;
}
