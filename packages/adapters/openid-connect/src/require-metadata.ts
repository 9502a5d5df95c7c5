import { isLoopbackHost } from '@sightline/platform/config/is-loopback-host';
import type { ServerMetadata } from 'openid-client';

class MetadataIncomplete extends Error {
  readonly code = 'METADATA_INCOMPLETE';
}

/**
 * Makes sure that the metadata of a provider names the endpoints of sign-ins, which the library finds out only when it
 * needs them. Browsers are sent to one of them, so it may be no script.
 *
 * @throws MetadataIncomplete
 */
export function requireMetadata(metadata: Readonly<ServerMetadata>): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata;
  const endpoints: unknown[] = [authorization_endpoint, token_endpoint, jwks_uri];
  if (userinfo_endpoint !== undefined) endpoints.push(userinfo_endpoint);
  if (endpoints.every(isEndpoint)) return;
  throw new MetadataIncomplete('The metadata of the provider lacks an endpoint.');
}

/** Whether this is an address that an issuer may have, too: https, or http on this machine. */
function isEndpoint(value: unknown): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}
