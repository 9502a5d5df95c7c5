import { describe, expect, test } from '@jest/globals';
import type { RouteContract } from '@sightline/contracts/define-contract';
import type { ApiContext } from './context/api-context.ts';
import { createRouter } from './http/create-router.ts';
import { ROUTES } from './routes.ts';

// The router does not use the context before the first request.
const router = createRouter(Object.values(ROUTES), {} as ApiContext);
const contracts: readonly RouteContract[] = Object.values(ROUTES).map(({ contract }) => contract);

/** A layer of express with the method that its types omit. */
type Layer = (typeof router.stack)[number] & { match(path: string): boolean };

function answering(path: string) {
  const { route } = (router.stack as Layer[]).find((layer) => layer.match(path))!;
  const methods = route!.stack.map(({ method }) => method);
  return { path: route!.path.replace(/:(\w+)/g, '{$1}'), methods };
}

/** A path of a request that matches the pattern. The parameters have a value that no fixed segment has. */
function sampleOf(path: string): string {
  return path.replace(/\{\w+\}/g, '1');
}

describe('of all routes', () => {
  test.each(contracts.map(({ method, path }) => [method, path] as const))(
    '%s %s is shadowed by no other',
    (method, path) => {
      const found = answering(sampleOf(path));
      expect(found.path).toBe(path);
      expect(found.methods).toContain(method.toLowerCase());
    },
  );

  const paths = [...new Set(contracts.map(({ path }) => path))];

  test.each(paths)('%s is a request of no other, as its parameters cannot be that', (path) => {
    const others = contracts.filter((contract) => contract.path !== path);
    const taking = others.filter(({ path: pattern, request }) => {
      const values = parametersIn(sampleOf(path), pattern);
      return values !== null && request.path!.safeParse(values).success;
    });
    expect(taking.map((contract) => contract.path)).toEqual([]);
  });
});

/** The parameters in a path that matches the pattern; null if the path does not match. */
function parametersIn(path: string, pattern: string): Record<string, string> | null {
  const source = pattern.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`).exec(path)?.groups ?? null;
}
