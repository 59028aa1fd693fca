import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  type ClaimedAnswer,
  QUESTION_KINDS,
  type QuestionKind,
  LenderInbox,
} from '../../lenders/index.js';
import {
  Database,
  DuePoller,
  InboxConsumer,
  type InboxWork,
  RandomSource,
} from '../../platform/index.js';
import { LenderAnswers } from '../progress/lender-answers.js';
import { OfferAnswers } from '../offers/offer-answers.js';
import { OperatorFlags } from '../../operator-flags/index.js';

type LaterQuestionKind = Exclude<QuestionKind, 'OFFERS'>;
type ConsumerOf<Kind extends QuestionKind> = InboxConsumer<ClaimedAnswer<Kind>>;

const ASKED_AFTER_OFFERS: readonly LaterQuestionKind[] = QUESTION_KINDS.filter(
  (kind) => kind !== 'OFFERS',
);
// Each offer is recomputed; more at once would delay requests.
const MAX_OFFERS_TOGETHER = 32;

/** Many offers arrive at once, so one transaction takes a batch. */
@Injectable()
export class LenderAnswersConsumer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly offers: ConsumerOf<'OFFERS'>;
  private readonly others: ConsumerOf<LaterQuestionKind>;

  constructor(
    private readonly database: Database,
    private readonly poller: DuePoller,
    private readonly inbox: LenderInbox,
    private readonly flags: OperatorFlags,
    private readonly random: RandomSource,
    answers: LenderAnswers,
    offerAnswers: OfferAnswers,
  ) {
    this.offers = this.consumer({
      name: 'offer-answers',
      due: inbox.dueOf(['OFFERS']),
      take: (tx) => inbox.take(tx, ['OFFERS'] as const),
      apply: (tx, claimed) => offerAnswers.apply(tx, claimed.read()),
      together: {
        most: MAX_OFFERS_TOGETHER,
        take: (tx, most) => inbox.takeSome(tx, 'OFFERS', most),
        apply: (tx, claimed) => {
          const waiting = claimed.map((one) => one.read());
          return offerAnswers.applyFree(tx, waiting);
        },
      },
    });
    this.others = this.consumer({
      name: 'lender-answers',
      due: inbox.dueOf(ASKED_AFTER_OFFERS),
      take: (tx) => inbox.take(tx, ASKED_AFTER_OFFERS),
      apply: (tx, claimed) => answers.apply(tx, claimed.read()),
    });
    inbox.arrivals.listen((kind) => {
      if (kind === 'OFFERS') this.offers.wake();
      if (ASKED_AFTER_OFFERS.some((other) => other === kind)) this.others.wake();
    });
  }

  onApplicationBootstrap(): void {
    this.offers.start();
    this.others.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.offers.stop(), this.others.stop()]);
  }

  private consumer<Kind extends QuestionKind>(
    work: Pick<InboxWork<ClaimedAnswer<Kind>>, 'name' | 'due' | 'take' | 'apply' | 'together'>,
  ): ConsumerOf<Kind> {
    return new InboxConsumer(this.database, this.poller, () => this.random.fraction(), {
      ...work,
      postpone: (tx, { id }, waitMs) => this.inbox.postpone(tx, id, waitMs),
      flag: (tx, { id, partnerId, subjectId }, detail) =>
        this.flags.raise(tx, {
          partnerId,
          subjectId,
          kind: 'UNREADABLE_ANSWER',
          cause: [work.name, String(id)],
          detail,
        }),
    });
  }
}
