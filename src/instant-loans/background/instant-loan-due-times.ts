import { Injectable } from '@nestjs/common';
import { DueTimes } from '../../platform/index.js';
import { INSTANT_LOAN_TIMES, INSTANT_OFFER_TIMES } from '../store/instant-loans.repository.js';
import { InstantLoanDeadlinesTasks } from './instant-loan-deadlines.tasks.js';
import { InstantOfferDeadlinesTasks } from './instant-offer-deadlines.tasks.js';

@Injectable()
export class InstantLoanDueTimes {
  constructor(
    times: DueTimes,
    deadlines: InstantLoanDeadlinesTasks,
    offers: InstantOfferDeadlinesTasks,
  ) {
    times.watch(
      { times: INSTANT_OFFER_TIMES, run: () => offers.run() },
      { times: INSTANT_LOAN_TIMES, run: () => deadlines.run() },
    );
  }
}
