import { Injectable } from '@nestjs/common';
import { QuestionDesk, type QuestionKind } from '../lenders/index.js';
import type { Tx } from '../platform/index.js';
import type { Journey } from './journey.js';
import { OfferRequests } from './offers/offer-requests.js';
import { RedirectSteps } from './returns/redirect-steps.js';
import { SelectedPayloads } from './selected-payload.js';

const EVERYTHING_ASKED: readonly QuestionKind[] = ['OFFERS', 'KYC', 'MANDATE', 'ESIGN'];

/** What entering a state brings about, in the transaction that enters it. */
@Injectable()
export class StateEntry {
  constructor(
    private readonly offerRequests: OfferRequests,
    private readonly redirects: RedirectSteps,
    private readonly desk: QuestionDesk,
    private readonly payloads: SelectedPayloads,
  ) {}

  async enter(tx: Tx, journey: Journey): Promise<Journey> {
    switch (journey.state) {
      case 'INITIATED':
        return this.offerRequests.askAgain(tx, journey);
      case 'OFFERS_RECEIVED':
        await this.desk.close(tx, journey.id, ['OFFERS']);
        return journey;
      case 'KYC_PENDING':
        return this.redirects.open(tx, journey, 'KYC', 1);
      case 'MANDATE_PENDING':
        return this.redirects.open(tx, journey, 'MANDATE', 1);
      case 'ESIGN_PENDING':
        return this.redirects.open(tx, journey, 'ESIGN', 1);
      case 'DISBURSEMENT_PENDING':
        await this.askLender(tx, journey, 'DISBURSEMENT');
        return journey;
      case 'REJECTED':
        await this.desk.close(tx, journey.id, EVERYTHING_ASKED);
        return journey;
      case 'ABANDONED':
        await this.desk.close(tx, journey.id, EVERYTHING_ASKED);
        if (journey.selectedOfferId) await this.askLender(tx, journey, 'WITHDRAWAL');
        return journey;
      default:
        return journey;
    }
  }

  private async askLender(
    tx: Tx,
    journey: Journey,
    kind: 'DISBURSEMENT' | 'WITHDRAWAL',
  ): Promise<void> {
    const { offer, payload } = await this.payloads.draw(tx, journey);
    await this.desk.put(tx, {
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: offer.lenderCode,
      kind,
      reference: offer.id,
      payload,
    });
  }
}
