import { type BlockList, isIP } from 'node:net';
import type { Environment } from '../config/read-environment.ts';
import { canonicalHost, createBlockList, isNetwork } from './address-rules.ts';
import { FetchFailed } from './outgoing-errors.ts';
import { portOf } from './url-endpoint.ts';

/**
 * The proxies for downloads. The variables are `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, or those in lower case, which
 * take precedence as in curl. HTTP clients read them differently, so every client of a download asks this class.
 */
export class Proxies {
  readonly #environment: Environment;
  readonly #direct: readonly DirectHosts[];
  /** The ranges of `NO_PROXY`, to which only literal addresses belong, because names are not looked up. */
  readonly #directRanges: BlockList;

  constructor(environment: Environment) {
    this.#environment = environment;
    const entries = valueOf(environment, 'NO_PROXY').split(/[,\s]+/);
    this.#direct = entries.flatMap((entry) => directHostsOf(entry) ?? []);
    this.#directRanges = createBlockList(entries.filter(isNetwork));
  }

  /**
   * Returns the URL of the proxy for a URL; null if its host is reached directly. An invalid address of a proxy matters
   * only here, because most processes download nothing.
   *
   * @throws FetchFailed if the address of the proxy is not valid
   */
  for(url: URL): string | null {
    const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const proxy = proxyOf(this.#environment, name);
    if (proxy === null) return null;
    return this.#isDirect(canonicalHost(url.hostname), portOf(url)) ? null : proxy;
  }

  #isDirect(host: string, port: number): boolean {
    const family = isIP(host);
    if (family !== 0 && this.#directRanges.check(host, family === 4 ? 'ipv4' : 'ipv6')) return true;
    return this.#direct.some((each) => includes(each, host, port));
  }
}

/** Returns null without a proxy. */
export function readProxies(environment: Environment): Proxies | null {
  const isSet = (name: string) => valueOf(environment, name) !== '';
  return isSet('HTTP_PROXY') || isSet('HTTPS_PROXY') ? new Proxies(environment) : null;
}

function valueOf(environment: Environment, name: string): string {
  return (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
}

/** The URL of a proxy. Many environments leave out `http://`. The error does not show the value, which may have a password. */
function proxyOf(environment: Environment, name: string): string | null {
  const text = valueOf(environment, name);
  if (text === '') return null;
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '') return url.href;
  throw new FetchFailed('proxy', `${name} has to be the http:// or https:// URL of a proxy`);
}

/** An entry of `NO_PROXY` that is no range. */
interface DirectHosts {
  /** An address, or a name that stands for its subdomains, too; `*` stands for all hosts. */
  readonly host: string;
  /** Null stands for all ports. */
  readonly port: number | null;
}

function directHostsOf(entry: string): DirectHosts | null {
  if (isIP(entry) !== 0) return { host: canonicalHost(entry), port: null };
  const [, host, port = null] = /^(?:\*?\.)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [];
  return host === undefined
    ? null
    : { host: canonicalHost(host), port: port === null ? null : Number(port) };
}

function includes(entry: DirectHosts, host: string, port: number): boolean {
  if (entry.port !== null && entry.port !== port) return false;
  if (entry.host === '*' || entry.host === host) return true;
  return isIP(host) === 0 && host.endsWith(`.${entry.host}`);
}
