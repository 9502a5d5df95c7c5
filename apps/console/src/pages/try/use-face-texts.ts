import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { TRY_MESSAGES } from './try-messages.ts';

type FaceAttributes = Pick<
  OperationBody<'identifyFaces'>['faces'][number],
  'age' | 'gender' | 'pose' | 'turned'
>;

/** Returns a function that describes the estimates about a face and its angle; the text is empty if there are none. */
export function useFaceTexts() {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const describe = ({ age, gender, pose, turned }: FaceAttributes): string => {
    const [pitch, yaw, roll] = (pose ?? []).map((degrees) => formats.number(Math.round(degrees)));
    return [
      ...(age === null ? [] : [texts.age(formats.number(age))]),
      ...(gender === null ? [] : [gender === 'M' ? texts.male : texts.female]),
      ...(pose === null ? [] : [texts.pose(pitch!, yaw!, roll!)]),
      ...(turned > 0 ? [texts.turned(formats.number(turned))] : []),
    ].join(' · ');
  };
  return { describe };
}
