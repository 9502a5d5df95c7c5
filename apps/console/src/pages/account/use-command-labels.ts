import { FRAME_MESSAGES } from '../../frame/frame-messages.ts';
import { PAGES } from '../../frame/pages.ts';
import type { CommandId } from '../../keys/commands.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { UNDO_MESSAGES } from '../../undo/undo-context.tsx';
import { CHANGES_MESSAGES } from '../changes/changes-messages.ts';
import { ENVIRONMENTS_MESSAGES } from '../environments/environments-messages.ts';
import { IMAGE_MESSAGES } from '../image/image-messages.ts';
import { SELECTION_MESSAGES } from '../../images/selection-messages.ts';
import { TRANSFER_MESSAGES } from '../jobs/transfer-messages.ts';
import { PEOPLE_MESSAGES } from '../people/people-messages.ts';
import { PERSON_MESSAGES } from '../person/person-messages.ts';
import { REVIEW_MESSAGES } from '../review/review-messages.ts';
import { UNKNOWN_MESSAGES } from '../unknown/unknown-messages.ts';
import { UPLOAD_MESSAGES } from '../upload/upload-messages.ts';
import { USERS_MESSAGES } from '../users/users-messages.ts';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';
import { COMMAND_MESSAGES } from './command-messages.ts';

type Labels<Prefix extends string> = Readonly<
  Record<Extract<CommandId, `${Prefix}.${string}`>, string>
>;

/** The texts of all commands, in the words of their pages. */
export function useCommandLabels(): Readonly<Record<CommandId, string>> {
  return {
    ...useFrameLabels(),
    ...useReviewLabels(),
    ...usePeopleLabels(),
    ...useUnknownLabels(),
    ...useImageLabels(),
    'upload.pause': useMessages(UPLOAD_MESSAGES).pauseKey,
    'upload.retry': useMessages(UPLOAD_MESSAGES).retry,
    'changes.pause': useMessages(CHANGES_MESSAGES).pause,
    'jobs.export': useMessages(TRANSFER_MESSAGES).exportTitle,
    'jobs.import': useMessages(TRANSFER_MESSAGES).importTitle,
    'webhooks.add': useMessages(WEBHOOK_MESSAGES).addTitle,
    'environments.add': useMessages(ENVIRONMENTS_MESSAGES).addTitle,
    'users.add': useMessages(USERS_MESSAGES).addTitle,
  };
}

function useFrameLabels(): Labels<'frame'> {
  const texts = useMessages(FRAME_MESSAGES);
  const undo = useMessages(UNDO_MESSAGES);
  const go = Object.fromEntries(
    PAGES.map(({ name }) => [`frame.go.${name}`, texts.goTo(texts[name])]),
  ) as Labels<'frame.go'>;
  return {
    'frame.keys': texts.keys,
    'frame.search': texts.search,
    'frame.undo': undo.undo,
    'frame.redo': undo.redo,
    ...go,
  };
}

function useReviewLabels(): Labels<'review' | 'group'> {
  const texts = useMessages(REVIEW_MESSAGES);
  const faces = useMessages(UNKNOWN_MESSAGES);
  const own = useMessages(COMMAND_MESSAGES);
  return {
    'review.view': texts.byPerson,
    'review.confirm.1': own.candidate('1'),
    'review.confirm.2': own.candidate('2'),
    'review.confirm.3': own.candidate('3'),
    'review.confirm.4': own.candidate('4'),
    'review.confirm.5': own.candidate('5'),
    'review.keep': texts.keep,
    'review.who': texts.whoIsThis,
    'review.dismiss': texts.dismiss,
    'review.other': texts.other,
    'review.reject': texts.reject,
    'review.unassign': texts.unassign,
    'review.later': texts.later,
    'review.whole': texts.whole,
    'review.next': texts.next,
    'review.previous': texts.previous,
    'group.confirm': own.confirmGroup,
    'group.both': own.confirmBoth,
    'group.toggle': texts.takeOut,
    'group.next': texts.nextPerson,
    'group.previous': texts.previousPerson,
    'group.right': faces.nextFace,
    'group.left': faces.previousFace,
    'group.down': own.below,
    'group.up': own.above,
  };
}

function usePeopleLabels(): Labels<'people' | 'person'> {
  const people = useMessages(PEOPLE_MESSAGES);
  const person = useMessages(PERSON_MESSAGES);
  return {
    'people.rename': people.rename,
    'people.merge': people.merge,
    'people.delete': people.delete,
    'person.move': person.move,
    'person.reject': person.notThis,
    'person.cover': person.cover,
    'person.enroll': person.enroll,
    'person.delete': person.deleteFaces,
    'person.confirm': person.confirm,
    'person.revoke': person.revoke,
    'person.dismiss': person.fine,
    'person.restore': person.restore,
  };
}

function useUnknownLabels(): Labels<'unknown'> {
  const texts = useMessages(UNKNOWN_MESSAGES);
  return {
    'unknown.name': texts.name,
    'unknown.ignore': texts.ignore,
    'unknown.choose': texts.choose,
    'unknown.toggle': texts.takeOut,
    'unknown.down': texts.nextGroup,
    'unknown.up': texts.previousGroup,
    'unknown.right': texts.nextFace,
    'unknown.left': texts.previousFace,
    'unknown.looser': texts.looser,
    'unknown.stricter': texts.stricter,
    'unknown.nameFaces': texts.name,
    'unknown.ignoreFaces': texts.ignore,
  };
}

function useImageLabels(): Labels<'images' | 'image'> {
  const images = useMessages(SELECTION_MESSAGES);
  const texts = useMessages(IMAGE_MESSAGES);
  return {
    'images.reprocess': images.reprocess,
    'images.delete': images.delete,
    'image.back': texts.back,
    'image.previous': texts.previous,
    'image.next': texts.next,
    'image.confirmAll': texts.confirmAll,
    'image.draw': texts.draw,
    'image.reprocess': texts.reprocess,
    'image.zoomIn': texts.zoomIn,
    'image.zoomOut': texts.zoomOut,
    'image.fit': texts.zoomFit,
    'image.delete': texts.deleteImage,
    'image.confirm': texts.confirm,
    'image.name': texts.nameIt,
    'image.reject': texts.reject,
    'image.unassign': texts.unassign,
    'image.restore': texts.restore,
    'image.dismiss': texts.dismiss,
    'image.deleteBox': texts.deleteBox,
    'image.cancelDraft': texts.cancel,
  };
}
