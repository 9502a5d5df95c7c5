import { BRACE, BRACKET, CLOSING_BRACE, CLOSING_BRACKET, COLON, COMMA } from './json-tokens.ts';

/** A node in the tree of paths to the texts to find. */
interface PathNode {
  isText: boolean;
  readonly members: Map<string, PathNode>;
  items: PathNode | null;
}

/** An open object or array that may contain a text to find. */
interface Frame {
  node: PathNode;
  isObject: boolean;
  /** Whether the next string in an object is a name. */
  awaitsName: boolean;
  /** The node of the next value; undefined if that value cannot contain a text to find. */
  next: PathNode | undefined;
}

export type StringRole = 'name' | 'text' | 'other';

/**
 * Tracks the position in a JSON document, to find the texts at given paths. Parts that cannot contain such a text are
 * skipped by counting brackets. The results are only meaningful for a well-formed document.
 */
export class JsonPosition {
  readonly #root: PathNode;
  /** The frames by their level. A frame is used again for the next object or array on its level. */
  readonly #frames: Frame[] = [];
  /** The number of open objects and arrays that may contain a text to find, from the outermost. */
  #level = 0;
  /** The number of open objects and arrays. */
  #depth = 0;
  #values = 1;

  /** @param paths the paths of the texts, such as `image`, or `images.*.image` for each object in an array */
  constructor(paths: Iterable<string>) {
    this.#root = parsePaths(paths);
  }

  /** The number of values so far, by the commas and opening brackets. */
  get values(): number {
    return this.#values;
  }

  /** The role of a string that begins at the current position. */
  get role(): StringRole {
    const frame = this.#frame;
    if (frame === undefined) return 'other';
    if (frame.awaitsName) return 'name';
    return frame.next?.isText === true ? 'text' : 'other';
  }

  /** Moves the position over a byte outside of strings. */
  read(byte: number): void {
    switch (byte) {
      case BRACE:
        this.#enter(true);
        break;
      case BRACKET:
        this.#enter(false);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        this.#leave();
        break;
      case COMMA:
        this.#endItem();
        break;
      case COLON:
        this.#beginMember();
        break;
    }
  }

  /**
   * Moves the position over a string that is a name.
   *
   * @param name the decoded name; null if no path contains the name
   */
  named(name: string | null): void {
    const frame = this.#frame;
    if (frame !== undefined) frame.next = name === null ? undefined : frame.node.members.get(name);
  }

  #enter(isObject: boolean): void {
    const node = this.#depth === 0 ? this.#root : this.#frame?.next;
    this.#depth += 1;
    this.#values += 1;
    if (node === undefined || this.#level !== this.#depth - 1) return;
    if (isObject ? node.members.size === 0 : node.items === null) return;
    const frame = (this.#frames[this.#level] ??= emptyFrame(node));
    this.#level += 1;
    frame.node = node;
    frame.isObject = isObject;
    frame.awaitsName = isObject;
    frame.next = isObject ? undefined : (node.items ?? undefined);
  }

  #leave(): void {
    if (this.#frame !== undefined) this.#level -= 1;
    this.#depth -= 1;
  }

  #beginMember(): void {
    const frame = this.#frame;
    if (frame !== undefined) frame.awaitsName = false;
  }

  #endItem(): void {
    this.#values += 1;
    const frame = this.#frame;
    if (frame?.isObject !== true) return;
    frame.awaitsName = true;
    frame.next = undefined;
  }

  /** The innermost open object or array; undefined if it cannot contain a text to find. */
  get #frame(): Frame | undefined {
    return this.#depth === this.#level && this.#level > 0
      ? this.#frames[this.#level - 1]
      : undefined;
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

function emptyFrame(node: PathNode): Frame {
  return { node, isObject: false, awaitsName: false, next: undefined };
}
