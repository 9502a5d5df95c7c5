import type { Person, Pose } from './person.ts';
import type { Point } from './shape.ts';

/** Half the width of the ellipsoid that stands for the front of a head, and its depth. */
const HALF_WIDTH = 112;
const DEPTH = 78;

/** A person in a pose, and where a point of the turned head lies on the paper. */
export interface Sitter {
  readonly person: Person;
  readonly pose: Pose;
  /** Begins the ids of this drawing of the person. */
  readonly id: string;
  /** A point of the front of the head, `raised` above its curve: a nose stands out, hair too. */
  readonly at: (x: number, y: number, raised?: number) => Point;
  /** As `at` for many. */
  readonly all: (points: readonly Point[], raised?: number) => Point[];
}

export function seat(person: Person, pose: Pose, id: string): Sitter {
  const angle = (pose.yaw * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (x: number, y: number, raised = 0): Point => {
    const depth = DEPTH * Math.sqrt(Math.max(0, 1 - (x / HALF_WIDTH) ** 2));
    return [x * cos + (depth + raised) * sin, y];
  };
  return {
    ...{ person, pose, id, at },
    all: (points, raised) => points.map(([x, y]) => at(x, y, raised)),
  };
}
