import type { Plugin } from 'vite';
import { ENDPOINTS } from './endpoint-table.ts';

const NAME = 'virtual:endpoints';
/** The mark of modules that only plugins resolve, by Rollup's convention. */
const RESOLVED = `\0${NAME}`;
const CHECKED = '/build/checked-endpoints.ts';

/**
 * Gives the console the table of endpoints as a module, so that no schema reaches the browser.
 *
 * @param isChecked whether each answer is compared with its schema in the browser, as during development and in tests
 */
export function endpointsPlugin(isChecked: boolean): Plugin {
  return {
    name: 'sightline-endpoints',
    resolveId: (id) => (id === NAME ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      if (isChecked) return `export * from '${CHECKED}';\n`;
      return `export const ENDPOINTS = ${JSON.stringify(ENDPOINTS)};\nexport const checkAnswer = () => undefined;\n`;
    },
  };
}
