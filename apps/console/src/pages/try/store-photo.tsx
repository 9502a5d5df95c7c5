import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { imageOf, type Photo } from './photo.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import type { TryTabProps } from './try-tab.ts';
import styles from './try.module.css';

export interface StorePhotoProps extends Pick<TryTabProps, 'run' | 'onStored'> {
  readonly photo: Photo;
}

/** Stores the photo with what is found in it, once the person asks for that. */
export function StorePhoto({ photo, run, onStored }: StorePhotoProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const send = useSend();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const { environment } = useParams({ from: '/$environment' });
  const [state, setState] = useState<'idle' | 'storing' | Error>('idle');
  const store = async () => {
    setState('storing');
    try {
      const { body, operationId } = await send('detectAll', { body: imageOf(photo) });
      onStored(body);
      const { faces, objects } = body.counts;
      done(texts.stored(formats.number(faces), formats.number(objects)), operationId);
      setState('idle');
      await invalidate(...IMAGE_READS, ...PEOPLE_READS);
    } catch (caught) {
      setState(caught as Error);
    }
  };
  if (run !== undefined) {
    const image = String(run.source_image_id);
    return (
      <Link to="/$environment/images/$image" params={{ environment, image }}>
        {texts.openStored}
      </Link>
    );
  }
  return (
    <div className={styles.part}>
      <div>
        <Button isDisabled={state === 'storing'} onPress={() => void store()}>
          {texts.store}
        </Button>
      </div>
      {state instanceof Error && <Failure error={state} onRetry={() => void store()} />}
    </div>
  );
}
