import { Injectable } from '@nestjs/common';
import type { LenderApplicant } from '../../lenders/index.js';
import { Keyring } from '../../platform/index.js';
import type { InstantLoan } from '../store/instant-loan.entity.js';

const PURPOSE = 'instant_loans.applicant';

@Injectable()
export class InstantApplicants {
  constructor(private readonly keyring: Keyring) {}

  /** Sealed for this application: it does not open in another row. */
  seal(
    id: string,
    applicant: LenderApplicant,
  ): { applicantSealed: string; mobileHash: string; panHash: string } {
    return {
      applicantSealed: this.keyring.seal(JSON.stringify(applicant), `${PURPOSE}:${id}`),
      mobileHash: this.keyring.lookupHash(applicant.mobile, 'mobile'),
      panHash: this.keyring.lookupHash(applicant.pan, 'pan'),
    };
  }

  /** @throws Error when the personal data is erased */
  open({ id, applicantSealed }: InstantLoan): LenderApplicant {
    if (!applicantSealed) throw new Error('the personal data of this application is erased');
    return JSON.parse(this.keyring.open(applicantSealed, `${PURPOSE}:${id}`)) as LenderApplicant;
  }
}

export function nameOf({ fullName, firstName, lastName }: LenderApplicant): string {
  const parts = typeof fullName === 'string' ? [fullName] : [firstName, lastName];
  return parts.filter((part) => typeof part === 'string').join(' ');
}
