/** The texts to find in a value: the value itself, or texts inside it. */
interface Place {
  isText: boolean;
  /** The places in the members of an object, by name. */
  readonly members: Map<string, Place>;
  /** The place in each item of an array. */
  items: Place | null;
}

/** An object or array in which something may be found. */
interface Frame {
  readonly place: Place;
  readonly isObject: boolean;
  readonly depth: number;
  /** The path of the members or items, without their own name or index. */
  readonly prefix: string;
  /** The last string of an object that may be a name. */
  name: string | null;
  /** The name of the member of an object whose value is next. */
  member: string | null;
  /** The index of the next item of an array. */
  index: number;
}

/** The role of the string that begins at a position. */
export type StringRole = 'name' | 'text' | 'other';

/**
 * Follows a JSON document down to the texts to find; everywhere else it only counts the brackets. It expects a
 * well-formed document; for any other its answers are arbitrary.
 */
export class JsonPosition {
  readonly #root: Place;
  readonly #frames: Frame[] = [];
  #depth = 0;

  /** @param paths such as `image`, or `images.*.image` for each object of an array */
  constructor(paths: Iterable<string>) {
    this.#root = placeOf(paths);
  }

  /** The role of a string that would begin here. */
  get role(): StringRole {
    const frame = this.#frame;
    if (frame === undefined) return 'other';
    if (frame.isObject && frame.member === null) return 'name';
    return placeIn(frame)?.isText === true ? 'text' : 'other';
  }

  /** The path of the next value; valid only inside of a container in which something may be found. */
  get path(): string {
    const { prefix = '', isObject = false, member = '', index = 0 } = this.#frame ?? {};
    return `${prefix}${isObject ? member : index}`;
  }

  enter(container: 'object' | 'array'): void {
    const outer = this.#frame;
    const place = this.#depth === 0 ? this.#root : outer && placeIn(outer);
    const prefix = outer === undefined ? '' : `${this.path}.`;
    this.#depth += 1;
    if (place === undefined) return;
    const depth = this.#depth;
    const isObject = container === 'object';
    this.#frames.push({ place, isObject, depth, prefix, name: null, member: null, index: 0 });
  }

  leave(): void {
    if (this.#frame !== undefined) this.#frames.pop();
    this.#depth -= 1;
  }

  /**
   * Passes a string that is a name.
   *
   * @param name the decoded name; null if it cannot be one of those to find
   */
  named(name: string | null): void {
    const frame = this.#frame;
    if (frame !== undefined) frame.name = name;
  }

  /** Passes a colon. Returns whether something may be found in the member that begins. */
  beginMember(): boolean {
    const frame = this.#frame;
    if (frame === undefined) return false;
    frame.member = frame.name;
    frame.name = null;
    return placeIn(frame) !== undefined;
  }

  /** Passes a comma. */
  endItem(): void {
    const frame = this.#frame;
    if (frame === undefined) return;
    frame.member = null;
    frame.index += 1;
  }

  /** The innermost container, if it is one in which something may be found. */
  get #frame(): Frame | undefined {
    const last = this.#frames.at(-1);
    return last?.depth === this.#depth ? last : undefined;
  }
}

function placeOf(paths: Iterable<string>): Place {
  const root = emptyPlace();
  for (const path of paths) {
    let place = root;
    for (const step of path.split('.')) place = stepInto(place, step);
    place.isText = true;
  }
  return root;
}

function stepInto(place: Place, step: string): Place {
  if (step === '*') return (place.items ??= emptyPlace());
  const member = place.members.get(step) ?? emptyPlace();
  place.members.set(step, member);
  return member;
}

function emptyPlace(): Place {
  return { isText: false, members: new Map(), items: null };
}

/** The texts to find in the next value. */
function placeIn({ place, isObject, member }: Frame): Place | undefined {
  if (!isObject) return place.items ?? undefined;
  return member === null ? undefined : place.members.get(member);
}
