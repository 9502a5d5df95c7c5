import { useRead } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { DetectionActions } from './detection-actions.tsx';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import type { NumberedDetection } from './numbered-detections.ts';
import type { Decisions, Detection } from './use-decisions.ts';
import { type Match, reasonOf } from './why-unnamed.ts';

export interface DetectionListProps {
  readonly detections: readonly NumberedDetection[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
  readonly decisions: Decisions;
  /** The results of the latest run of the models for the faces, by the ids of the detections. */
  readonly matches: ReadonlyMap<number, Match>;
}

/** The detections of an image, with what can be done with the chosen one. */
export function DetectionList(props: DetectionListProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const faces = props.detections.filter(({ detection }) => detection.type === 'face');
  const objects = props.detections.filter(({ detection }) => detection.type === 'object');
  return (
    <>
      {props.detections.length === 0 && <p className={styles.quiet}>{texts.none}</p>}
      <Entries title={texts.faces} entries={faces} {...props} />
      <Entries title={texts.objects} entries={objects} {...props} />
    </>
  );
}

interface EntriesProps extends DetectionListProps {
  readonly title: string;
  readonly entries: readonly NumberedDetection[];
}

function Entries({ title, entries, chosen, onChoose, decisions, matches }: EntriesProps) {
  const formats = useFormats();
  if (entries.length === 0) return null;
  return (
    <section aria-label={title} className={styles.group}>
      <h2>
        {title} <span className={styles.quiet}>{formats.number(entries.length)}</span>
      </h2>
      <ol className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.detection.id} className={styles.entry}>
            <Entry
              entry={entry}
              isChosen={entry.detection.id === chosen}
              match={matches.get(entry.detection.id)}
              onChoose={onChoose}
            />
            {entry.detection.id === chosen && (
              <DetectionActions detection={entry.detection} decisions={decisions} />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  readonly entry: NumberedDetection;
  readonly isChosen: boolean;
  readonly match: Match | undefined;
  readonly onChoose: (id: number) => void;
}

function Entry({ entry: { detection, number, kind }, isChosen, match, onChoose }: EntryProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const name = detection.label ?? detection.class_name ?? texts.noName;
  return (
    <button
      type="button"
      className={styles.detection}
      aria-pressed={isChosen}
      onClick={() => onChoose(detection.id)}
    >
      <span className={styles.mark} data-kind={kind}>
        {number}
      </span>
      <img className={styles.crop} src={`${detection.crop_url}?w=96`} alt="" loading="lazy" />
      <span className={styles.about}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.quiet}>{useAbout(detection).join(' · ')}</span>
        <Reason detection={detection} match={match} />
      </span>
    </button>
  );
}

/** The score, the status and the attributes of a detection. */
function useAbout(detection: Detection): string[] {
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  const { age, gender, pose, turned, confidence, is_manual: isManual } = detection;
  const [pitch, yaw, roll] = pose?.map((angle) => formats.number(Math.round(angle))) ?? [];
  return [
    isManual ? texts.manual : texts.score(formats.score(confidence)),
    texts[statusOf(detection)],
    age !== null && texts.age(formats.number(age)),
    gender !== null && texts[gender],
    pose !== null && texts.pose(pitch!, yaw!, roll!),
    turned > 0 && texts.turned(formats.number(turned)),
  ].filter((text) => text !== false);
}

function statusOf({ review_status: status, identity_id: identity }: Detection) {
  return status === 'pending' && identity === null ? 'open' : status;
}

interface ReasonProps {
  readonly detection: Detection;
  readonly match: Match | undefined;
}

/** Why a face has no name. */
function Reason({ detection, match }: ReasonProps) {
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  const setting = useRead(
    'getSetting',
    { path: { key: 'face.match_threshold' } },
    { staleTime: 60_000, enabled: detection.type === 'face' },
  );
  const threshold = Number(setting.data?.value ?? NaN);
  const reason = reasonOf(detection, { match, threshold });
  if (reason === null) return null;
  const score = (value: number) => formats.score(value);
  const text = {
    noEmbedding: () => texts.noEmbedding,
    rejected: () => texts.wasRejected,
    below: () => texts.below(score(threshold)),
    bestBelow: () => texts.bestBelow(match!.label, score(match!.similarity), score(threshold)),
    bestTaken: () => texts.bestTaken(match!.label, score(match!.similarity)),
  }[reason];
  return <span className={styles.quiet}>{text()}</span>;
}
