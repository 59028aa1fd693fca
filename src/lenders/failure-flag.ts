import { type NewFlag, NO_PARTNER } from '../operator-flags/index.js';
import type { PutQuestion } from './claimed-question.js';

export function failureFlag({ question, outcome }: PutQuestion): NewFlag | null {
  const { lenderCode, partnerId, subjectId, kind, reference } = question;
  const ofLender = { partnerId: NO_PARTNER, subjectId: lenderCode };
  const facts = { lenderCode, kind, reference, subjectId };
  if (outcome.kind === 'GIVEN_UP') {
    // A silent lender leaves thousands of these: one flag for all.
    const detail = { ...facts, failure: outcome.failure, since: question.createdAt };
    return { ...ofLender, kind: 'LENDER_SILENT', cause: ['GIVEN_UP', kind], detail };
  }
  if (outcome.kind !== 'FAILED' || outcome.flag === undefined) return null;
  const detail = { ...facts, failure: outcome.failure };
  // A bug here affects every question of this kind: one flag for all.
  const isOurs = outcome.flag === 'INVALID_QUESTION';
  const about = isOurs ? ofLender : { partnerId, subjectId };
  return { ...about, kind: outcome.flag, cause: [lenderCode, kind], detail };
}
