import { Injectable } from '@nestjs/common';
import type { Paise } from '../../loans/index.js';
import { Database, Fault } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneyAudit } from '../store/journey-audit.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { OfferRequests } from '../offers/offer-requests.js';
import {
  DETAIL_NAMES,
  type DetailChanges,
  missingDetails,
  shownApplicant,
  withChanges,
} from '../domain/applicant-details.js';
import { Consents } from '../access/consents.js';
import { AskedAmounts, type AmountQuestion } from '../access/asked-amounts.js';
import { isConfirmed } from '../domain/journey.js';
import { HostedApplicantReader } from './hosted-reader.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';

/**
 * `INCOMPLETE`: consent, a detail or the amount is missing. `DETAILS_CHANGED`: after they were shown.
 */
type Confirmation = 'CONFIRMED' | 'DETAILS_CHANGED' | 'INCOMPLETE';

@Injectable()
export class HostedConfirmation {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly amounts: AskedAmounts,
    private readonly consents: Consents,
    private readonly applicantReader: HostedApplicantReader,
    private readonly offerRequests: OfferRequests,
    private readonly audit: JourneyAudit,
  ) {}

  /** @throws Fault wrong_step once the lenders have been asked */
  async submitDetails(key: HostedKey, changes: DetailChanges): Promise<void> {
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lockHosted(tx, key);
      const file = this.applicants.open(journey);
      if (isConfirmed(journey) || !file) throw new Fault('wrong_step');
      const asked = new Set([...(file.asked ?? []), ...missingDetails(shownApplicant(file))]);
      const { applicantSealed } = this.applicants.seal(journey.id, {
        ...file,
        applicant: withChanges(file.applicant, changes),
        asked: DETAIL_NAMES.filter((name) => asked.has(name)),
      });
      await this.journeys.change(tx, journey, 'INITIATED', { applicantSealed });
      await this.journeys.touch(tx, journey);
    });
  }

  /** @throws Fault product_unavailable */
  async amountQuestion(
    journey: Pick<Journey, 'productCode' | 'loanAmount'>,
  ): Promise<AmountQuestion> {
    const question = await this.amounts.question(journey);
    if (!question) throw new Fault('product_unavailable');
    return question;
  }

  /** @throws Fault wrong_step once the lenders have been asked, validation_failed (`loanAmount`) */
  async submitAmount(key: HostedKey, loanAmount: Paise): Promise<void> {
    await this.database.transaction(async (tx) => {
      const journey = await this.journeys.lockHosted(tx, key);
      if (isConfirmed(journey)) throw new Fault('wrong_step');
      await this.amounts.set(tx, journey, loanAmount);
      await this.journeys.touch(tx, journey);
    });
  }

  /**
   * Idempotent over all replicas.
   * @param shown the `detailsHash` that the applicant checked
   */
  async confirm(key: HostedKey, shown: string): Promise<Confirmation> {
    // Safe outside the transaction: a consent is never removed.
    const consent = await this.consents.current(key);
    return this.database.transaction(async (tx) => {
      const journey = await this.journeys.lockHosted(tx, key);
      if (isConfirmed(journey)) return 'CONFIRMED';
      const file = this.applicants.open(journey);
      if (!consent || !file || missingDetails(shownApplicant(file)).length > 0) return 'INCOMPLETE';
      if (journey.loanAmountSource === 'DEFAULT') return 'INCOMPLETE';
      if (!this.applicantReader.isDetailsHash(journey, file, shown)) return 'DETAILS_CHANGED';
      await this.journeys.touch(tx, journey);
      const asked = await this.offerRequests.ask(tx, journey);
      await this.audit.record(tx, asked, 'CONFIRMED');
      return 'CONFIRMED';
    });
  }
}
