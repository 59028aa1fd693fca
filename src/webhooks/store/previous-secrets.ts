/** How many secrets sign a delivery at most: the current one and the newest that it replaced. */
const MOST_SECRETS = 10;

/**
 * The secrets of a subscription `s` that were replaced less than a day ago, newest first, as rows of `sealed` and
 * `until`. The last one has columns of its own, which is all that replicas of an older release know.
 * @param now an SQL expression
 */
export function previousSecrets(now: string): string {
  return `
    SELECT sealed, until FROM (
      SELECT s.previous_secret_sealed, s.previous_secret_until
      UNION ALL
      SELECT * FROM jsonb_to_recordset(s.older_secrets) AS older (sealed text, until timestamptz)
    ) AS previous (sealed, until)
    WHERE until > ${now} ORDER BY until DESC`;
}

/** Those that sign beside the current secret of a subscription `s`, as a column. */
export function previousSecretsColumn(now: string): string {
  return `
    CASE WHEN s.previous_secret_until IS NULL THEN '{}' ELSE
      ARRAY(SELECT sealed FROM (${previousSecrets(now)} LIMIT ${MOST_SECRETS - 1}) AS signing) END
      AS "previousSecretsSealed"`;
}
