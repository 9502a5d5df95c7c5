import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import type { StoreSettings } from './store-settings.ts';

/** Where the platform's other parts listen: no places to fetch images from. */
export function ownEndpoints(
  { s3, qdrant }: Pick<StoreSettings, 's3' | 'qdrant'>,
  rest: {
    readonly database: PostgresConnection | null;
    readonly inference: InferenceSettings | null;
  },
): readonly Endpoint[] {
  const { database, inference } = rest;
  const urls = [s3?.endpoint, qdrant?.url, ...(inference?.urls ?? [])];
  return [
    ...urls.filter((url) => url !== undefined).map(endpointOf),
    // Nobody fetches from a Unix socket.
    ...(database === null || database.host.startsWith('/') ? [] : [database]),
  ].map(({ host, port }) => ({ host, port }));
}

function endpointOf({ protocol, hostname, port }: URL): Endpoint {
  const host = hostname.replace(/^\[|\]$/g, '');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}
