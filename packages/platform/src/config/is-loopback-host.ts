import { isIP } from 'node:net';
import { isLoopback } from '../outgoing/address-rules.ts';

/** Whether only this machine can reach the host: `localhost`, or an address of the loopback. */
export function isLoopbackHost(host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1');
  return literal === 'localhost' || (isIP(literal) !== 0 && isLoopback(literal));
}
