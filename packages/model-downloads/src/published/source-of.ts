import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SourceFailed } from '../source-failed.ts';
import { BucketSource, type OpenBucketObject } from './bucket-source.ts';
import { FileSource } from './file-source.ts';
import { HttpSource, type HttpSourceDeps } from './http-source.ts';
import type { PublishedSource } from './published-source.ts';

export interface SourceDeps extends HttpSourceDeps {
  /** The URL of a mirror that replaces the servers of all https and http addresses; null if there is none. */
  readonly mirror: string | null;
  /** The only folder from which files may be read; null if no file may be read. */
  readonly filesFolder: string | null;
  /** Opens objects; null if the installation has no S3 server. */
  readonly openObject: OpenBucketObject | null;
}

/**
 * The source for an address.
 *
 * @throws SourceFailed if the form of the address is unknown
 */
export function sourceOf(address: string, deps: SourceDeps): PublishedSource {
  if (isAbsolute(address)) return new FileSource(address, deps.filesFolder);
  const url = URL.parse(address);
  if (url === null) throw unknownForm();
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      if (deps.mirror === null) return new HttpSource(url, deps);
      // A mirror must not receive the credentials for the original server.
      return new HttpSource(mirrored(url, deps.mirror), { ...deps, authorization: undefined });
    case 's3:':
      return new BucketSource(url, deps.openObject);
    case 'file:':
      return new FileSource(pathOf(url), deps.filesFolder);
    default:
      throw unknownForm();
  }
}

function unknownForm(): SourceFailed {
  return new SourceFailed('has an address that does not begin with https, http, s3 or file', {
    reason: 'access_denied',
  });
}

/** The last part of an address as a file name. The caller must check it, because it may be any text. */
export function fileNameOf(address: string): string {
  const path = URL.parse(address)?.pathname ?? address;
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** With the mirror `https://mirror.test/x`, `https://github.com/a/b.zip` becomes `https://mirror.test/x/a/b.zip`. */
function mirrored({ pathname, search }: URL, mirror: string): URL {
  const url = new URL(mirror);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${pathname}`;
  url.search = search;
  return url;
}

function pathOf(url: URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new SourceFailed('has an address that is not a valid local path', {
      cause,
      reason: 'not_found',
    });
  }
}
