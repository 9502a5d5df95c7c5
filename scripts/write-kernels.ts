import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Compiles the engine's kernels from AssemblyScript to WebAssembly. The module is committed, so that
 * services have no build step. With `--check` it writes nothing, and fails if the module is not what
 * the sources compile to; the compiler's version is exact, because another one may write other bytes.
 */
const FOLDER = 'packages/engine/src/kernels';
const MODULE = `${FOLDER}/kernels.wasm`;

// A process: importing the compiler would declare its types for the whole project.
const COMPILER = resolve(import.meta.dirname, '../node_modules/assemblyscript/bin/asc.js');

const OPTIONS = [
  '--optimizeLevel=3',
  // Not relaxed SIMD, whose results differ between processors.
  '--enable=simd',
  '--noAssert',
  '--runtime=stub',
  '--importMemory',
  '--noExportMemory',
];

async function compile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-kernels-'));
  try {
    const file = join(folder, 'kernels.wasm');
    const { status, stderr } = spawnSync(
      process.execPath,
      [COMPILER, `${FOLDER}/assembly/index.ts`, ...OPTIONS, `--outFile=${file}`],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`The kernels do not compile: ${stderr}`);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const compiled = await compile();
const present = await readFile(MODULE).catch(() => Buffer.alloc(0));
if (!compiled.equals(present)) {
  if (process.argv.includes('--check')) {
    console.error(`${MODULE} is outdated: run \`make generate\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(MODULE, compiled);
  }
}
