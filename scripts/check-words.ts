import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import { findings } from './words/findings.ts';
import { proseOf } from './words/prose.ts';

/** A list of the folders and files whose wording is checked if the command names none, one per line. */
const PLAIN = 'scripts/words/plain.txt';

/**
 * The files that are not checked: those rendered from the charts' templates, and a test with deliberate violations.
 */
const EXEMPT = /^(test\/charts\/rendered\/|scripts\/words\/findings\.test\.ts$)/;

const asked = process.argv.slice(2);
const folders = asked.length > 0 ? asked : readFileSync(PLAIN, 'utf8').trim().split('\n');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--', ...folders], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !EXEMPT.test(path))
  .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isFile());

let faults = 0;
for (const path of files) {
  for (const part of proseOf(path, readFileSync(path, 'utf8'))) {
    for (const fault of findings(part)) {
      faults += 1;
      console.error(`${path}:${part.line} ${fault}\n    ${part.text.slice(0, 120)}`);
    }
  }
}
console.log(`words: ${files.length} files, ${faults} faults`);
if (faults > 0) process.exitCode = 1;
