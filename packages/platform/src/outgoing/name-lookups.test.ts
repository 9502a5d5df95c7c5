import { beforeEach, expect, test } from '@jest/globals';
import { NameLookups } from './name-lookups.ts';
import type { ResolvedAddress } from './target-guard.ts';

interface Lookup {
  readonly host: string;
  readonly signal: AbortSignal;
  readonly answer: (addresses: readonly ResolvedAddress[]) => void;
}

const FOUND: readonly ResolvedAddress[] = [{ address: '192.0.2.1', family: 4 }];

let lookups: Lookup[];
let names: NameLookups;

beforeEach(() => {
  lookups = [];
  names = new NameLookups((host, signal) => {
    const { promise, resolve } = Promise.withResolvers<readonly ResolvedAddress[]>();
    lookups.push({ host, signal, answer: resolve });
    return promise;
  });
});

function sender(environmentId: number, abort = new AbortController()) {
  return { environmentId, signal: abort.signal };
}

/** A request that opens a connection, and ends with its addresses. */
function request(host: string, environmentId = 1, abort = new AbortController()) {
  const ended = names.during(host, sender(environmentId, abort), () => names.addressesOf(host));
  ended.catch(() => undefined);
  return { ended, abort: () => abort.abort(new Error('too late')) };
}

const hosts = () => lookups.map(({ host }) => host);
const nextTurn = () => new Promise((next) => setImmediate(next));

test('two lookups of an environment wait for an answer, and others take their turns', async () => {
  const all = ['a', 'b', 'c', 'd'].map((host) => request(host));
  await nextTurn();
  expect(hosts()).toEqual(['a', 'b']);
  lookups[1]!.answer(FOUND);
  expect(await all[1]!.ended).toEqual(FOUND);
  await nextTurn();
  expect(hosts()).toEqual(['a', 'b', 'c']);
});

test('a request that ends first cancels its lookup, or leaves the line', async () => {
  const [a, , c] = ['a', 'b', 'c', 'd'].map((host) => request(host));
  c!.abort();
  await expect(c!.ended).rejects.toThrow('too late');
  a!.abort();
  await expect(a!.ended).rejects.toThrow('too late');
  await nextTurn();
  expect(hosts()).toEqual(['a', 'b', 'd']);
  expect(lookups.map(({ signal }) => signal.aborted)).toEqual([true, false, false]);
});

test('lookups of another environment do not wait, even for the same host', async () => {
  for (const host of ['slow', 'slower', 'good']) request(host);
  const other = request('good', 2);
  await nextTurn();
  expect(hosts()).toEqual(['slow', 'slower', 'good']);
  lookups[2]!.answer(FOUND);
  expect(await other.ended).toEqual(FOUND);
});

test('a connection goes on for another request to its host if the request that opened it ends', async () => {
  const shared = Promise.withResolvers<readonly ResolvedAddress[]>();
  const first = names.during('a', sender(1), () => shared.promise);
  const abort = new AbortController();
  const second = names.during('a', sender(2, abort), () => {
    shared.resolve(names.addressesOf('a'));
    return shared.promise;
  });
  abort.abort(new Error('too late'));
  await expect(second).rejects.toThrow('too late');
  await nextTurn();
  expect(lookups.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  lookups[1]!.answer(FOUND);
  expect(await first).toEqual(FOUND);
});

test('a connection that no request needs is not opened', async () => {
  await expect(names.addressesOf('a')).rejects.toThrow('No request needs');
  expect(lookups).toEqual([]);
});
