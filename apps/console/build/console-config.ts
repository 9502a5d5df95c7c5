import { resolve } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import type { InlineConfig, Rolldown } from 'vite';
import { endpointsPlugin } from './endpoints-plugin.ts';

/** The languages of the console's texts. React Aria's own texts are included in these alone. */
const LOCALES = ['en-US', 'de-DE'];

const SOURCES = resolve(import.meta.dirname, '../src');
const FRAME = resolve(SOURCES, 'app/environment-layout.tsx');

/** The files of the build, apart from one for each page. Each request takes a turn on the line, so they are few. */
function fileGroups(): Rolldown.CodeSplittingGroup[] {
  let frame: ReadonlySet<string> | undefined;
  return [
    { name: 'first', tags: ['$initial'], priority: 3 },
    {
      debugName: 'frame',
      name: (id, context) => {
        frame ??= importsOf(FRAME, context);
        return frame.has(id) ? 'frame' : null;
      },
      priority: 2,
    },
    { name: 'shared', minShareCount: 3, priority: 1 },
  ];
}

/** Returns the ids of a module and of all modules of the console that it imports, directly or not. */
function importsOf(root: string, context: Rolldown.ChunkingContext): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [root];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    // Rolldown adds what these need of packages, whose modules import far more than is used.
    const imported = context.getModuleInfo(id)?.importedIds ?? [];
    waiting.push(...imported.filter((each) => each.startsWith(SOURCES)));
  }
  return found;
}

/**
 * The configuration of Vite, for builds and for the development server.
 *
 * @param isChecked whether answers are compared with their schemas in the browser
 */
export function consoleConfig(isChecked: boolean): InlineConfig {
  return {
    root: resolve(import.meta.dirname, '..'),
    base: '/console/',
    configFile: false,
    envDir: false,
    logLevel: 'warn',
    plugins: [
      endpointsPlugin(isChecked),
      react(),
      { ...optimizeLocales.vite({ locales: LOCALES }), enforce: 'pre' },
    ],
    build: {
      target: 'baseline-widely-available',
      // The page's policy permits no data URIs and no inline scripts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // A test of the sizes needs the graph of the files.
      manifest: true,
      // The size of each part is checked by a test, after compression.
      chunkSizeWarningLimit: Number.MAX_SAFE_INTEGER,
      reportCompressedSize: false,
      // All style sheets together are smaller than a picture, and pages load in fewer requests.
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: { groups: fileGroups() } } },
    },
  };
}
