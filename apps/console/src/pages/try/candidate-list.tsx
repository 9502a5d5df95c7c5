import { Link, useParams } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import { FaceCrop } from '../../faces/face-crop.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import type { Candidate } from './judge-face.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface CandidateListProps {
  readonly label: string;
  readonly candidates: readonly Candidate[];
  readonly threshold: number;
}

/** The people most like a face, the best first. */
export function CandidateList({ label, candidates, threshold }: CandidateListProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const { environment } = useParams({ from: '/$environment' });
  if (candidates.length === 0) return <p>{texts.noPeople}</p>;
  return (
    <ol className={styles.candidates} aria-label={label}>
      {candidates.map(({ identity_id: id, label: name, similarity }) => (
        <li key={id} className={styles.candidate} data-match={similarity >= threshold || undefined}>
          <Cover person={id} />
          <Link
            to="/$environment/people/$person"
            params={{ environment, person: String(id) }}
            className={styles.name}
          >
            <bdi>{name}</bdi>
          </Link>
          <span>{formats.score(similarity)}</span>
          <span className={styles.quiet}>
            {similarity >= threshold ? texts.reaches : texts.misses}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The cover of a person. The name is shown beside it. */
export function Cover({ person }: { readonly person: number }) {
  const { data } = useRead('getIdentity', { path: { id: person } });
  return (
    <span className={styles.cover}>
      <FaceCrop url={data?.thumbnail_url ?? null} alt="" width={96} />
    </span>
  );
}
