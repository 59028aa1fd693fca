import { Injectable, Logger } from '@nestjs/common';
import type { Milestone } from '../../journey-steps/index.js';
import { isWordedIn, SmsOutbox } from '../../messaging/index.js';
import { OperatorFlags } from '../../operator-flags/index.js';
import {
  Database,
  DuePoller,
  type Language,
  logFailure,
  ScheduledTask,
  takeInTurn,
  UNWOKEN_MS,
  type Tx,
} from '../../platform/index.js';
import { ConfiguredGateways, ServiceSettings } from '../../settings/index.js';
import { AgreedLanguages } from '../access/consents.js';
import { HostedLinks } from '../access/hosted-links.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { MilestoneOutcome } from '../store/journey-intent.entity.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import {
  type DueMilestone,
  MilestonesRepository,
  type WaitingMilestone,
} from '../store/milestones.repository.js';

const FINAL_LOAN_EVENTS: readonly unknown[] = ['EXITED', 'REVERSED', 'CLOSED'];

@Injectable()
export class MilestoneWordings {
  constructor(
    private readonly settings: ServiceSettings,
    private readonly gateways: ConfiguredGateways,
  ) {}

  async has(milestone: Milestone, language: Language): Promise<boolean> {
    const { milestoneTexts = [] } = await this.settings.operating();
    return (
      milestoneTexts.includes(milestone) &&
      isWordedIn(milestone, language, await this.gateways.sms())
    );
  }
}

/**
 * Sends each SMS once: its outbox entry and its milestone are written in one transaction. Drops an outdated SMS; one
 * over the daily limit waits.
 */
@Injectable()
export class MilestoneTexts {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly milestones: MilestonesRepository,
    private readonly applicants: ApplicantFiles,
    private readonly links: HostedLinks,
    private readonly languages: AgreedLanguages,
    private readonly flags: OperatorFlags,
    private readonly sms: SmsOutbox,
    private readonly wordings: MilestoneWordings,
  ) {}

  async send(tx: Tx, due: DueMilestone): Promise<void> {
    const waiting = await this.milestones.waiting(tx, due);
    const journey = waiting && (await this.journeys.lock(tx, due.partnerId, due.id));
    if (!journey) return;
    const outcome = await this.withoutText(tx, journey, waiting);
    if (outcome) await this.milestones.settle(tx, waiting, outcome, null);
    else await this.put(tx, journey, waiting);
  }

  /** @returns null when an SMS is sent */
  private async withoutText(
    tx: Tx,
    journey: Journey,
    { milestone, state, isOver }: WaitingMilestone,
  ): Promise<Exclude<MilestoneOutcome, 'TOLD'> | null> {
    if (isOver || journey.state !== state) return 'UNTRUE';
    if (journey.applicantSealed === null) return 'NOBODY';
    if (await this.isLoanOver(tx, journey)) return 'UNTRUE';
    const language = await this.languages.of(tx, journey);
    return (await this.wordings.has(milestone, language)) ? null : 'NO_TEXT';
  }

  /** After the payout the lender's events are only flagged. */
  private async isLoanOver(tx: Tx, { id }: Journey): Promise<boolean> {
    const flags = await this.flags.list(tx, id);
    return flags.some(({ kind, detail }) => {
      const { event, isOfAnotherLoan }: { event?: unknown; isOfAnotherLoan?: boolean } = detail;
      return kind === 'LOAN_EVENT' && FINAL_LOAN_EVENTS.includes(event) && !isOfAnotherLoan;
    });
  }

  private async put(tx: Tx, journey: Journey, waiting: WaitingMilestone): Promise<void> {
    const { id: subjectId, partnerId } = journey;
    const { mobile, pan } = this.applicants.open(journey)!.applicant;
    const put = await this.sms.put(tx, {
      partnerId,
      subjectId,
      kind: waiting.milestone,
      language: await this.languages.of(tx, journey),
      applicant: { mobile, pan },
      values: { link: await this.links.issue(tx, journey) },
      validForSeconds: waiting.secondsLeft,
    });
    if (!put.isHeldBack) return this.milestones.settle(tx, waiting, 'TOLD', put.id);
    const later = await this.sms.noTextUntil(tx, mobile);
    if (later) await this.milestones.defer(tx, waiting, later);
  }
}

@Injectable()
export class MilestoneTextsTasks {
  private readonly logger = new Logger(MilestoneTextsTasks.name);

  constructor(
    private readonly database: Database,
    private readonly milestones: MilestonesRepository,
    private readonly texts: MilestoneTexts,
    poller: DuePoller,
  ) {
    poller.watch(MilestonesRepository.DUE, () => void this.run());
  }

  @ScheduledTask('milestone-texts', UNWOKEN_MS)
  async run(): Promise<void> {
    await takeInTurn(this.database, {
      max: 500,
      claim: (tx, passedOver) => this.milestones.claimDue(tx, passedOver),
      work: (tx, due) => this.texts.send(tx, due),
      onFailure: (error, { id, milestone }) =>
        logFailure(this.logger, error, { journeyId: id, milestone }),
    });
  }
}
