import { createReadStream } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { SourceFailed } from '../source-failed.ts';

/**
 * Reads a file of an installed npm package, whatever its `exports` say.
 *
 * @param base the URL of the module whose dependency the package is
 * @throws SourceFailed if the package or the file is not there
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
