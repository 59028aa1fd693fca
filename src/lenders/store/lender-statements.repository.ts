import { Injectable } from '@nestjs/common';
import { dayInIndia } from '../../loans/index.js';
import { Columns, type Tx } from '../../platform/index.js';
import { LenderPayout, LenderStatement, LenderStatementPayout } from './lender-statement.entity.js';

type StatementHeader = Pick<
  LenderStatement,
  'lenderCode' | 'day' | 'pages' | 'payoutCount' | 'payoutTotal'
>;
export type StatementLine = Omit<
  LenderStatementPayout,
  'statementId' | 'page' | 'line' | 'lenderCode' | 'day'
>;

type DifferenceKind =
  /** The statement has a payout for which we have no verdict. */
  | 'MISSING_HERE'
  /** We have a verdict that the statement lacks. */
  | 'MISSING_THERE'
  | 'AMOUNT'
  | 'UTR'
  | 'DAY'
  /** One transfer for two loans. */
  | 'UTR_TWICE'
  | 'PAID_TWICE';

interface Difference {
  readonly difference: DifferenceKind;
  readonly applicationId: string;
  /** An amount in paise, a UTR, or a day. */
  readonly stated: number | string | null;
  readonly ours: number | string | null;
}

interface Differences {
  readonly counts: Readonly<Partial<Record<DifferenceKind, number>>>;
  readonly first: readonly Difference[];
}

interface StatementSums {
  readonly count: number;
  readonly total: number;
  /** Payouts of instant loans, which lenders do not report. */
  readonly notFollowed: number;
  readonly oursCount: number;
  readonly oursTotal: number;
}

/** Of each kind. */
const FIRST = 10;

const columns = new Columns(LenderStatement);
const lines = new Columns(LenderStatementPayout);

/** Kept as long as the books. */
@Injectable()
export class LenderStatementsRepository {
  /** Null when the day would have more than `most` different statements. */
  async lock(tx: Tx, header: StatementHeader, most: number): Promise<LenderStatement | null> {
    const isNew = await tx.insertOnce(LenderStatement, header);
    const { lenderCode, day } = header;
    const statements = tx.repository(LenderStatement);
    if (isNew && (await statements.countBy({ lenderCode, day })) > most) return null;
    return statements.findOneOrFail({ where: header, lock: { mode: 'pessimistic_write' } });
  }

  /**
   * Replaces an earlier copy of the page.
   * @param statement locked
   * @returns false when there would be more payouts than the statement says
   */
  async putPage(
    tx: Tx,
    { id, lenderCode, day, linesHere, payoutCount }: LenderStatement,
    page: number,
    payouts: readonly StatementLine[],
  ): Promise<boolean> {
    const replaced = await tx.repository(LenderStatementPayout).delete({ statementId: id, page });
    const lineCount = linesHere - (replaced.affected ?? 0) + payouts.length;
    if (lineCount > payoutCount) return false;
    const records = payouts.map((payout, line) =>
      lines.toRecord({ ...payout, statementId: id, page, line, lenderCode, day }),
    );
    await tx.execute(INSERT_LINES, [JSON.stringify(records)]);
    await tx.execute(ADD_PAGE, [id, page, lineCount]);
    return true;
  }

  lendersToCheck(tx: Tx): Promise<string[]> {
    return tx.column<string>(LENDERS_TO_CHECK);
  }

  claimNext(tx: Tx, lenderCode: string): Promise<LenderStatement | null> {
    return tx.first(CLAIM_NEXT, [lenderCode]);
  }

  async markChecked(tx: Tx, { id }: LenderStatement): Promise<void> {
    await tx.update(LenderStatement, { id }, { checkAt: null, failedChecks: 0 });
  }

  /**
   * Waits longer after each failure.
   * @returns consecutive failed checks; null when it is no longer due
   */
  postpone(tx: Tx, { id }: LenderStatement): Promise<number | null> {
    return tx.value<number>(POSTPONE, [id]);
  }

  async sums(tx: Tx, { id, lenderCode, day }: LenderStatement): Promise<StatementSums> {
    const [sums] = await tx.query<StatementSums>(SUMS, [id, lenderCode, day]);
    return sums;
  }

  async differences(tx: Tx, { id, lenderCode, day }: LenderStatement): Promise<Differences> {
    const rows = await tx.query<Difference & { times: number }>(DIFFERENCES, [id, lenderCode, day]);
    return {
      counts: Object.fromEntries(rows.map(({ difference, times }) => [difference, times])),
      first: rows.map(({ difference, applicationId, stated, ours }) => ({
        difference,
        applicationId,
        stated,
        ours,
      })),
    };
  }
}

/** Kept as long as the books. */
@Injectable()
export class LenderPayouts {
  async note(tx: Tx, payout: Omit<LenderPayout, 'day'>): Promise<void> {
    await tx.insertOnce(LenderPayout, { ...payout, day: dayInIndia(payout.paidAt) });
  }
}

const INSERT_LINES = `
  INSERT INTO lender_statement_payouts (${lines.list()})
  SELECT ${lines.list()} FROM jsonb_populate_recordset(NULL::lender_statement_payouts, $1)
`;

