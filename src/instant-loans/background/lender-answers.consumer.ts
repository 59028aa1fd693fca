import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { type ClaimedAnswer, LenderInbox, type WaitingAnswer } from '../../lenders/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import { Database, DuePoller, InboxConsumer, RandomSource, type Tx } from '../../platform/index.js';
import { DecisionAnswers } from './decision-answers.js';
import { InstantOfferAnswers } from './instant-offer-answers.js';

type Kind = 'INSTANT_OFFERS' | 'DECISION';

/** Applies the lenders' answers on instant loans; journeys consume their own kinds. */
@Injectable()
export class LenderAnswersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly offers: InboxConsumer<ClaimedAnswer<'INSTANT_OFFERS'>>;
  private readonly decisions: InboxConsumer<ClaimedAnswer<'DECISION'>>;

  constructor(
    private readonly database: Database,
    private readonly poller: DuePoller,
    private readonly inbox: LenderInbox,
    private readonly flags: OperatorFlags,
    private readonly random: RandomSource,
    offerAnswers: InstantOfferAnswers,
    decisionAnswers: DecisionAnswers,
  ) {
    this.offers = this.consumer('instant-offer-answers', 'INSTANT_OFFERS', offerAnswers);
    this.decisions = this.consumer('decision-answers', 'DECISION', decisionAnswers);
    inbox.arrivals.listen((kind) => {
      if (kind === 'INSTANT_OFFERS') this.offers.wake();
      if (kind === 'DECISION') this.decisions.wake();
    });
  }

  onApplicationBootstrap(): void {
    this.offers.start();
    this.decisions.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.offers.stop(), this.decisions.stop()]);
  }

  private consumer<Of extends Kind>(
    name: string,
    kind: Of,
    answers: { apply(tx: Tx, waiting: WaitingAnswer<Of>): Promise<void> },
  ): InboxConsumer<ClaimedAnswer<Of>> {
    return new InboxConsumer(this.database, this.poller, () => this.random.fraction(), {
      name,
      due: this.inbox.dueOf([kind]),
      take: (tx) => this.inbox.take(tx, [kind]),
      apply: (tx, claimed) => answers.apply(tx, claimed.read()),
      postpone: (tx, { id }, waitMs) => this.inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        this.flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'UNREADABLE_ANSWER',
          cause: [name, String(id)],
          detail,
        }),
    });
  }
}
