import { resolve } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { endpointsPlugin } from './endpoints-plugin.ts';

/** The languages of the console's texts. React Aria's own texts are included in these alone. */
const LOCALES = ['en-US', 'de-DE'];

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
    },
  };
}
