import { Injectable } from '@nestjs/common';
import {
  LenderInbox,
  QuestionOutbox,
  REVISED_OFFER,
  revisionRefusalReference,
} from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { notAsked } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';
import type { ReadOf } from './read-callback.js';
import { RevisedOffers } from './revised-offers.js';

/**
 * Computes revised offers again. A correct one goes to its journey by the inbox; any other is flagged, and its lender
 * is notified.
 */
@Injectable()
export class OfferRevisionIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly revised: RevisedOffers,
    private readonly questionOutbox: QuestionOutbox,
    private readonly inbox: LenderInbox,
    private readonly log: MessageLog,
  ) {}

  async take(tx: Tx, lenderCode: string, callback: ReadOf<'OFFER_REVISIONS'>): Promise<void> {
    const { id: messageId, body, told } = callback;
    const { applicationId, applicationReference, offer } = body;
    const own = await this.applications.find(tx, lenderCode, [applicationId]);
    const application = own.get(applicationId);
    const isNamedSo = application?.references.some(
      ({ kind, reference }) => kind === 'APPLICATION' && reference === applicationReference,
    );
    if (!application || !isNamedSo) throw notAsked('application');
    const { partnerId, subjectId } = application;
    const about = { lenderCode, partnerId, subjectId };
    const { offer: revised, problems, figures } = await this.revised.examine(offer);
    const message = { ...about, kind: 'OFFER_REVISION', messageId, told } as const;
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
}
