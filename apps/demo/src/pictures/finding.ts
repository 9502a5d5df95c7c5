/** Something that was found in a picture, as it is to be shown there. */
export interface Finding {
  readonly kind: 'known' | 'unknown' | 'object';
  readonly text: string;
  /** In pixels of the picture. */
  readonly box: Box;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface FoundFace {
  readonly bbox: Box;
  readonly label: string | null;
  readonly similarity: number | null;
}

interface FoundObject {
  readonly bbox: Box;
  readonly class_name: string;
  readonly confidence: number;
}

/** What the service found, in the order in which it is drawn: faces above objects. */
export function findings(run: {
  readonly faces: readonly FoundFace[];
  readonly objects: readonly FoundObject[];
}): Finding[] {
  const objects = run.objects.map(({ bbox, class_name, confidence }): Finding => {
    return { kind: 'object', text: `${class_name} ${share(confidence)}`, box: bbox };
  });
  const faces = run.faces.map(({ bbox, label, similarity }): Finding => {
    if (label === null) return { kind: 'unknown', text: 'unknown', box: bbox };
    const text = similarity === null ? label : `${label} ${share(similarity)}`;
    return { kind: 'known', text, box: bbox };
  });
  return [...objects, ...faces];
}

/** The same where nobody is enrolled: faces have the number that they have in a list, from 1. */
export function numbered(run: Parameters<typeof findings>[0]): Finding[] {
  const objects = findings({ faces: [], objects: run.objects });
  const faces = run.faces.map(({ bbox }, i): Finding => {
    return { kind: 'known', text: `face ${i + 1}`, box: bbox };
  });
  return [...objects, ...faces];
}

/** A similarity or score with two decimals, never rounded up to a 1 that it is not. */
export function share(value: number): string {
  return (Math.floor(value * 100 + 1e-6) / 100).toFixed(2);
}
