import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedAnswer, LenderInbox } from '../../lenders/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource } from '../../platform/index.js';
import { DecisionAnswers } from './decision-answers.js';
import { OperatorFlags } from '../../operator-flags/index.js';

@Injectable()
export class DecisionAnswersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly consumer: InboxConsumer<ClaimedAnswer<'DECISION'>>;

  constructor(
    database: Database,
    poller: DuePoller,
    inbox: LenderInbox,
    answers: DecisionAnswers,
    flags: OperatorFlags,
    random: RandomSource,
  ) {
    this.consumer = new InboxConsumer(database, poller, () => random.fraction(), {
      name: 'decision-answers',
      due: inbox.dueOf(['DECISION']),
      take: (tx) => inbox.take(tx, ['DECISION'] as const),
      apply: (tx, claimed) => answers.apply(tx, claimed.read()),
      postpone: (tx, { id }, waitMs) => inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'UNREADABLE_ANSWER',
          cause: ['decision-answers', String(id)],
          detail,
        }),
    });
    inbox.arrivals.listen((kinds) => {
      if (kinds.has('DECISION')) this.consumer.wake();
    });
  }

  onApplicationBootstrap(): void {
    this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer.stop();
  }
}
