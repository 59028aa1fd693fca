import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import { type Journey, type JourneyDraft, NewJourneys } from '../../journeys/index.js';
import { SmsOutbox } from '../../messaging/index.js';
import type { Language, Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
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

/** Writes the journey and the SMS with its link. Calls to the outside happen after the commit. */
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

  /** The fee is not known before an offer. */
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
