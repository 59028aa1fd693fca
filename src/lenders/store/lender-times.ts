import type { TimesQuery } from '../../platform/index.js';

/** When lenders are asked; a question that is being put is due. */
export const QUESTION_TIMES: TimesQuery = (now) => `
  SELECT CASE WHEN lease_until > ${now} THEN ${now} ELSE next_attempt_at END AS at
  FROM lender_questions WHERE status = 'OPEN'`;

/** When lenders' answers are taken up. */
export const ANSWER_TIMES: TimesQuery = () =>
  'SELECT next_attempt_at AS at FROM lender_inbox WHERE consumed_at IS NULL';
