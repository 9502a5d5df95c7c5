import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Compiles the kernels of each package from AssemblyScript to WebAssembly. The modules are committed, so
 * services need no build step. With `--check` the script writes nothing, and fails if a module differs from
 * its compiled sources. The compiler's version is pinned, because another version may write other bytes.
 */
const FOLDERS = globSync('packages/{*,adapters/*}/src/{kernels,*/kernels}');

// Starts the compiler as a process, because an import of it would add its global types to the whole project.
const COMPILER = resolve(import.meta.dirname, '../node_modules/assemblyscript/bin/asc.js');

const OPTIONS = [
  '--optimizeLevel=3',
  // Relaxed SIMD stays off, because its results differ between processors.
  '--enable=simd',
  '--noAssert',
  '--runtime=stub',
  '--importMemory',
  '--noExportMemory',
];

async function compile(kernels: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-kernels-'));
  try {
    const file = join(folder, 'kernels.wasm');
    const { status, stderr } = spawnSync(
      process.execPath,
      [COMPILER, `${kernels}/assembly/index.ts`, ...OPTIONS, `--outFile=${file}`],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`${kernels} does not compile: ${stderr}`);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const folder of FOLDERS) {
  const path = `${folder}/kernels.wasm`;
  const compiled = await compile(folder);
  const present = await readFile(path).catch(() => Buffer.alloc(0));
  if (compiled.equals(present)) continue;
  if (process.argv.includes('--check')) {
    console.error(`${path} is outdated: run \`make generate\`.`);
    process.exitCode = 1;
  } else {
    await writeFile(path, compiled);
  }
}
