import { isIP } from 'node:net';
import { isLoopback } from '../outgoing/address-rules.ts';

/** Whether the host is `localhost` or a loopback address, which only this machine can reach. */
export function isLoopbackHost(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  return literal === 'localhost' || (isIP(literal) !== 0 && isLoopback(literal));
}
