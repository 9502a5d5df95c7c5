import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

export interface CruiseReport {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string; readonly severity: string };
    }[];
  };
}

const CRUISER = resolve(
  import.meta.dirname,
  '../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
);

/**
 * Runs dependency-cruiser with the rules in the root of a tree.
 *
 * @throws Error with its stderr if it prints no report
 */
export function cruise(root: string, folders: readonly string[]): CruiseReport {
  const run = spawnSync(
    process.execPath,
    [CRUISER, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
    { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  if (run.stdout === '') throw new Error(`dependency-cruiser printed nothing: ${run.stderr}`);
  return JSON.parse(run.stdout) as CruiseReport;
}
