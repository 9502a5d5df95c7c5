import { promises as dns } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../config/read-environment.ts';
import { errorCode } from '../errors/error-codes.ts';
import { candidatesOf, parseHosts, parseResolverConfig } from './resolver-files.ts';
import type { Resolve, ResolvedAddress } from './target-guard.ts';

export interface NameSources {
  /** The path of a hosts(5) file. */
  readonly hosts?: string;
  /** The path of a resolv.conf(5). */
  readonly resolvConf?: string;
  /** The name servers. If absent, c-ares reads them from the system's resolv.conf. */
  readonly servers?: readonly string[];
}

/** The errors after which a name is looked up in the next domain of the search list, as in glibc. */
const TRY_NEXT = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL']);
/**
 * How long to wait for addresses of the other family once one family has answered, in ms. Some name servers never
 * answer one of the two queries.
 */
const OTHER_FAMILY_MS = 500;

/**
 * Creates a resolver that can be cancelled and uses no thread, unlike `dns.lookup`: the system's `getaddrinfo` occupies
 * one of libuv's few threads until it returns. Like `getaddrinfo`, the resolver applies the hosts file and the search
 * list. It does not use other sources of the name service switch, such as multicast DNS.
 */
export function createNameResolver({
  hosts = '/etc/hosts',
  resolvConf = '/etc/resolv.conf',
  servers,
}: NameSources = {}): Resolve {
  const readHosts = parsedFile(hosts, parseHosts);
  const { LOCALDOMAIN: localDomain, RES_OPTIONS: options } = readEnvironment();
  const readConfig = parsedFile(resolvConf, (text) =>
    parseResolverConfig(text, { hostname: hostname(), localDomain, options }),
  );
  return async (name, signal) => {
    signal.throwIfAborted();
    const found = (await readHosts()).get(name.toLowerCase());
    if (found !== undefined) return found;
    const config = await readConfig();
    signal.throwIfAborted();
    // A new resolver reads the current name servers, and cancels nothing but this lookup.
    const resolver = new dns.Resolver({
      timeout: config.timeoutMs,
      maxTimeout: config.timeoutMs,
      tries: config.attempts,
    });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await firstFound(resolver, candidatesOf(name, config));
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      cancel();
    }
  };
}

async function firstFound(
  resolver: dns.Resolver,
  names: readonly string[],
): Promise<readonly ResolvedAddress[]> {
  let last: unknown;
  for (const name of names) {
    try {
      return await addressesOf(resolver, name);
    } catch (error) {
      last = error;
      if (!mayTryNext(error)) break;
    }
  }
  throw last;
}

/** Asks for the addresses of both families. @throws the error of a query if neither has an address */
async function addressesOf(
  resolver: dns.Resolver,
  name: string,
): Promise<readonly ResolvedAddress[]> {
  const found: ResolvedAddress[] = [];
  const collect = async (family: 4 | 6, addresses: Promise<readonly string[]>): Promise<void> => {
    for (const address of await addresses) found.push({ address, family });
  };
  const queries = [collect(4, resolver.resolve4(name)), collect(6, resolver.resolve6(name))];
  const all = new AbortController();
  void Promise.allSettled(queries).then(() => all.abort());
  try {
    await Promise.any(queries);
  } catch (error) {
    const { errors } = error as AggregateError;
    throw errors.find((each) => !mayTryNext(each)) ?? errors[0];
  }
  await sleep(OTHER_FAMILY_MS, undefined, { signal: all.signal }).catch(() => undefined);
  return found.toSorted((a, b) => a.family - b.family);
}

function mayTryNext(error: unknown): boolean {
  return TRY_NEXT.has(errorCode(error));
}

/** Returns a function that parses a file again only after the file has changed. A missing file counts as empty. */
function parsedFile<T>(path: string, parse: (text: string) => T): () => Promise<T> {
  let last: { readonly version: string; readonly parsed: T } | null = null;
  return async () => {
    const { ino, size, mtimeMs } = await stat(path).catch(() => MISSING);
    const version = `${ino} ${size} ${mtimeMs}`;
    if (last?.version !== version) {
      last = { version, parsed: parse(await readFile(path, 'utf8').catch(() => '')) };
    }
    return last.parsed;
  };
}

const MISSING = { ino: 0, size: 0, mtimeMs: 0 };
