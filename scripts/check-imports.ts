import { execFileSync } from 'node:child_process';
import { cruise } from './cruise.ts';

/**
 * The least share of the TypeScript files that dependency-cruiser must read. Otherwise the check would pass without a
 * look at any file if dependency-cruiser does not know the version of TypeScript: it then reports zero modules and
 * success.
 */
const LEAST_SHARE = 0.95;

const report = cruise('.', ['apps', 'operator', 'packages', 'test', 'scripts']);

const listed = execFileSync('git', ['ls-files', '*.ts', '-co', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');
const seen = new Set(report.modules.map((module) => module.source));
const missed = listed.filter((path) => !seen.has(path));
const errors = report.summary.violations.filter(({ rule }) => rule.severity === 'error');

for (const { rule, from, to } of errors) console.error(`${rule.name}: ${from} -> ${to}`);
if (missed.length > listed.length * (1 - LEAST_SHARE)) {
  console.error(`dependency-cruiser read too few files; missing: ${missed.join(', ')}`);
  process.exitCode = 1;
}
if (errors.length > 0) process.exitCode = 1;
console.log(
  `import rules: ${listed.length - missed.length} of ${listed.length} files, ${errors.length} violations`,
);
