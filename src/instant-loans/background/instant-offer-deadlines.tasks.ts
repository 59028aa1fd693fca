import { Injectable, Logger } from '@nestjs/common';
import {
  Database,
  DuePoller,
  DueTimes,
  logFailure,
  ScheduledTask,
  takeInTurn,
  type Tx,
} from '../../platform/index.js';
import { isTakingOffers } from '../domain/chosen-loan.js';
import { InstantOfferRound } from '../offers/instant-offer-round.js';
import {
  INSTANT_OFFER_TIMES,
  InstantLoansRepository,
  type OwnedLoan,
} from '../store/instant-loans.repository.js';

const EVERY_MS = 1_000;
const MAX_PER_PASS = 500;

/**
 * Evaluates applications at their lenders' deadline. Each is claimed by its row lock, on any number
 * of replicas.
 */
@Injectable()
export class InstantOfferDeadlinesTasks {
  private readonly logger = new Logger(InstantOfferDeadlinesTasks.name);

  constructor(
    private readonly database: Database,
    private readonly loans: InstantLoansRepository,
    private readonly round: InstantOfferRound,
    private readonly poller: DuePoller,
    times: DueTimes,
  ) {
    times.watch({ times: INSTANT_OFFER_TIMES, run: () => this.run() });
  }

  @ScheduledTask('instant-offer-deadlines', EVERY_MS)
  async run(): Promise<void> {
    await takeInTurn(this.database, {
      max: MAX_PER_PASS,
      isAnyDue: () => this.poller.isDue('instant-offers', InstantLoansRepository.AWAITING_OFFERS),
      claim: (tx, passedOver) => this.loans.claimAwaitingOffers(tx, passedOver),
      work: (tx, due) => this.lookAt(tx, due),
      onFailure: (error, { id }) => logFailure(this.logger, error, { applicationId: id }),
    });
  }

  private async lookAt(tx: Tx, { partnerId, id }: OwnedLoan): Promise<void> {
    const loan = await this.loans.lock(tx, partnerId, id);
    if (loan && isTakingOffers(loan)) await this.round.evaluate(tx, loan);
  }
}
