import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

/** The addresses of the external services, from which the API must not fetch images. */
export function ownEndpoints(
  urls: readonly (URL | undefined)[],
  database: PostgresConnection | null,
): readonly Endpoint[] {
  const endpoints = urls.filter((url) => url !== undefined).map(endpointOf);
  // HTTP requests cannot reach a Unix socket, so it needs no protection.
  if (database === null || database.host.startsWith('/')) return endpoints;
  return [...endpoints, { host: database.host, port: database.port }];
}

function endpointOf({ protocol, hostname, port }: URL): Endpoint {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}
