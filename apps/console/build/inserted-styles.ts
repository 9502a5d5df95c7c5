import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The modules of React Aria that insert a constant style sheet. */
const MODULES = ['interactions/usePress.mjs', 'overlays/usePreventScroll.mjs'];
const STYLE = /style\.textContent = `([^`]*)`\.trim\(\)/g;

/**
 * The hashes of the style sheets that React Aria inserts, for the page's policy.
 *
 * @returns such as `sha256-...`
 * @throws if a module has not exactly one, because another version of React Aria then needs another policy
 */
export function insertedStyleHashes(): string[] {
  return MODULES.map((name) => {
    const text = insertedStyle(name);
    return `sha256-${createHash('sha256').update(text).digest('base64')}`;
  });
}

function insertedStyle(name: string): string {
  const main = createRequire(import.meta.url).resolve('react-aria');
  const source = readFileSync(join(dirname(main), '../private', name), 'utf8');
  const [style, ...others] = [...source.matchAll(STYLE)].map(([, text]) => text!);
  if (style === undefined || others.length > 0) {
    throw new Error(`${name} of React Aria does not insert exactly one style sheet`);
  }
  return style
    .replace(/\$\{(.*?)\}/g, (_, variable: string) => constantOf(source, variable))
    .trim();
}

function constantOf(source: string, variable: string): string {
  const start = source.indexOf(`const ${variable} = '`);
  const value = /^const \S+ = '([^']*)'/.exec(source.slice(Math.max(start, 0)))?.[1];
  if (start < 0 || value === undefined) throw new Error(`${variable} is no constant text`);
  return value;
}
