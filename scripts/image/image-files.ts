import { posix } from 'node:path';

/** The files of the repository in an image, as paths with slashes. */
export interface FileList {
  /** Files and folders. */
  readonly included: readonly string[];
  /** Patterns, which count more. */
  readonly excluded: readonly string[];
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  /** For development alone. */
  readonly dev?: boolean;
  /** A workspace, at `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
}

export interface ImagePackages {
  /** Folders below node_modules, without those within others. */
  readonly folders: readonly string[];
  readonly links: readonly { readonly path: string; readonly workspace: string }[];
}

/** @param text a path or, with !, a pattern in each line; # begins a comment */
export function parseFileList(text: string): FileList {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return {
    included: lines.filter((line) => !line.startsWith('!')),
    excluded: lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)),
  };
}

export function isExcluded(path: string, { excluded }: FileList): boolean {
  return excluded.some((pattern) => posix.matchesGlob(path, pattern));
}

/** The packages of npm that an image has, and its workspaces. */
export function imagePackages({ packages }: Lockfile, { included }: FileList): ImagePackages {
  const locked = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));
  const isIncluded = (path: string) =>
    included.some((each) => path === each || path.startsWith(`${each}/`));
  return {
    folders: locked
      .filter(([path, { dev = false, link = false }]) => !dev && !link && isOutermost(path))
      .map(([path]) => path),
    links: locked
      .filter(([, { link = false, resolved = '' }]) => link && isIncluded(resolved))
      .map(([path, { resolved }]) => ({ path, workspace: resolved! })),
  };
}

function isOutermost(path: string): boolean {
  return path.lastIndexOf('node_modules/') === 0;
}
