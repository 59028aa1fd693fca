import { Injectable } from '@nestjs/common';
import {
  figureRefused,
  LenderInbox,
  type LenderOffer,
  QuestionOutbox,
  type RefusedOffer,
  REVISED_OFFER,
  revisionRefusalReference,
  VALID_LONG_ENOUGH,
} from '../../lenders/index.js';
import { checkClaimedFigures, MIN_WORKING_DAYS, workingDaysBetween } from '../../loans/index.js';
import { SystemClock, type Tx } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { isRefused, offerOf } from '../connector/offers-of.js';
import type { CallbackOf } from '../protocol/callbacks.js';
import { notAsked, type ReadOf } from './read-callback.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';

type ProtocolOffer = CallbackOf<'OFFER_REVISIONS'>['offer'];

/** Paise; the APR in percent. */
interface BothFigures {
  readonly stated: number;
  readonly computed: number;
}

interface ExaminedOffer {
  readonly problems: readonly RefusedOffer[];
  /** Null when the connector cannot convert it. */
  readonly offer: LenderOffer | null;
  readonly figures: Readonly<Record<'instalment' | 'netPayout' | 'apr', BothFigures>> | null;
}

/** A correct offer goes to its journey by the inbox; any other is flagged and reported to its lender. */
@Injectable()
export class OfferRevisionIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly questionOutbox: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly log: MessageLog,
    private readonly settings: ServiceSettings,
    private readonly clock: SystemClock,
  ) {}

  async take(tx: Tx, lenderCode: string, callback: ReadOf<'OFFER_REVISIONS'>): Promise<void> {
    const { id: messageId, body, json } = callback;
    const { applicationId, applicationReference, offer } = body;
    const own = await this.applications.find(tx, lenderCode, [applicationId]);
    const application = own.get(applicationId);
    const isNamedSo = application?.references.some(
      ({ kind, reference }) => kind === 'APPLICATION' && reference === applicationReference,
    );
    if (!application || !isNamedSo) throw notAsked('application');
    const { partnerId, subjectId } = application;
    const about = { lenderCode, partnerId, subjectId };
    const { offer: revised, problems, figures } = await this.examine(offer);
    const message = { ...about, kind: 'OFFER_REVISION', messageId, json } as const;
    if (revised !== null && problems.length === 0) {
      const isNew = await this.log.keep(tx, message, body);
      if (!isNew || (await this.questionOutbox.isErased(tx, subjectId))) return;
      await this.inbox.receive(tx, {
        ...about,
        kind: 'OFFERS',
        reference: REVISED_OFFER,
        answerId: `${REVISED_OFFER}/${messageId}`,
        answer: { kind: 'OFFERED', offers: [revised] },
      });
      return;
    }
    const isNew = await this.log.keepAndFlag(
      tx,
      message,
      body,
      'OFFER_REVISED',
      ['DOES_NOT_HOLD'],
      {
        reason: body.reason,
        revisedAt: body.revisedAt,
        offerReference: offer.reference,
        principal: offer.principal,
        apr: offer.apr,
        rateKind: offer.rate.kind,
        repaymentKind: offer.repayment.kind,
        holds: false,
        ...(figures && { figures }),
        problems,
      },
    );
    if (!isNew) return;
    const reference = revisionRefusalReference(messageId);
    await this.questionOutbox.putRefusal(tx, { ...about, reference }, problems);
  }

  private async examine(stated: ProtocolOffer): Promise<ExaminedOffer> {
    const offer = offerOf(stated);
    if (isRefused(offer)) return { offer: null, problems: [offer], figures: null };
    const computed = compute(offer);
    if (!(await this.isValidLongEnough(offer))) {
      const late = {
        offerReference: offer.reference,
        problem: 'VALIDITY',
        stated: stated.validUntil,
        computed: VALID_LONG_ENOUGH,
      };
      return { ...computed, problems: [...computed.problems, late] };
    }
    return computed;
  }

  /** By the machine's time: a remote lender does not follow the sandbox's clock. */
  private async isValidLongEnough({ validUntil }: LenderOffer): Promise<boolean> {
    const { bankHolidays } = await this.settings.operating();
    const until = new Date(validUntil);
    const days = workingDaysBetween(this.clock.now(), until, new Set(bankHolidays));
    return days >= MIN_WORKING_DAYS;
  }
}

function compute(offer: LenderOffer): ExaminedOffer {
  try {
    const { quote, disagreements } = checkClaimedFigures(offer);
    const both = (stated: number, computed: number) => ({ stated, computed });
    return {
      offer,
      problems: disagreements.map((one) => figureRefused(offer.reference, one)),
      figures: {
        instalment: both(offer.instalment, quote.instalment),
        netPayout: both(offer.netDisbursed, quote.netDisbursed),
        apr: both(offer.apr, quote.apr),
      },
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const problem = { offerReference: offer.reference, problem: 'OTHER' } as const;
    return { offer, problems: [problem], figures: null };
  }
}
