import { Injectable } from '@nestjs/common';
import { DueTimes } from '../platform/index.js';
import { ANSWER_TIMES, QUESTION_TIMES } from './store/lender-times.js';

/** Where lenders' questions and answers stand when time is moved. */
@Injectable()
export class LenderDueTimes {
  constructor(times: DueTimes) {
    times.watch({ times: QUESTION_TIMES }, { times: ANSWER_TIMES });
  }
}
