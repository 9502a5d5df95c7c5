import type { Environment } from '../config/read-environment.ts';
import { StartError } from '../lifecycle/start-error.ts';

/** The proxies for downloads, in the form of the usual environment variables. A proxy may be empty. */
export interface Proxies {
  readonly HTTP_PROXY: string;
  readonly HTTPS_PROXY: string;
  /** The hosts that are reached without a proxy: names, which stand for their subdomains, too, or addresses. */
  readonly NO_PROXY: string;
}

/**
 * Reads the proxies from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or from the variables in lower case, which take
 * precedence as in curl. Returns null without a proxy.
 *
 * @throws StartError if the address of a proxy is not valid
 */
export function readProxies(environment: Environment): Proxies | null {
  const valueOf = (name: string) =>
    (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  const [HTTP_PROXY, HTTPS_PROXY] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) =>
    proxyOf(name, valueOf(name)),
  ) as [string, string];
  if (HTTP_PROXY === '' && HTTPS_PROXY === '') return null;
  return { HTTP_PROXY, HTTPS_PROXY, NO_PROXY: valueOf('NO_PROXY') };
}

/** The URL of a proxy. Many environments leave out `http://`. The error does not show the value, which may have a password. */
function proxyOf(name: string, text: string): string {
  if (text === '') return '';
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return url.href;
  throw new StartError(`${name} has to be the http:// or https:// URL of a proxy.`);
}
