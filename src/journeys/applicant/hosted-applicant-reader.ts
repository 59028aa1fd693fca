import { Injectable } from '@nestjs/common';
import { Keyring } from '../../platform/index.js';
import {
  type ApplicantFile,
  DETAIL_NAMES,
  type DetailName,
  masked,
  missingDetails,
  shownApplicant,
} from '../domain/applicant-details.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import type { HostedAccount, HostedJourneyView } from './hosted-view.js';

const DETAILS_PURPOSE = 'hosted.details';

type ReadApplicant = Pick<
  HostedJourneyView,
  'applicant' | 'missingDetails' | 'askedDetails' | 'detailsHash' | 'bankAccount'
>;

/** The applicant of a hosted journey, as its pages show them. */
@Injectable()
export class HostedApplicantReader {
  constructor(
    private readonly applicants: ApplicantFiles,
    private readonly keyring: Keyring,
  ) {}

  read(journey: Journey): ReadApplicant {
    const account = this.applicants.openAccount(journey);
    const file = this.applicants.open(journey);
    const applicant = file && shownApplicant(file);
    const missing = applicant ? missingDetails(applicant) : [];
    const asked = new Set<DetailName>([...(file?.asked ?? []), ...missing]);
    return {
      applicant,
      missingDetails: missing,
      askedDetails: DETAIL_NAMES.filter((name) => asked.has(name)),
      detailsHash: this.detailsHash(journey, file),
      bankAccount: account && shownAccount(account),
    };
  }

  /** Identifies the details that a form showed; keyed, since pages contain it. */
  private detailsHash(journey: Journey, file: ApplicantFile | null): string {
    return this.keyring.lookupHash(detailsOf(journey, file), DETAILS_PURPOSE);
  }

  isDetailsHash(journey: Journey, file: ApplicantFile | null, hash: string): boolean {
    return this.keyring.lookupHashes(detailsOf(journey, file), DETAILS_PURPOSE).includes(hash);
  }
}

function detailsOf({ productCode, loanAmount }: Journey, file: ApplicantFile | null): string {
  return JSON.stringify({ productCode, loanAmount, file });
}

type Account = Record<'accHolderName' | 'ifscCode' | 'accNo', string>;

function shownAccount({ accHolderName, ifscCode, accNo }: Account): HostedAccount {
  return { accHolderName, ifscCode, maskedNumber: masked(accNo) };
}
