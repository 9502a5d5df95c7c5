import { spawnSync } from 'node:child_process';
import { advisoriesResult, signaturesResult } from './audit-result.ts';

/**
 * Queries the registry for advisories about the packages of the lockfile, and verifies its signatures of the
 * installed packages. The exit code is 1 if something was found, and 2 if a check could not be made.
 */
const results = [
  advisoriesResult(npmReport('audit')),
  signaturesResult(npmReport('audit', 'signatures')),
];
for (const { text } of results) console.log(text);
const outcomes = results.map(({ outcome }) => outcome);
process.exitCode = outcomes.includes('failed') ? 1 : outcomes.includes('unknown') ? 2 : 0;

/** Returns the JSON that npm prints, also if npm exits with an error. */
function npmReport(...words: readonly string[]): object {
  const args = [...words, '--json', '--fetch-retries=0'];
  const { stdout } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  try {
    return JSON.parse(stdout) as object;
  } catch {
    return {};
  }
}
