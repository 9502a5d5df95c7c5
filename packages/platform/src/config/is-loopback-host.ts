import { isIP } from 'node:net';
import { isLoopback } from '../outgoing/address-rules.ts';
import { withoutBrackets } from '../outgoing/url-endpoint.ts';

/** Whether the host is `localhost` or a loopback address, which only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const literal = withoutBrackets(host);
  return literal === 'localhost' || (isIP(literal) !== 0 && isLoopback(literal));
}
