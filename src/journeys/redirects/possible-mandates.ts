import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/index.js';
import { LenderCatalogue, type LenderContact } from '../../settings/index.js';
import type { Journey } from '../store/journey.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

/** A lender for which the applicant has set up a mandate, or may have: nobody knows what a visit has come to. */
export interface PossibleMandate {
  readonly lenderName: string;
  readonly contact: LenderContact;
}

/** Which mandates a journey may leave at the applicant's bank: no call of ours ends one there. */
@Injectable()
export class PossibleMandates {
  constructor(
    private readonly database: Database,
    private readonly redirects: RedirectsRepository,
    private readonly lenders: LenderCatalogue,
  ) {}

  /** Those for lenders that were let go, too. */
  async of(journey: Journey): Promise<PossibleMandate[]> {
    const codes = await this.database.transaction((tx) =>
      this.redirects.mandateLenders(tx, journey),
    );
    const lenders = await Promise.all(codes.map((code) => this.lenders.find(code)));
    return lenders
      .filter((lender) => lender !== null)
      .map(({ name, terms }) => ({
        lenderName: name,
        contact: terms.contact ?? terms.grievanceOfficer,
      }));
  }
}
