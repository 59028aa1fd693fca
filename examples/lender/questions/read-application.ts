import type { FieldReader } from '../fields.ts';

export interface ReadApplication {
  readonly applicationId: string;
  readonly product: string;
  readonly pan: string;
  /** An instant loan's fees are paid before it. */
  readonly isInstant: boolean;
  /** JSON as received. */
  readonly applicant: string;
  readonly consent: string;
}

/** The applicant's part of a question. */
export function readApplication(body: FieldReader): ReadApplication {
  const applicant = body.object('applicant');
  const consent = body.object('consent');
  consent.text('givenBy');
  consent.moment('givenAt');
  applicant.text('mobile', /^[6-9]\d{9}$/);
  return {
    applicationId: body.reference('applicationId'),
    product: body.text('productCode', /^[A-Z][A-Z0-9_]{0,63}$/),
    pan: applicant.text('pan', /^[A-Z]{5}\d{4}[A-Z]$/),
    isInstant: body.object('subject').text('kind') === 'INSTANT_LOAN',
    applicant: applicant.json(),
    consent: consent.json(),
  };
}
