/** How many secrets sign a delivery at most: the current one and the newest that it replaced. */
const MOST_SECRETS = 10;

/**
 * The secrets of a subscription `s` that were replaced less than a day ago, newest first, as rows of `sealed` and
 * `until`.
 * @param now an SQL expression
 */
export function previousSecrets(now: string): string {
  return `
    SELECT sealed, until
    FROM jsonb_to_recordset(s.previous_secrets) AS previous (sealed text, until timestamptz)
    WHERE until > ${now} ORDER BY until DESC`;
}

/** Those that sign beside the current secret of a subscription `s`, as a column. */
export function previousSecretsColumn(now: string): string {
  return `
    CASE WHEN s.previous_secrets = '[]' THEN '{}' ELSE
      ARRAY(SELECT sealed FROM (${previousSecrets(now)} LIMIT ${MOST_SECRETS - 1}) AS signing) END
      AS "previousSecretsSealed"`;
}
