import { posix } from 'node:path';

export interface FileList {
  /** Paths of files and folders. */
  readonly included: readonly string[];
  /** Patterns of files to leave out, which take precedence. */
  readonly excluded: readonly string[];
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  /** Whether only development needs the package. */
  readonly dev?: boolean;
  /** Whether the entry is a workspace, whose folder is `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
}

export interface ImagePackages {
  /**
   * The folders of packages directly below node_modules. A copy of such a folder includes the packages nested in it.
   */
  readonly folders: readonly string[];
  readonly links: readonly { readonly path: string; readonly workspace: string }[];
}

/** @param text one path per line, or a pattern after !; # begins a comment */
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

/** The npm packages and the workspaces in an image. */
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
