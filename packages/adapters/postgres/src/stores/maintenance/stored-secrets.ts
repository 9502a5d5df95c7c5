import type {
  ReplacedSecret,
  SecretColumn,
  StoredSecret,
  StoredSecrets,
} from '@sightline/core/maintenance/stored-secrets';
import type { Doors } from '../../doors/doors.ts';
import { CREDENTIALS } from '../jobs/job-rows.ts';

/**
 * The secrets of a column, in rows with their place.
 *
 * `select` selects them; the operators of JSON refuse some characters of the inputs of items, so it reads the text.
 * `update` sets a secret to `n.replacement` if it is still `n.sealed`.
 */
interface ColumnStatements {
  readonly select: string;
  readonly update: string;
}

function ofWebhooks(column: 'secret' | 'previous_secret'): ColumnStatements {
  return {
    select: `SELECT environment_id, id, 0 AS index, ${column} AS sealed FROM webhooks`,
    update: `UPDATE webhooks w SET ${column} = n.replacement FROM n
      WHERE w.environment_id = n.environment_id AND w.id = n.id AND w.${column} = n.sealed`,
  };
}

const memberOf = (secret: string): string =>
  `concat(',"credentials":"', translate(encode(${secret}, 'base64'), E'\\n', ''), '"')`;

const STATEMENTS: Readonly<Record<SecretColumn, ColumnStatements>> = {
  webhook: ofWebhooks('secret'),
  previous_webhook: ofWebhooks('previous_secret'),
  image_url: {
    select: `SELECT i.environment_id, i.job_id AS id, i.index,
        decode(substring(i.input::text FROM '${CREDENTIALS}'), 'base64') AS sealed
      FROM jobs j JOIN job_items i ON i.environment_id = j.environment_id AND i.job_id = j.id
      WHERE j.type = 'bulk_detect' AND j.status IN ('pending', 'running')
        AND i.state IN ('pending', 'running')`,
    update: `UPDATE job_items i
      SET input = replace(i.input::text, ${memberOf('n.sealed')}, ${memberOf('n.replacement')})::json
      FROM n WHERE i.environment_id = n.environment_id AND i.job_id = n.id AND i.index = n.index
        AND strpos(i.input::text, ${memberOf('n.sealed')}) > 0`,
  },
};

export function storedSecrets(doors: Doors): StoredSecrets {
  return {
    async page(column, { prefix, after, limit }, signal) {
      const { environmentId = 0, id = 0, index = 0 } = after ?? {};
      return doors.onPlatform(
        'maintenance',
        (session) =>
          session.query<StoredSecret>(
            `SELECT environment_id AS "environmentId", id, index, sealed
             FROM (${STATEMENTS[column].select}) AS stored
             WHERE substr(sealed, 1, length($1::bytea)) <> $1
               AND (environment_id, id, index) > ($2::bigint, $3::bigint, $4::integer)
             ORDER BY environment_id, id, index LIMIT $5`,
            [prefix, environmentId, id, index, limit],
          ),
        signal,
      );
    },

    async replace(column, secrets, signal) {
      const values = (key: keyof ReplacedSecret) => secrets.map((secret) => secret[key]);
      const replaced = await doors.onPlatform(
        'maintenance',
        (session) =>
          session.query(
            `WITH n AS (
               SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::bytea[], $5::bytea[])
                 AS n (environment_id, id, index, sealed, replacement))
             ${STATEMENTS[column].update} RETURNING 1`,
            [
              values('environmentId'),
              values('id'),
              values('index'),
              values('sealed'),
              values('replacement'),
            ],
          ),
        signal,
      );
      return replaced.length;
    },
  };
}
