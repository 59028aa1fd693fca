import type { Client } from 'pg';

/** The demonstration partner's leads; there are three times as many in total. */
export interface LeadsData {
  readonly own: number;
  readonly all: number;
}

const ROWS_A_STATEMENT = 200_000;
const OTHER_PARTNERS = 20;
export const FIRST_DAY = '2025-01-01T00:00:00Z';
const SECONDS_A_YEAR = 365 * 86_400;

/**
 * Writes a year of leads straight into `applications`. Every third is the demonstration partner's; types and statuses
 * have a realistic spread; one status is rare; a hundred leads share each time.
 */
export async function loadLeads(client: Client, { all }: LeadsData): Promise<void> {
  await client.query(
    `INSERT INTO partners (id, name)
     SELECT 'other-' || n, 'Another partner' FROM generate_series(0, $1 - 1) AS n`,
    [OTHER_PARTNERS],
  );
  for (let first = 0; first < all; first += ROWS_A_STATEMENT) {
    const last = Math.min(all, first + ROWS_A_STATEMENT) - 1;
    await client.query(LOAD, [first, last, all, FIRST_DAY, SECONDS_A_YEAR, OTHER_PARTNERS]);
  }
  await client.query('VACUUM ANALYZE applications');
}

const LOAD = `
  INSERT INTO applications
    (id, partner_id, loan_type, loan_amount, loan_amount_source, status, journey_id, submitted_at, updated_at)
  SELECT 'app_' || lpad(to_hex(n), 32, '0'),
    CASE WHEN n % 3 = 0 THEN 'demo' ELSE 'other-' || (n / 3) % $6 END,
    CASE WHEN dice % 100 < 55 THEN 'ONLINE_PERSONAL' WHEN dice % 100 < 75 THEN 'ONLINE_SHORT_TERM'
      WHEN dice % 100 < 90 THEN 'ONLINE_GOLD' ELSE 'ONLINE_BUSINESS' END,
    100000 + dice * 100, 'PARTNER',
    CASE WHEN dice / 100 < 350 THEN 'SANCTIONED' WHEN dice / 100 < 650 THEN 'REJECTED'
      WHEN dice / 100 < 900 THEN 'ABANDONED' WHEN dice / 100 < 950 THEN 'OFFERS_RECEIVED'
      WHEN dice / 100 < 980 THEN 'KYC_PENDING' WHEN dice / 100 < 998 THEN 'INITIATED'
      ELSE 'MANDATE_PENDING' END,
    'jrn_' || lpad(to_hex(n), 32, '0'), moment, moment
  FROM (
    SELECT n, (n * 2654435761) % 100000 AS dice,
      $4::timestamptz + (n - n % 300) * ($5::float8 / $3) * interval '1 second' AS moment
    FROM generate_series($1::bigint, $2::bigint) AS n
  ) AS made
`;

/** Waits until the service has folded all changes into its counts; returns the duration. */
export async function untilFolded(client: Client): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await client.query('SELECT FROM lead_count_deltas LIMIT 1');
    if (rows.length === 0) return performance.now() - startedAt;
    await new Promise((resolve) => {
      setTimeout(resolve, 250);
    });
  }
}
