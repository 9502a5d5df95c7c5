/** A face or an object in a picture, with the text that is drawn at its box. */
export interface Finding {
  readonly kind: 'known' | 'unknown' | 'object';
  readonly text: string;
  /** The box in pixels of the picture. */
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
  readonly class_name: string | null;
  readonly confidence: number;
}

/** Converts the service's detections to findings. Objects come first, so that faces are drawn over objects. */
export function findings(run: {
  readonly faces: readonly FoundFace[];
  readonly objects: readonly FoundObject[];
}): Finding[] {
  const objects = run.objects.map(({ bbox, class_name, confidence }): Finding => {
    return {
      kind: 'object',
      text: `${class_name ?? 'object'} ${formatScore(confidence)}`,
      box: bbox,
    };
  });
  const faces = run.faces.map(({ bbox, label, similarity }): Finding => {
    if (label === null) return { kind: 'unknown', text: 'unknown', box: bbox };
    const text = similarity === null ? label : `${label} ${formatScore(similarity)}`;
    return { kind: 'known', text, box: bbox };
  });
  return [...objects, ...faces];
}

/** Like `findings`, but the text of a face is its number in the response, counted from 1, instead of a name. */
export function numbered(run: Parameters<typeof findings>[0]): Finding[] {
  const objects = findings({ faces: [], objects: run.objects });
  const faces = run.faces.map(({ bbox }, i): Finding => {
    return { kind: 'known', text: `face ${i + 1}`, box: bbox };
  });
  return [...objects, ...faces];
}

/** A similarity or score with two decimals, rounded down so that 0.999 does not become 1.00. */
export function formatScore(value: number): string {
  return (Math.floor(value * 100 + 1e-6) / 100).toFixed(2);
}
