import { BASE, PAGE_MODULES } from './page-modules.ts';

type PagePath = keyof typeof PAGE_MODULES;

/** Returns the path of the route that shows the address; undefined if it needs no more than the first script. */
export function pageOf(pathname: string): PagePath | undefined {
  if (!`${pathname}/`.startsWith(`${BASE}/`)) return undefined;
  const parts = pathname.slice(BASE.length).split('/').filter(Boolean);
  // The start and an environment without a page lead to the overview.
  if (parts.length === 0) return '/$environment/overview';
  const paths = Object.keys(PAGE_MODULES) as PagePath[];
  return paths.find((path) => {
    const pattern = path.slice(1).split('/');
    return (
      pattern.length === parts.length && pattern.every((part, at) => matches(part, parts[at]!))
    );
  });
}

/** Environments have numbers, which tells their addresses from those of pages outside. */
function matches(pattern: string, part: string): boolean {
  if (pattern === '$environment') return /^\d+$/.test(part);
  return pattern.startsWith('$') || pattern === part;
}
