import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedAnswer, type JourneyQuestionKind, LenderInbox } from '../../lenders/index.js';
import { Database, InboxLanes, OperatorFlags, RandomSource } from '../../platform/index.js';
import { LenderAnswers } from '../lender-answers.js';

/** What a journey asks its lenders; what others ask theirs is not for us to take. */
const ASKED: readonly JourneyQuestionKind[] = [
  'OFFERS',
  'KYC',
  'MANDATE',
  'ESIGN',
  'DISBURSEMENT',
  'WITHDRAWAL',
];

/** Takes what comes into the lenders' inbox to the journeys. */
@Injectable()
export class LenderAnswersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly lanes: InboxLanes<ClaimedAnswer<JourneyQuestionKind>>;

  constructor(
    database: Database,
    inbox: LenderInbox,
    answers: LenderAnswers,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.lanes = new InboxLanes(database, () => random.fraction(), {
      name: 'lender-answers',
      take: (tx) => inbox.take(tx, ASKED),
      apply: (tx, claimed) => answers.apply(tx, claimed.read()),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { partnerId, subjectId }, detail) =>
        flags.raise(tx, { partnerId, subjectId, kind: 'UNREADABLE_ANSWER', detail }),
    });
    inbox.arrivals.listen(() => this.lanes.wake());
  }

  onApplicationBootstrap(): void {
    this.lanes.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.lanes.stop();
  }
}
