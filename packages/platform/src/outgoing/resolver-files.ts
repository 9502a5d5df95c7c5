import { isIP } from 'node:net';
import type { ResolvedAddress } from './target-guard.ts';

/** The settings of a resolv.conf(5), apart from the name servers, which c-ares reads itself. */
export interface ResolverConfig {
  /** The domains that complete short names. */
  readonly search: readonly string[];
  /** A name with at least this number of dots is looked up as it is before the domains of `search` are appended. */
  readonly ndots: number;
  /** The timeout of one query to one server, in ms. */
  readonly timeoutMs: number;
  /** How often each server is asked. */
  readonly attempts: number;
}

/** The settings of the process that take precedence over the file. */
export interface ResolverOverrides {
  /** The machine's name, whose domain completes short names if the file names no domain. */
  readonly hostname: string;
  /** The variable `LOCALDOMAIN`: domains separated by spaces. */
  readonly localDomain?: string | undefined;
  /** The variable `RES_OPTIONS`: options separated by spaces. */
  readonly options?: string | undefined;
}

const MAX_NDOTS = 15;
const MAX_TIMEOUT_SECONDS = 30;
const MAX_ATTEMPTS = 5;

/** Parses the text of a resolv.conf(5) as glibc does: of several lines with domains, the last one counts. */
export function parseResolverConfig(text: string, overrides: ResolverOverrides): ResolverConfig {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  const domains = lines.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1);
  const [, domain = ''] = /^[^.]*\.(.+)$/.exec(overrides.hostname) ?? [];
  const search = overrides.localDomain?.trim().split(/\s+/) ?? domains ?? [domain];
  const options = lines.filter(([word]) => word === 'options').flat();
  options.push(...(overrides.options?.trim().split(/\s+/) ?? []));
  const numberOf = (name: string, fallback: number, most: number): number => {
    const value = options.findLast((option) => option.startsWith(`${name}:`))?.split(':')[1];
    return /^\d+$/.test(value ?? '') ? Math.min(Number(value), most) : fallback;
  };
  return {
    search: search.map((each) => each.replace(/\.$/, '')).filter((each) => each !== ''),
    ndots: numberOf('ndots', 1, MAX_NDOTS),
    timeoutMs: Math.max(numberOf('timeout', 5, MAX_TIMEOUT_SECONDS), 1) * 1_000,
    attempts: Math.max(numberOf('attempts', 2, MAX_ATTEMPTS), 1),
  };
}

/**
 * The names to look up for a name, in order. A name that ends with a dot is complete; any other name is also looked up
 * in the domains of the search list.
 */
export function candidatesOf(
  name: string,
  { search, ndots }: Pick<ResolverConfig, 'search' | 'ndots'>,
): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = search.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...completed] : [...completed, name];
}

/** The addresses of each lower-case name of a hosts(5) file. */
export function parseHosts(text: string): ReadonlyMap<string, readonly ResolvedAddress[]> {
  const found = new Map<string, Map<string, ResolvedAddress>>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const addresses = found.get(key) ?? new Map<string, ResolvedAddress>();
      found.set(key, addresses.set(address, { address, family }));
    }
  }
  return new Map([...found].map(([name, addresses]) => [name, [...addresses.values()]]));
}
