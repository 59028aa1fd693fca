import { Injectable } from '@nestjs/common';
import type { Tx } from '../../platform/index.js';
import type { CallbackOf } from '../protocol/callbacks.js';
import { notAsked } from './callback-refused.js';
import { MessageLog } from './message-log.js';
import { OwnApplications } from './own-applications.js';

/** Takes revised offers in: they are kept and put before the operator, and change nothing yet. */
@Injectable()
export class OfferRevisionIntake {
  constructor(
    private readonly applications: OwnApplications,
    private readonly log: MessageLog,
  ) {}

  async take(tx: Tx, lenderCode: string, body: CallbackOf<'OFFER_REVISIONS'>): Promise<void> {
    const { id: messageId, applicationId, applicationReference, offer } = body;
    const own = await this.applications.find(tx, lenderCode, [applicationId]);
    const application = own.get(applicationId);
    const isNamedSo = application?.references.some(
      ({ kind, reference }) => kind === 'APPLICATION' && reference === applicationReference,
    );
    if (!application || !isNamedSo) throw notAsked('application');
    const { partnerId, subjectId } = application;
    const message = {
      lenderCode,
      kind: 'OFFER_REVISION',
      messageId,
      partnerId,
      subjectId,
    } as const;
    await this.log.keepAndFlag(tx, message, body, 'OFFER_REVISED', {
      reason: body.reason,
      revisedAt: body.revisedAt,
      principal: offer.principal,
      apr: offer.apr,
      rateKind: offer.rate.kind,
      repaymentKind: offer.repayment.kind,
    });
  }
}
