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
  /** Whether the entry is a workspace, whose folder is `resolved`. */
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
}

type Dependencies = Readonly<Record<string, string>>;

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
  const isIncluded = (path: string) =>
    included.some((each) => path === each || path.startsWith(`${each}/`));
  const links = Object.entries(packages)
    .filter(([, { link = false, resolved = '' }]) => link && isIncluded(resolved))
    .map(([path, { resolved }]) => ({ path, workspace: resolved! }));
  const needed = neededPackages(
    packages,
    links.map(({ workspace }) => workspace),
  );
  return { folders: needed.filter(isOutermost), links };
}

/** The paths of all packages that the workspaces need to run, without other workspaces. */
function neededPackages(packages: Lockfile['packages'], workspaces: readonly string[]): string[] {
  const found = new Set(workspaces);
  for (const path of found) {
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {};
    for (const name of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    })) {
      const needed = resolvePackage(packages, path, name);
      if (needed !== null && packages[needed]!.link !== true) found.add(needed);
    }
  }
  return [...found].filter((path) => path.startsWith('node_modules/')).sort();
}

/** The path of a package as a file in the folder `from` imports it; null if it is not installed. */
function resolvePackage(packages: Lockfile['packages'], from: string, name: string): string | null {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const path = posix.join(folder, 'node_modules', name);
    if (packages[path] !== undefined) return path;
    if (folder === '.') return null;
  }
}

function isOutermost(path: string): boolean {
  return path.lastIndexOf('node_modules/') === 0;
}
