import { isIP } from 'node:net';
import { isLoopback } from '../outgoing/address-rules.ts';

/** Whether a host is reached from this machine alone: `localhost`, or an address of the loopback. */
export function isLoopbackHost(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  return literal === 'localhost' || (isIP(literal) !== 0 && isLoopback(literal));
}
