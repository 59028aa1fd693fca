import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedAnswer, LenderInbox } from '../../lenders/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource } from '../../platform/index.js';
import { InstantOfferAnswers } from './instant-offer-answers.js';
import { OperatorFlags } from '../../operator-flags/index.js';

@Injectable()
export class InstantOfferAnswersConsumer
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly consumer: InboxConsumer<ClaimedAnswer<'INSTANT_OFFERS'>>;

  constructor(
    database: Database,
    poller: DuePoller,
    inbox: LenderInbox,
    answers: InstantOfferAnswers,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.consumer = new InboxConsumer(database, poller, () => random.fraction(), {
      name: 'instant-offer-answers',
      due: inbox.dueOf(['INSTANT_OFFERS']),
      take: (tx) => inbox.take(tx, ['INSTANT_OFFERS'] as const),
      apply: (tx, claimed) => answers.apply(tx, claimed.read()),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'UNREADABLE_ANSWER',
          cause: ['instant-offer-answers', String(id)],
          detail,
        }),
    });
    inbox.arrivals.listen((kinds) => {
      if (kinds.has('INSTANT_OFFERS')) this.consumer.wake();
    });
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
