import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import { portOf, withoutBrackets } from '@sightline/platform/outgoing/url-endpoint';
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

function endpointOf(url: URL): Endpoint {
  return { host: withoutBrackets(url.hostname), port: portOf(url) };
}
