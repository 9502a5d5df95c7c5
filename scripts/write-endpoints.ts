import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { writeComputed } from './write-computed.ts';

/**
 * Writes the lists of all contracts and of all routes from the files in these folders, sorted by operation. A
 * contract is `<feature>/<operation>-contract.ts`. A route is `<feature>/<operation>.ts` and exports
 * `<operation>Route`; its test is `<operation>.test.ts` or `<feature>.test.ts` in the same folder. With
 * `--check` the script writes nothing, and fails if a list is outdated.
 */
const CONTRACTS = 'packages/contracts/src';
const ROUTES = 'apps/api/src/routes';

interface Endpoint {
  /** The name in code, such as `labelDetection`. */
  readonly operation: string;
  /** The path, such as `detections/label-detection-contract.ts` or `detections/label-detection.ts`. */
  readonly path: string;
}

const FIRST_LINE =
  '// Written by scripts/write-endpoints.ts from the files that it imports: run `make generate`.';

async function contracts(): Promise<Endpoint[]> {
  const paths = await Array.fromAsync(glob('*/*-contract.ts', { cwd: CONTRACTS }));
  return sorted(paths.map((path) => ({ operation: nameOf(path, '-contract.ts'), path })));
}

async function routes(): Promise<Endpoint[]> {
  const paths = await Array.fromAsync(glob('*/*.ts', { cwd: ROUTES }));
  const files = await Promise.all(
    paths.map(async (path) => ({
      operation: nameOf(path, '.ts'),
      path,
      text: await readFile(`${ROUTES}/${path}`, 'utf8'),
    })),
  );
  return sorted(
    files.filter(({ operation, text }) => text.includes(`export const ${operation}Route `)),
  );
}

function nameOf(path: string, ending: string): string {
  return basename(path, ending).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function sorted(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
}

function contractList(endpoints: readonly Endpoint[]): string {
  return `${FIRST_LINE}
import type { RouteContract } from './define-contract.ts';
${endpoints.map(({ operation, path }) => `import { ${operation}Contract } from './${path}';`).join('\n')}

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
${endpoints.map(({ operation }) => `${operation}: ${operation}Contract,`).join('\n')}
} as const satisfies Record<string, RouteContract>;
`;
}

function routeList(endpoints: readonly Endpoint[]): string {
  return `${FIRST_LINE}
import type { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RoutesOf } from './http/define-route.ts';
${endpoints.map(({ operation, path }) => `import { ${operation}Route } from './routes/${path}';`).join('\n')}

/** Every endpoint of the API: each contract with its handler. */
export const ROUTES = {
${endpoints.map(({ operation }) => `${operation}: ${operation}Route,`).join('\n')}
} satisfies RoutesOf<typeof API_CONTRACTS>;
`;
}

/** The reasons why an endpoint's files cannot be found by its name, one sentence each. */
function misplaced(contractFiles: readonly Endpoint[], routeFiles: readonly Endpoint[]): string[] {
  const folders = new Map(contractFiles.map(({ operation, path }) => [operation, dirname(path)]));
  return routeFiles.flatMap(({ operation, path }) => {
    const feature = dirname(path);
    const contractFolder = folders.get(operation) ?? feature;
    const tests = [path.replace(/\.ts$/, '.test.ts'), `${feature}/${feature}.test.ts`];
    return [
      ...(contractFolder === feature ? [] : [`${ROUTES}/${path} belongs in ${contractFolder}/.`]),
      ...(tests.some((test) => existsSync(`${ROUTES}/${test}`))
        ? []
        : [`${ROUTES}/${path} has no test: ${tests.join(' or ')}.`]),
    ];
  });
}

const contractFiles = await contracts();
const routeFiles = await routes();
for (const sentence of misplaced(contractFiles, routeFiles)) {
  console.error(sentence);
  process.exitCode = 1;
}
await writeComputed(
  new Map([
    [`${CONTRACTS}/api-contracts.ts`, contractList(contractFiles)],
    [dirname(ROUTES) + '/routes.ts', routeList(routeFiles)],
  ]),
);
