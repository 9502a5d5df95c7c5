export interface UltralyticsMetadata {
  /**
   * `detect`, `segment`, `pose`, `obb` or `classify`; null for YOLOv5, which does not write a task.
   */
  readonly task: string | null;
  readonly description: string;
  readonly classes: readonly string[] | null;
  /**
   * The height and width of the training images in pixels. They are the input size if the graph's
   * size is dynamic.
   */
  readonly imageSize: readonly [height: number, width: number] | null;
  /** Whether the graph applies non-maximum suppression itself. */
  readonly endToEnd: boolean;
}

export function readUltralyticsMetadata(
  metadata: ReadonlyMap<string, string>,
): UltralyticsMetadata | null {
  const names = metadata.get('names');
  if (names === undefined || !metadata.has('stride')) return null;
  const args = metadata.get('args') ?? '';
  return {
    task: metadata.get('task') ?? null,
    description: metadata.get('description') ?? '',
    classes: parseNames(names),
    imageSize: parseSize(metadata.get('imgsz') ?? ''),
    endToEnd: metadata.get('end2end') === 'True' || args.includes("'nms': True"),
  };
}

/** Matches a string in either kind of quotes, with an optional key, up to the next entry. */
const ENTRY = /\s*(?:(\d+)\s*:\s*)?(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(?:,|$)/gy;

/**
 * Parses a list or dictionary of strings as Python prints it: `{0: 'person', 1: "dog's bed"}`.
 * Returns null for any other text, or if the keys are not 0, 1, 2, ...
 */
function parseNames(text: string): string[] | null {
  const body = /^\s*(?:\{(.*)\}|\[(.*)\])\s*$/s.exec(text);
  const list = body?.[1] ?? body?.[2] ?? '';
  const entries = [...list.matchAll(ENTRY)];
  const whole = entries.map(([entry]) => entry).join('') === list;
  const inOrder = entries.every(([, key], index) => key === undefined || Number(key) === index);
  if (entries.length === 0 || !whole || !inOrder) return null;
  return entries.map(([, , single, double]) => (single ?? double!).replaceAll(/\\(.)/g, '$1'));
}

function parseSize(text: string): [number, number] | null {
  const match = /^\[(\d+), (\d+)\]$/.exec(text);
  return match === null ? null : [Number(match[1]), Number(match[2])];
}
