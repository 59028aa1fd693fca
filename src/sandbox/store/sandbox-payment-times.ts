import type { TimesQuery } from '../../platform/index.js';

/** When the simulated gateway calls back; a callback that is being made is due. */
export const CALLBACK_TIMES: TimesQuery = (now) => `
  SELECT CASE WHEN lease_until > ${now} THEN ${now} ELSE next_callback_at END AS at
  FROM sandbox_payments WHERE next_callback_at IS NOT NULL`;
