import { NO_TENANT, type Tenant } from '@sightline/core/analysis/tenant';
import { LANE_HEADER, TENANT_HEADER } from './preamble.ts';
import { MalformedMessage } from './wire-errors.ts';

const PATTERN = /^([\w.%-]{0,100})\/([\w.%-]{0,100})$/;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Encodes a tenant as headers: environment and caller, percent-encoded, and the lane if the tenant
 * has one.
 */
export function encodeTenant({ environment, caller, lane }: Tenant): Record<string, string> {
  return {
    [TENANT_HEADER]: `${encodeURIComponent(environment)}/${encodeURIComponent(caller)}`,
    ...(lane && { [LANE_HEADER]: lane }),
  };
}

/**
 * Decodes the tenant of a request. Requests without the tenant header share the tenant {@link NO_TENANT}. Processes
 * of older releases send no lane, and processes of newer releases may send an unknown lane. A missing or unknown lane
 * counts as interactive.
 *
 * @throws MalformedMessage
 */
export function decodeTenant(headers: Headers): Tenant {
  const names = decodeNames(headers[TENANT_HEADER]);
  return headers[LANE_HEADER] === 'background' ? { ...names, lane: 'background' } : names;
}

function decodeNames(value: string | readonly string[] | undefined): Tenant {
  if (value === undefined) return NO_TENANT;
  const match = typeof value === 'string' ? PATTERN.exec(value) : null;
  if (match === null) throw malformed();
  const [, environment, caller] = match;
  try {
    return {
      environment: decodeURIComponent(environment!),
      caller: decodeURIComponent(caller!),
    };
  } catch {
    throw malformed();
  }
}

function malformed(): MalformedMessage {
  return new MalformedMessage('The tenant of the request is malformed.');
}
