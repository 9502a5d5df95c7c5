import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ROUTER = resolve(import.meta.dirname, '../../../apps/console/src/app/router.tsx');

/** The searches with which a page is opened beside its plain address: its parts and views. */
const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  '/people': ['?q=no%20such%20person'],
  '/people/$person': ['suggested', 'references', 'mismatches', 'rejected', 'history'].map(
    (tab) => `?tab=${tab}`,
  ),
  '/review': ['?tab=open', '?tab=mismatches', '?view=person'],
  '/unknown': ['?tab=faces'],
  '/try': ['?tab=identify', '?tab=verify'],
};

/** The parts of addresses that name one thing. A page is left out if there is none. */
export type Subjects = Readonly<Partial<Record<string, string | number>>>;

/** Returns the addresses of all pages of an environment, with their parts, as the router has them. */
export async function consoleAddresses(subjects: Subjects): Promise<readonly string[]> {
  const router = await readFile(ROUTER, 'utf8');
  const routes = router.matchAll(/getParentRoute: \(\) => environmentRoute,\s+path: '(\/.+?)'/g);
  return [...routes].flatMap(([, route]) =>
    ['', ...(SEARCHES[route!] ?? [])].flatMap((search) => addressOf(route! + search, subjects)),
  );
}

function addressOf(route: string, subjects: Subjects): readonly string[] {
  const names = [...route.matchAll(/\$(\w+)/g)].map(([, name]) => name!);
  if (names.some((name) => subjects[name] === undefined)) return [];
  return [route.replaceAll(/\$(\w+)/g, (_, name: string) => String(subjects[name]))];
}
