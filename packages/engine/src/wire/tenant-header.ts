import { NO_TENANT, type Tenant } from '@sightline/core/analysis/tenant';
import { MalformedMessage } from './wire-errors.ts';

const PATTERN = /^([\w.%-]{0,100})\/([\w.%-]{0,100})$/;

/** The value of the header: environment and caller, percent-encoded. */
export function encodeTenant({ environment, caller }: Tenant): string {
  return `${encodeURIComponent(environment)}/${encodeURIComponent(caller)}`;
}

/**
 * The tenant of a request; without the header that of requests without one.
 *
 * @throws MalformedMessage
 */
export function decodeTenant(value: string | readonly string[] | undefined): Tenant {
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
