import { createReadStream } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { SourceFailed } from '../source-failed.ts';

/**
 * Reads a file of an installed npm package, even if `exports` does not list it.
 *
 * @param base the URL of a module that depends on the package
 * @throws SourceFailed if the package or the file is missing
 */
export async function* readPackageFile(
  { npmPackage, path }: { readonly npmPackage: string; readonly path: string },
  base: string,
): AsyncGenerator<Uint8Array> {
  const manifest = manifestOf(npmPackage, base);
  if (manifest === undefined) throw new SourceFailed('is not installed');
  try {
    for await (const chunk of createReadStream(join(dirname(manifest), path))) {
      yield chunk as Buffer;
    }
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new SourceFailed(`has no readable ${path} (${code})`, { cause: error });
  }
}

function manifestOf(npmPackage: string, base: string): string | undefined {
  try {
    return findPackageJSON(npmPackage, base);
  } catch {
    return undefined;
  }
}
