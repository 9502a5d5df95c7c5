import { type ReactNode, useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { usePages } from '../../client/use-pages.ts';
import { type FaceAction, FaceTiles } from '../../faces/face-tiles.tsx';
import { Empty } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker, type PickedIdentity } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PERSON_MESSAGES } from './person-messages.ts';
import styles from './person.module.css';
import { useFaceDecisions } from './use-face-decisions.ts';

export interface PersonTabProps {
  readonly person: number;
  readonly onOpenImage?: ((image: number) => void) | undefined;
}

/** The action that moves faces to another person, and its dialog. */
function useMoveAction(person: number): {
  readonly action: FaceAction;
  readonly dialog: ReactNode;
} {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const [asked, setAsked] = useState<Asked | null>(null);
  const action: FaceAction = {
    id: 'person.move',
    text: texts.move,
    run: (ids) => new Promise((resolve, reject) => setAsked({ ids, resolve, reject })),
  };
  const pick = (to: PickedIdentity) => {
    if (asked === null) return;
    setAsked(null);
    decisions.move(asked.ids, to).then(() => asked.resolve(true), asked.reject);
  };
  const dialog = asked && (
    <Dialog
      title={texts.moveTitle(formats.number(asked.ids.length))}
      isOpen
      onClose={() => {
        setAsked(null);
        asked.resolve(false);
      }}
    >
      <IdentityPicker label={texts.move} onPick={pick} canCreate except={[person]} autoFocus />
    </Dialog>
  );
  return { action, dialog };
}

interface Asked {
  readonly ids: readonly number[];
  readonly resolve: (isDecided: boolean) => void;
  readonly reject: (error: Error) => void;
}

export function FacesTab({ person, onOpenImage }: PersonTabProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const move = useMoveAction(person);
  const pages = usePages('listGallery', { path: { id: person } });
  return (
    <>
      <FaceTiles
        label={texts.faces}
        faces={pages.items?.map((face) => ({
          ...face,
          note: face.review_status === 'pending' ? texts.uncertain : formats.date(face.detected_at),
        }))}
        pages={pages}
        actions={[
          move.action,
          {
            id: 'person.reject',
            text: texts.notThis,
            run: (ids) => decisions.review(ids, 'reject', texts.rejectedFaces),
          },
          {
            id: 'person.cover',
            text: texts.cover,
            isForOne: true,
            run: (ids) => decisions.setCover(ids),
          },
          {
            id: 'person.enroll',
            text: texts.enroll,
            isForOne: true,
            run: (ids) => decisions.enroll(ids),
          },
          {
            id: 'person.delete',
            text: texts.deleteFaces,
            run: (ids) => decisions.remove(ids),
          },
        ]}
        onOpen={openerOf(pages.items, onOpenImage)}
        empty={<Empty title={texts.noFaces} text={texts.noFacesText} />}
      />
      {move.dialog}
    </>
  );
}

export function SuggestedTab({ person, onOpenImage }: PersonTabProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const move = useMoveAction(person);
  const pages = usePages('listReviewQueue', {
    query: { identity_id: person, sort: 'similarity' },
  });
  return (
    <>
      <FaceTiles
        label={texts.suggested}
        faces={pages.items?.map((face) => ({
          ...face,
          note: formats.score(face.suggested_matches[0]?.similarity ?? 0),
        }))}
        pages={pages}
        actions={[
          {
            id: 'person.confirm',
            text: texts.confirm,
            look: 'primary',
            run: (ids) => decisions.review(ids, 'confirm', texts.confirmed),
          },
          {
            id: 'person.reject',
            text: texts.notThis,
            run: (ids) => decisions.review(ids, 'reject', texts.rejectedFaces),
          },
          move.action,
        ]}
        onOpen={openerOf(pages.items, onOpenImage)}
        empty={<Empty title={texts.noSuggested} text={texts.noSuggestedText} />}
      />
      {move.dialog}
    </>
  );
}

