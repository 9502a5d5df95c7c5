import { type ReactNode, useState } from 'react';
import type { PagedOperation, Pages } from '../client/use-pages.ts';
import { Loading } from '../frame/page-state.tsx';
import type { CommandId } from '../keys/commands.ts';
import { useCommands } from '../keys/keyboard-context.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Tiles } from '../tiles/tiles.tsx';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { FaceCrop } from './face-crop.tsx';
import styles from './face-tiles.module.css';

const MESSAGES = defineMessages({
  en: {
    face: (number: string) => `Face ${number}`,
    none: 'Select faces to decide about them.',
    selected: (count: string) => `${count} selected`,
    all: 'Select all',
    nothing: 'Select none',
  },
  de: {
    face: (number: string) => `Gesicht ${number}`,
    none: 'Wählen Sie Gesichter aus, um darüber zu entscheiden.',
    selected: (count: string) => `${count} ausgewählt`,
    all: 'Alle auswählen',
    nothing: 'Auswahl aufheben',
  },
});

export interface Face {
  readonly detection_id: number;
  readonly crop_url: string;
  /** A text below the picture, such as a score. */
  readonly note?: ReactNode;
}

/** Something to do with the selected faces. */
export interface FaceAction {
  readonly id: CommandId;
  readonly text: string;
  readonly look?: ButtonProps['look'];
  /** Whether it is for one face alone. */
  readonly isForOne?: boolean;
  /** Resolves to false if nothing was decided, so that the faces stay selected. */
  readonly run: (detectionIds: readonly number[]) => unknown;
}

export interface FaceTilesProps {
  readonly label: string;
  readonly faces: readonly Face[] | undefined;
  readonly pages: Pick<Pages<PagedOperation>, 'error' | 'hasMore' | 'readMore' | 'retry'>;
  readonly actions: readonly FaceAction[];
  readonly onOpen?: (detectionId: number) => void;
  readonly empty: ReactNode;
}

/** Faces that can be selected, with the actions for those that are. */
export function FaceTiles({ label, faces, pages, actions, onOpen, empty }: FaceTilesProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const ids = (faces ?? []).map(({ detection_id: id }) => id).filter((id) => selected.has(id));
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (faces === undefined) return <Loading />;
  if (faces.length === 0) return empty;
  return (
    <div className={styles.part}>
      <FaceActions
        actions={actions}
        ids={ids}
        onSelectAll={() => setSelected(new Set(faces.map(({ detection_id: id }) => id)))}
        onDone={() => setSelected(new Set())}
      />
      <Tiles
        label={label}
        tiles={faces.map((face, index) => ({
          id: face.detection_id,
          text: texts.face(formats.number(index + 1)),
          content: (
            <>
              <FaceCrop url={face.crop_url} alt="" />
              {face.note !== undefined && <span className={styles.note}>{face.note}</span>}
            </>
          ),
        }))}
        selected={selected}
        onSelect={setSelected}
        onOpen={onOpen}
        more={pages}
      />
    </div>
  );
}

interface FaceActionsProps {
  readonly actions: readonly FaceAction[];
  readonly ids: readonly number[];
  readonly onSelectAll: () => void;
  readonly onDone: () => void;
}

function FaceActions({ actions, ids, onSelectAll, onDone }: FaceActionsProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const [state, setState] = useState<'idle' | 'pending' | Error>('idle');
  const isDisabled = ({ isForOne = false }: FaceAction) =>
    state === 'pending' || ids.length === 0 || (isForOne && ids.length > 1);
  const run = async (action: FaceAction) => {
    setState('pending');
    try {
      if ((await action.run(ids)) !== false) onDone();
      setState('idle');
    } catch (caught) {
      setState(caught as Error);
    }
  };
  useCommands(
    actions.map((action) => ({
      id: action.id,
      label: action.text,
      run: () => void run(action),
      isDisabled: isDisabled(action),
    })),
  );
  return (
    <div className={styles.actions}>
      <span>{ids.length === 0 ? texts.none : texts.selected(formats.number(ids.length))}</span>
      {ids.length === 0 ? (
        <Button onPress={onSelectAll}>{texts.all}</Button>
      ) : (
        <Button onPress={onDone}>{texts.nothing}</Button>
      )}
      {ids.length > 0 &&
        actions.map((action) => (
          <Button
            key={action.id}
            shortcut={action.id}
            isDisabled={isDisabled(action)}
            {...(action.look && { look: action.look })}
            onPress={() => void run(action)}
          >
            {action.text}
          </Button>
        ))}
      {state instanceof Error && <Failure error={state} />}
    </div>
  );
}