// Due an hour after the day's end, so that verdicts can arrive; an incomplete statement a day later.
const ADD_PAGE = `
  UPDATE lender_statements AS s
  SET pages_here = here.pages, lines_here = $3,
    check_at = greatest(app_now(), (s.day + 1)::timestamp AT TIME ZONE 'Asia/Kolkata')
      + CASE WHEN cardinality(here.pages) = s.pages THEN interval '1 hour' ELSE interval '1 day' END
  FROM (
    SELECT id, ARRAY(SELECT DISTINCT page FROM unnest(pages_here || $2::integer) AS p (page)
      ORDER BY page) AS pages
    FROM lender_statements WHERE id = $1
  ) AS here
  WHERE s.id = here.id
`;

const CLAIM_NEXT = `
  SELECT ${columns.selected(undefined, 's').replace('s.day AS', 's.day::text AS')} FROM lender_statements AS s
  WHERE s.lender_code = $1 AND s.check_at <= app_now()
  ORDER BY s.check_at LIMIT 1 FOR UPDATE SKIP LOCKED
`;

const LENDERS_TO_CHECK = `
  SELECT DISTINCT lender_code AS "lenderCode" FROM lender_statements WHERE check_at <= app_now()
`;

const POSTPONE = `
  UPDATE lender_statements
  SET failed_checks = failed_checks + 1,
    check_at = app_now() + least(failed_checks + 1, 24) * interval '1 hour'
  WHERE id = $1 AND check_at <= app_now()
  RETURNING failed_checks AS "failedChecks"
`;

const SUMS = `
  SELECT stated.*, ours.* FROM (
    SELECT count(*)::integer AS count, coalesce(sum(amount), 0)::bigint AS total,
      (count(*) FILTER (WHERE NOT is_followed))::integer AS "notFollowed"
    FROM lender_statement_payouts WHERE statement_id = $1) AS stated,
  (SELECT count(*)::integer AS "oursCount", coalesce(sum(amount), 0)::bigint AS "oursTotal"
    FROM lender_payouts WHERE lender_code = $2 AND day = $3) AS ours
`;

// On other days only transfers of other applications are read, so one repeated for the same loan costs no more. ORDER
// BY makes PostgreSQL use the index; for an EXISTS it may read the whole table.
const DIFFERENCES = `
  WITH stated AS MATERIALIZED (
    SELECT t.*, row_number() OVER (PARTITION BY t.application_id ORDER BY t.page, t.line) AS turn,
      count(*) OVER (PARTITION BY t.utr) AS uses
    FROM lender_statement_payouts AS t WHERE t.statement_id = $1
  ),
  pairs AS (
    SELECT stated.*, ours.amount AS our_amount, ours.utr AS our_utr, ours.day AS our_day,
      ours.application_id IS NULL AS is_unknown
    FROM stated LEFT JOIN lender_payouts AS ours
      ON ours.lender_code = $2 AND ours.application_id = stated.application_id
    WHERE stated.turn = 1 AND stated.is_followed
  ),
  found AS (
    SELECT 'MISSING_HERE' AS difference, application_id, to_jsonb(amount) AS stated, NULL::jsonb AS ours
    FROM pairs WHERE is_unknown
    UNION ALL
    SELECT 'AMOUNT', application_id, to_jsonb(amount), to_jsonb(our_amount)
    FROM pairs WHERE amount <> our_amount
    UNION ALL
    SELECT 'UTR', application_id, to_jsonb(utr), to_jsonb(our_utr) FROM pairs WHERE utr <> our_utr
    UNION ALL
    SELECT 'DAY', application_id, to_jsonb($3::date), to_jsonb(our_day)
    FROM pairs WHERE our_day <> $3::date
    UNION ALL
    SELECT 'MISSING_THERE', p.application_id, NULL, to_jsonb(p.amount)
    FROM lender_payouts AS p
    WHERE p.lender_code = $2 AND p.day = $3::date
      AND NOT EXISTS (SELECT 1 FROM stated WHERE stated.application_id = p.application_id)
    UNION ALL
    SELECT 'PAID_TWICE', application_id, to_jsonb(utr), NULL FROM stated WHERE turn = 2
    UNION ALL
    SELECT 'UTR_TWICE', application_id, to_jsonb(utr), NULL FROM stated
    WHERE uses > 1
      OR EXISTS (SELECT 1 FROM lender_payouts AS p WHERE p.lender_code = $2 AND p.utr = stated.utr
        AND p.application_id <> stated.application_id)
      OR (SELECT other.application_id FROM lender_statement_payouts AS other
        WHERE other.lender_code = $2 AND other.utr = stated.utr
          AND other.application_id < stated.application_id AND other.day <> $3::date
        ORDER BY other.application_id LIMIT 1) IS NOT NULL
      OR (SELECT other.application_id FROM lender_statement_payouts AS other
        WHERE other.lender_code = $2 AND other.utr = stated.utr
          AND other.application_id > stated.application_id AND other.day <> $3::date
        ORDER BY other.application_id LIMIT 1) IS NOT NULL
  ),
  numbered AS (
    SELECT found.*, (count(*) OVER (PARTITION BY difference))::integer AS times,
      row_number() OVER (PARTITION BY difference ORDER BY application_id) AS turn
    FROM found
  )
  SELECT difference, application_id AS "applicationId", stated, ours, times
  FROM numbered WHERE turn <= ${FIRST} ORDER BY difference, application_id
`;
