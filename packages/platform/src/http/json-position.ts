/** A node in the tree of paths to the texts to find. */
interface PathNode {
  isText: boolean;
  readonly members: Map<string, PathNode>;
  items: PathNode | null;
}

/** An open object or array that may contain a text to find. */
interface Frame {
  readonly node: PathNode;
  readonly isObject: boolean;
  readonly depth: number;
  /** The path of the object or array, followed by a dot; empty for the outermost. */
  readonly prefix: string;
  /** The last string in an object, which is a name if a colon follows. */
  name: string | null;
  /** The name of the object's member whose value comes next. */
  member: string | null;
  index: number;
}

export type StringRole = 'name' | 'text' | 'other';

/**
 * Tracks the position in a JSON document, to find the texts at given paths. Parts that cannot contain such a text are
 * skipped by counting brackets. The results are only meaningful for a well-formed document.
 */
export class JsonPosition {
  readonly #root: PathNode;
  readonly #frames: Frame[] = [];
  #depth = 0;

  /** @param paths the paths of the texts, such as `image`, or `images.*.image` for each object in an array */
  constructor(paths: Iterable<string>) {
    this.#root = parsePaths(paths);
  }

  /** The role of a string that begins at the current position. */
  get role(): StringRole {
    const frame = this.#frame;
    if (frame === undefined) return 'other';
    if (frame.isObject && frame.member === null) return 'name';
    return nodeOf(frame)?.isText === true ? 'text' : 'other';
  }

  /** The path of the next value. Valid only in an object or array that may contain a text to find. */
  get path(): string {
    const { prefix = '', isObject = false, member = '', index = 0 } = this.#frame ?? {};
    return `${prefix}${isObject ? member : index}`;
  }

  enter(container: 'object' | 'array'): void {
    const outer = this.#frame;
    const node = this.#depth === 0 ? this.#root : outer && nodeOf(outer);
    const prefix = outer === undefined ? '' : `${this.path}.`;
    this.#depth += 1;
    if (node === undefined) return;
    const depth = this.#depth;
    const isObject = container === 'object';
    this.#frames.push({ node, isObject, depth, prefix, name: null, member: null, index: 0 });
  }

  leave(): void {
    if (this.#frame !== undefined) this.#frames.pop();
    this.#depth -= 1;
  }

  /**
   * Moves the position over a string that is a name.
   *
   * @param name the decoded name; null if no path contains the name
   */
  named(name: string | null): void {
    const frame = this.#frame;
    if (frame !== undefined) frame.name = name;
  }

  /** Moves the position over a colon. Returns whether the member's value may contain a text to find. */
  beginMember(): boolean {
    const frame = this.#frame;
    if (frame === undefined) return false;
    frame.member = frame.name;
    frame.name = null;
    return nodeOf(frame) !== undefined;
  }

  /** Moves the position over a comma. */
  endItem(): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    frame.member = null;
    frame.index += 1;
  }

  /** The innermost open object or array; undefined if it cannot contain a text to find. */
  get #frame(): Frame | undefined {
    const last = this.#frames.at(-1);
    return last?.depth === this.#depth ? last : undefined;
  }
}

function parsePaths(paths: Iterable<string>): PathNode {
  const root = emptyNode();
  for (const path of paths) {
    let node = root;
    for (const step of path.split('.')) node = stepInto(node, step);
    node.isText = true;
  }
  return root;
}

function stepInto(node: PathNode, step: string): PathNode {
  if (step === '*') return (node.items ??= emptyNode());
  const member = node.members.get(step) ?? emptyNode();
  node.members.set(step, member);
  return member;
}

function emptyNode(): PathNode {
  return { isText: false, members: new Map(), items: null };
}

/** The node of the next value; undefined if the value cannot contain a text to find. */
function nodeOf({ node, isObject, member }: Frame): PathNode | undefined {
  if (!isObject) return node.items ?? undefined;
  return member === null ? undefined : node.members.get(member);
}
