import { Injectable } from '@nestjs/common';
import { QuestionOutbox } from '../../lenders/index.js';
import type { Tx } from '../../platform/index.js';
import { notAsked } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';
import type { ReadOf } from './read-callback.js';
import { RevisedOffers } from './revised-offers.js';

/**
 * Takes revised offers in: they are computed again, kept and put before the operator, and change
 * nothing yet. The lender of one that does not hold is told why.
 */
@Injectable()
export class OfferRevisionIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly revised: RevisedOffers,
    private readonly questionOutbox: QuestionOutbox,
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
    const { problems, figures } = await this.revised.examine(offer);
    const message = { ...about, kind: 'OFFER_REVISION', messageId, told } as const;
    const isNew = await this.log.keepAndFlag(tx, message, body, 'OFFER_REVISED', {
      reason: body.reason,
      revisedAt: body.revisedAt,
      offerReference: offer.reference,
      principal: offer.principal,
      apr: offer.apr,
      rateKind: offer.rate.kind,
      repaymentKind: offer.repayment.kind,
      holds: problems.length === 0,
      ...(figures && { figures }),
      ...(problems.length > 0 && { problems }),
    });
    if (!isNew || problems.length === 0) return;
    const reference = `OFFER_REFUSED:${messageId}`;
    await this.questionOutbox.putRefusal(tx, { ...about, reference }, problems);
  }
}
