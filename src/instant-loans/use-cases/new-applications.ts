import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import { type Journey, type JourneyDraft, lends, NewJourneys } from '../../journeys/index.js';
import type { Paise } from '../../loans/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import { PaymentOrders } from '../../payments/index.js';
import type { Language, Tx } from '../../platform/index.js';
import {
  INSTANT_PRODUCT,
  type Lender,
  LenderCatalogue,
  ServiceSettings,
} from '../../settings/index.js';
import { InstantLoanLinks } from '../access/instant-loan-links.js';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';

export type WellFormedApplication = Omit<JourneyDraft, 'key' | 'channel' | 'sessionHash'> & {
  /** Null: the brand's. */
  readonly language: Language | null;
};

export interface WrittenApplication {
  readonly id: string;
  readonly journeyId: string;
  readonly redirectUrl: string;
  readonly smsId: string;
}

/** External calls happen after the commit. */
@Injectable()
export class NewApplications {
  constructor(
    private readonly newJourneys: NewJourneys,
    private readonly loans: InstantLoansRepository,
    private readonly sms: SmsOutbox,
    private readonly links: InstantLoanLinks,
    private readonly settings: ServiceSettings,
  ) {}

  async write(
    tx: Tx,
    key: JourneyDraft['key'],
    { language, ...application }: WellFormedApplication,
  ): Promise<WrittenApplication> {
    const draft = { ...application, key, channel: 'API_HOSTED', sessionHash: null } as const;
    const [journey] = await this.newJourneys.write(tx, [draft]);
    const { id: journeyId, applicationId: id, partnerId } = journey;
    const smsLanguage = language ?? (await this.settings.brand()).smsLanguage ?? 'en';
    const smsId = await this.sendLink(tx, journey, draft, smsLanguage);
    await this.loans.insert(tx, { id, partnerId, journeyId, smsId });
    return { id, journeyId, redirectUrl: this.links.payLink(id), smsId };
  }

  /** The fee is unknown before an offer. */
  private async sendLink(
    tx: Tx,
    { id: subjectId, partnerId, applicationId }: Journey,
    { applicant: { mobile, pan } }: JourneyDraft,
    language: Language,
  ): Promise<string> {
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId,
      kind: 'APPLICATION_LINK',
      language,
      applicant: { mobile, pan },
      values: { link: this.links.payLink(applicationId) },
      validForSeconds: FEE.payHours * 3_600,
    });
    return put.id;
  }
}

@Injectable()
export class InstantLenders {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param named the lenders in the consent; absent: any */
  async forAmount(loanAmount: Paise, named?: readonly string[]): Promise<Lender[]> {
    const wanted = { productCode: INSTANT_PRODUCT, loanAmount };
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return serving.filter((one) => (named?.includes(one.code) ?? true) && lends(one, wanted));
  }

  async notLending(loanAmount: Paise): Promise<Lender[]> {
    const wanted = { productCode: INSTANT_PRODUCT, loanAmount };
    return (await this.lenders.serving(INSTANT_PRODUCT)).filter((one) => !lends(one, wanted));
  }

  async isPayable(lenderCode: string): Promise<boolean> {
    const serving = await this.lenders.serving(INSTANT_PRODUCT);
    return (
      serving.some(({ code }) => code === lenderCode) &&
      (await this.payments.mayTakeFor(lenderCode))
    );
  }
}
