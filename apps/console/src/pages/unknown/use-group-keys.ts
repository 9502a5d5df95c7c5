import { useState } from 'react';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import type { FaceGroup } from './use-groups.ts';

/** The face that the keys act on, by the indexes of its group and of the face in it. */
export interface Place {
  readonly group: number;
  readonly face: number;
}

interface GroupKeysOptions {
  readonly groups: readonly FaceGroup[];
  readonly choose: (group: FaceGroup) => void;
  readonly toggleFace: (id: number) => void;
  readonly name: (group: FaceGroup) => void;
  readonly ignore: (group: FaceGroup) => void;
}

/** The keys of the groups. When a group leaves the list, they act on the one that takes its place. */
export function useGroupKeys({ groups, choose, toggleFace, name, ignore }: GroupKeysOptions) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const [at, setAt] = useState<Place & { readonly id?: string | undefined }>({ group: 0, face: 0 });
  const goTo = (next: Place) => setAt({ ...next, id: groups[next.group]?.cluster_id });
  // A list that is read again may have the chosen group elsewhere.
  const found = groups.findIndex(({ cluster_id: id }) => id === at.id);
  const place = placeWithin(groups, found === -1 ? at : { group: found, face: at.face });
  const group = groups[place.group];
  const run = (act: (group: FaceGroup) => void) => () => {
    if (group !== undefined) act(group);
  };
  const move = (by: Partial<Place>) => () =>
    goTo(
      placeWithin(groups, {
        group: place.group + (by.group ?? 0),
        face: by.group === undefined ? place.face + (by.face ?? 0) : 0,
      }),
    );
  useCommands([
    { id: 'unknown.name', label: texts.name, run: run(name) },
    { id: 'unknown.ignore', label: texts.ignore, run: run(ignore) },
    { id: 'unknown.choose', label: texts.choose, run: run(choose) },
    {
      id: 'unknown.toggle',
      label: texts.takeOut,
      run: run(({ items }) => {
        const face = items[place.face];
        if (face !== undefined) toggleFace(face.detection_id);
      }),
    },
    {
      id: 'unknown.down',
      label: texts.nextGroup,
      run: move({ group: 1 }),
    },
    {
      id: 'unknown.up',
      label: texts.previousGroup,
      run: move({ group: -1 }),
    },
    { id: 'unknown.right', label: texts.nextFace, run: move({ face: 1 }) },
    { id: 'unknown.left', label: texts.previousFace, run: move({ face: -1 }) },
  ]);
  return { place, goTo };
}

function placeWithin(groups: readonly FaceGroup[], { group, face }: Place): Place {
  const inside = clamp(group, groups.length);
  return { group: inside, face: clamp(face, groups[inside]?.items.length ?? 0) };
}

function clamp(index: number, length: number): number {
  return Math.max(Math.min(index, length - 1), 0);
}
