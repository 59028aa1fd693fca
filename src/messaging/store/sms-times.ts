import type { TimesQuery } from '../../platform/index.js';

/** When messages are sent or expire; one being sent is due. */
export const SMS_TIMES: TimesQuery = (now) => `
  SELECT CASE WHEN lease_until > ${now} THEN ${now} ELSE least(next_attempt_at, expires_at) END AS at
  FROM sms_messages WHERE status = 'WAITING'`;
