/*
 * Writes the tables' part of a new migration: the SQL that leads from the schema of a commit (HEAD if none is
 * given) to that of the working tree.
 *
 *     npm run generate-migration --workspace=@sightline/postgres -- NAME [COMMIT]
 *
 * By default drizzle-kit compares with a stored snapshot of the schema, 4,000 lines of JSON per migration. Git
 * has the previous schema as well, so this script computes the snapshot from there.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';

const ROOT = resolve(import.meta.dirname, '../../..');
const MIGRATIONS = join(import.meta.dirname, 'migrations');
const BEFORE = join(ROOT, '.cache/schema-before');
const SCHEMA = 'packages/adapters/postgres/src/schema';

const [name, commit = 'HEAD'] = process.argv.slice(2);
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  throw new Error(
    'Usage: generate-migration NAME [COMMIT]; the name has lowercase words and dashes.',
  );
}
checkOut(commit);
const statements = await generateMigration(await snapshotOf(BEFORE), await snapshotOf(ROOT));
rmSync(BEFORE, { recursive: true });
if (statements.length === 0)
  throw new Error(`The schema has not changed since ${commit}, so no migration is needed.`);
const number = String(readdirSync(MIGRATIONS).length).padStart(4, '0');
const folder = join(MIGRATIONS, `${number}_${name}`);
mkdirSync(folder);
writeFileSync(join(folder, '01_tables.sql'), `${statements.join('\n')}\n`);
console.log(`Written: ${folder}`);

/** Copies the packages of a commit into a folder, in which they can import each other and the installed modules. */
function checkOut(revision: string): void {
  rmSync(BEFORE, { recursive: true, force: true });
  const links = 'node_modules/@sightline';
  cpSync(join(ROOT, links), join(BEFORE, links), { recursive: true, verbatimSymlinks: true });
  const archive = execFileSync('git', ['-C', ROOT, 'archive', revision, 'packages'], {
    maxBuffer: Infinity,
  });
  execFileSync('tar', ['-x', '-C', BEFORE], { input: archive });
}

async function snapshotOf(root: string): Promise<ReturnType<typeof generateDrizzleJson>> {
  const schema = join(root, SCHEMA);
  const modules = await Promise.all(
    readdirSync(schema).map(async (file) => (await import(join(schema, file))) as object),
  );
  return generateDrizzleJson(Object.assign({}, ...modules) as Record<string, unknown>);
}