export function ReferencesTab({ person, onOpenImage }: PersonTabProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const pages = usePages('listFaceEmbeddings', { query: { identity_id: person } });
  return (
    <div className={styles.part}>
      <AddPhotos person={person} />
      <div className={styles.wide}>
        <FaceTiles
          label={texts.references}
          faces={pages.items?.map((reference) => ({
            ...reference,
            note: formats.date(reference.created_at),
          }))}
          pages={pages}
          actions={[
            {
              id: 'person.revoke',
              text: texts.revoke,
              run: (ids) => decisions.revoke(ids),
            },
            {
              id: 'person.cover',
              text: texts.cover,
              isForOne: true,
              run: (ids) => decisions.setCover(ids),
            },
          ]}
          onOpen={openerOf(pages.items, onOpenImage)}
          empty={<Empty title={texts.noReferences} text={texts.noReferencesText} />}
        />
      </div>
    </div>
  );
}

function AddPhotos({ person }: { readonly person: number }) {
  const texts = useMessages(PERSON_MESSAGES);
  const decisions = useFaceDecisions(person);
  const [failures, setFailures] = useState<readonly { name: string; error: Error }[]>([]);
  const add = async (files: FileList | null) => {
    setFailures([]);
    // One after the other, so that a large choice does not take all places of the environment.
    for (const file of files ?? []) {
      await decisions
        .addPhoto(file)
        .catch((error: unknown) =>
          setFailures((before) => [...before, { name: file.name, error: error as Error }]),
        );
    }
  };
  return (
    <>
      <FileTrigger
        allowsMultiple
        acceptedFileTypes={['image/*']}
        onSelect={(files) => void add(files)}
      >
        <Button>
          <Icon name="plus" />
          {texts.addPhoto}
        </Button>
      </FileTrigger>
      <p className={styles.facts}>{texts.photoHint}</p>
      {failures.map(({ name, error }, index) => (
        <div key={index}>
          <bdi>{name}</bdi>
          <Failure error={error} />
        </div>
      ))}
    </>
  );
}

export function MismatchesTab({ person, onOpenImage }: PersonTabProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const move = useMoveAction(person);
  const pages = usePages('listMismatches', { query: { identity_id: person } });
  return (
    <>
      <FaceTiles
        label={texts.mismatches}
        faces={pages.items?.map((face) => ({ ...face, note: formats.score(face.similarity) }))}
        pages={pages}
        actions={[
          move.action,
          {
            id: 'person.dismiss',
            text: texts.fine,
            run: (ids) => decisions.dismissMismatches(ids),
          },
          {
            id: 'person.reject',
            text: texts.notThis,
            run: (ids) => decisions.review(ids, 'reject', texts.rejectedFaces),
          },
        ]}
        onOpen={openerOf(pages.items, onOpenImage)}
        empty={<Empty title={texts.noMismatches} text={texts.noMismatchesText} />}
      />
      {move.dialog}
    </>
  );
}

export function RejectedTab({ person, onOpenImage }: PersonTabProps) {
  const texts = useMessages(PERSON_MESSAGES);
  const formats = useFormats();
  const decisions = useFaceDecisions(person);
  const pages = usePages('listRejectedFaces', { path: { id: person } });
  return (
    <FaceTiles
      label={texts.rejected}
      faces={pages.items?.map((face) => ({ ...face, note: formats.date(face.detected_at) }))}
      pages={pages}
      actions={[
        {
          id: 'person.restore',
          text: texts.restore,
          run: (ids) => decisions.review(ids, 'restore', texts.restored),
        },
      ]}
      onOpen={openerOf(pages.items, onOpenImage)}
      empty={<Empty title={texts.noRejected} text={texts.noRejectedText} />}
    />
  );
}

/** Returns a function that opens the image of a face. */
function openerOf(
  faces: readonly { readonly detection_id: number; readonly source_image_id: number }[] | undefined,
  open: ((image: number) => void) | undefined,
) {
  return (id: number) => {
    const face = faces?.find(({ detection_id: each }) => each === id);
    if (face !== undefined) open?.(face.source_image_id);
  };
}
