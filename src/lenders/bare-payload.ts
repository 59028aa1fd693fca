import type { QuestionPayload } from './question-payload.js';

/** What names the application to its lender, and nothing of the applicant: the lender knows whom it was asked about. */
export function barePayload(payload: Omit<QuestionPayload, 'applicant'>): QuestionPayload {
  const { subjectKind, applicationId, productCode, loanAmount } = payload;
  const { offerReference, applicationReference, withdrawal } = payload;
  return {
    subjectKind,
    applicationId,
    productCode,
    loanAmount,
    applicant: { mobile: '', pan: '' },
    ...(offerReference !== undefined && { offerReference }),
    ...(applicationReference !== undefined && { applicationReference }),
    ...(withdrawal !== undefined && { withdrawal }),
  };
}
