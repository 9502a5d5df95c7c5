import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import type { OperationBody } from '../../client/operations.ts';
import { usePages } from '../../client/use-pages.ts';
import { FaceCrop } from '../../faces/face-crop.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Table } from '../../ui/table.tsx';
import { changedValues } from './changed-values.ts';
import { OPERATION_MESSAGES } from './operation-messages.ts';
import styles from './person.module.css';

type Item = OperationBody<'listOperationItems'>['items'][number];

/** The rows that are read at a time. Each face is read by itself for its picture, so there are few. */
const ROWS = 20;

export interface OperationDialogProps {
  readonly id: number;
  /** The kind of the operation in words. */
  readonly name: string;
  readonly onClose: () => void;
}

/** The records that an operation has changed, with links to them. */
export function OperationDialog({ id, name, onClose }: OperationDialogProps) {
  const texts = useMessages(OPERATION_MESSAGES);
  const pages = usePages('listOperationItems', { path: { id }, query: { limit: ROWS } });
  return (
    <Dialog title={texts.items(name)} isOpen isWide onClose={onClose}>
      {pages.error && <Failure error={pages.error} onRetry={pages.retry} />}
      {pages.items === undefined && !pages.error && <Loading />}
      {pages.items?.length === 0 && <p>{texts.noItems}</p>}
      {pages.items !== undefined && pages.items.length > 0 && <ItemTable items={pages.items} />}
      <DialogActions>
        {pages.hasMore && (
          <Button isBusy={pages.isReadingMore} onPress={pages.readMore}>
            {texts.more}
          </Button>
        )}
        <Button onPress={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function ItemTable({ items }: { readonly items: readonly Item[] }) {
  const texts = useMessages(OPERATION_MESSAGES);
  return (
    <Table label={texts.record} columns={[texts.record, texts.change, texts.since]}>
      {items.map((item) => (
        <tr key={`${item.detection_id} ${item.identity_id} ${item.image_id}`}>
          <th scope="row">
            <ItemRecord item={item} />
          </th>
          <td>
            <ItemChange item={item} />
          </td>
          <td>{item.changed_since && texts.changedSince}</td>
        </tr>
      ))}
    </Table>
  );
}

function ItemRecord({ item }: { readonly item: Item }) {
  const texts = useMessages(OPERATION_MESSAGES);
  const isDeleted = item.before !== null && item.after === null;
  if (item.detection_id !== null)
    return <FaceRecord id={item.detection_id} isDeleted={isDeleted} />;
  if (item.image_id !== null) {
    const text = texts.image(String(item.image_id));
    return isDeleted ? text : <ImageLink image={item.image_id}>{text}</ImageLink>;
  }
  const text = texts.person(String(item.identity_id));
  return isDeleted ? text : <PersonLink person={item.identity_id!}>{text}</PersonLink>;
}

interface FaceRecordProps {
  readonly id: number;
  readonly isDeleted: boolean;
}

/** A face with its picture, which leads to its image. One that was deleted later is a text. */
function FaceRecord({ id, isDeleted }: FaceRecordProps) {
  const texts = useMessages(OPERATION_MESSAGES);
  const face = useRead('getDetection', { path: { id } }, { enabled: !isDeleted });
  const text = texts.face(String(id));
  if (face.error && !isProblem(face.error, 'not_found')) return <Failure error={face.error} />;
  if (face.data === undefined) return text;
  return (
    <ImageLink image={face.data.source_image_id} detection={id}>
      <span className={styles.face}>
        <FaceCrop url={face.data.crop_url} alt="" width={96} />
      </span>
      {text}
    </ImageLink>
  );
}

interface ImageLinkProps {
  readonly image: number;
  readonly detection?: number;
  readonly children: ReactNode;
}

function ImageLink({ image, detection, children }: ImageLinkProps) {
  const { environment } = useParams({ from: '/$environment' });
  const params = { environment, image: String(image) };
  return (
    <Link to="/$environment/images/$image" params={params} search={{ detection }}>
      {children}
    </Link>
  );
}

interface PersonLinkProps {
  readonly person: number;
  readonly children: ReactNode;
}

function PersonLink({ person, children }: PersonLinkProps) {
  const { environment } = useParams({ from: '/$environment' });
  const params = { environment, person: String(person) };
  return (
    <Link to="/$environment/people/$person" params={params}>
      {children}
    </Link>
  );
}

function ItemChange({ item: { before, after } }: { readonly item: Item }) {
  const texts = useMessages(OPERATION_MESSAGES);
  const describe = useDescribeValue();
  const changed = changedValues(before, after);
  if (before === null && after !== null) return texts.created;
  if (before !== null && after === null) return texts.deleted;
  if (changed.length === 0) return texts.related;
  return (
    <ul className={styles.values}>
      {changed.map((value) => (
        <li key={value.name}>
          <bdi>
            {texts.value(
              texts[value.name as ValueName],
              describe(value.name, value.before),
              describe(value.name, value.after),
            )}
          </bdi>
        </li>
      ))}
    </ul>
  );
}

type ValueName =
  | 'label'
  | 'external_ref'
  | 'cover_detection_id'
  | 'identity_id'
  | 'review_status'
  | 'decided_by'
  | 'dismissed_at'
  | 'mismatch_reviewed';

/** The values of `review_status` and `decided_by`. */
type Word = 'pending' | 'confirmed' | 'rejected' | 'human' | 'automatic';

/** Returns a function that writes the value of a record as people read it. */
function useDescribeValue(): (name: string, value: unknown) => string {
  const texts = useMessages(OPERATION_MESSAGES);
  const formats = useFormats();
  return (name, value) => {
    if (typeof value === 'boolean') return value ? texts.yes : texts.no;
    if (typeof value === 'number') return String(value);
    if (typeof value !== 'string') return texts.none;
    if (name === 'dismissed_at') return formats.dateTime(value);
    if (name === 'review_status' || name === 'decided_by') return texts[value as Word];
    return value;
  };
}
